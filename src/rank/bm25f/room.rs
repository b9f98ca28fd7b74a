//! Where what a query finds of each tool is added up.

use super::clauses::InClauses;
use super::counts::Counts;
use super::lists::{As, BLOCK, Cell, List, cell_of};
use super::{SLACK, WHOLE_NAME, coverage_bonus, each};
use crate::index::{Index, Posting};
use crate::rank::terms::Terms;

/// What queries leave for those that follow, until tools come or their postings are joined.
#[derive(Debug, Default)]
pub(crate) struct Room {
    /// The cells of each stem and, behind it, of the form of the same number, if queries have looked into them. Common words are in most
    /// queries, and have ten times as many postings as blocks.
    cells: Vec<Vec<Cell>>,
    /// How many there are.
    count: usize,
    /// Those that were put together last.
    fresh: Vec<Cell>,
    blocks: Vec<Block>,
    /// Of a query: the lists that it looks into.
    lists: Vec<List>,
    /// What it finds in each block.
    finds: Vec<Find>,
    /// What the term adds to a tool of each block at most whose turn it is, if others may stand for it.
    gains: Vec<f64>,
    /// Which tools have half of its words, where that matters.
    counts: Counts,
    /// What was added up last.
    sums: Sums,
}

/// How many cells are kept for each block: 8 for each tool.
const MOST_CELLS: usize = 8 * BLOCK;

/// Up to 64 tools that were taken in together and have numbers side by side.
#[derive(Debug)]
struct Block {
    /// The number of the first of them.
    first: u32,
    segment: u32,
}

/// What a query finds where.
///
/// What is found is a set for each block: whole sets are counted and compared in a step, where a look at each tool would take most of a
/// query's time. What a list adds at most to a tool of a block tells which blocks need one.
pub(super) struct Found<'i> {
    index: &'i Index,
    room: Box<Room>,
    /// Whether the query has several clauses.
    pub several: bool,
    /// How many tools it finds, and how many by a word of its own.
    pub total: usize,
    pub literal: usize,
    /// The block that promises most.
    pub best: usize,
}

/// What a query finds in a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Find {
    /// The tools that it finds in any way; those that it does by a word of its own; and of these the ones that have one in the name.
    pub any: u64,
    pub literal: u64,
    pub named: u64,
    /// What none of the literal ones scores more than; below 0 where there is none.
    most: f64,
}

impl Find {
    /// Not all of its bytes are zero: a few blocks are sooner filled one by one than by a call for zeros.
    const NOTHING: Self = Self { any: 0, literal: 0, named: 0, most: -0.0 };
}

impl Room {
    /// Begins a query: makes its lists, and the cells of those that are new.
    fn begin(&mut self, index: &Index, terms: &Terms) {
        if self.blocks.is_empty() {
            self.blocks = blocks(index);
        }
        if self.count > MOST_CELLS * self.blocks.len() {
            (self.cells, self.count) = (Vec::new(), 0);
        }
        self.lists.clear();
        for (at, term) in (0..).zip(terms.all()) {
            List::of_term(index, terms, term, at, &mut |list| self.lists.push(list));
        }
        for list in &self.lists {
            let at = list.place();
            if self.cells.len() <= at {
                self.cells.resize_with(at + 1, Vec::new);
            }
            if self.cells[at].is_empty() {
                self.cells[at] = list.cells(index, &mut self.fresh);
                self.count += self.cells[at].len();
            }
        }
    }

    /// The cells of the words that count.
    fn words(&self) -> impl Iterator<Item = &[Cell]> {
        let lists = self.lists.iter().filter(|list| list.counts && list.how.is_own());
        lists.map(|list| &*self.cells[list.place()])
    }

    /// Whether a tool that is `eligible` has all of so many words of a query.
    fn has_all(&self, words: usize, eligible: Option<&dyn Fn(u32) -> bool>) -> bool {
        let rarest = self.words().min_by_key(|cells| cells.len()).filter(|_| self.words().count() == words);
        rarest.unwrap_or_default().iter().any(|cell| {
            let block = cell.block as usize;
            let own = self.words().map(|cells| cell_of(cells, block).map_or(0, |cell| cell.tools));
            let all = own.fold(!0, |all, own| all & own);
            all != 0 && fitting(all, self.blocks[block].first, eligible) != 0
        })
    }

    /// Notes what each list finds, and what that adds at most in a query of so many words; where `half`, also which tools have half of
    /// them.
    fn note(&mut self, words: usize, half: bool) {
        let (blocks, known) = (self.blocks.len(), self.words().count());
        let Self { cells, lists, finds, gains, counts, .. } = self;
        finds.clear();
        finds.resize(blocks, Find::NOTHING);
        if half {
            counts.begin(blocks, words.div_ceil(2));
        }
        let covered = (1.0 + coverage_bonus(known, words)) * SLACK;
        let mut last = None;
        for list in lists {
            if last.replace(list.term) != Some(list.term) && list.has_rivals {
                gains.resize(blocks, 0.0);
                gains.fill(0.0);
                if half {
                    counts.begin_word();
                }
            }
            let cells = &cells[list.place()];
            let (is_own, stands_in) = (list.how.is_own(), list.how == As::StandIn);
            let for_name = list.name_share * WHOLE_NAME * SLACK;
            for cell in cells {
                let block = cell.block as usize;
                let find = &mut finds[block];
                let mut gain = list.weight * f64::from(cell.most);
                if list.has_rivals {
                    if stands_in {
                        // Of a word and its stand-ins the one counts that adds most.
                        gain = (gain - gains[block]).max(0.0);
                    }
                    gains[block] += gain;
                }
                if stands_in {
                    find.any |= cell.tools;
                } else if is_own {
                    find.literal |= cell.tools;
                    find.named |= cell.named;
                }
                let of_name = (f64::from(cell.of_name) * (known * known) as f64).min(1.0);
                find.most += gain * (covered + for_name * of_name);
            }
            if half && list.how != As::Form {
                for cell in cells {
                    let block = cell.block as usize;
                    let tools = if list.has_rivals { counts.fresh(block, cell.tools) } else { cell.tools };
                    counts.add(block, tools);
                    if !list.counts {
                        // A joined form is two words in one.
                        counts.add(block, tools);
                    }
                }
            }
        }
    }
}

/// The blocks of an index.
fn blocks(index: &Index) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (at, segment) in (0..).zip(index.segments()) {
        let firsts = (segment.first()..segment.first() + segment.tools()).step_by(BLOCK);
        blocks.extend(firsts.map(|first| Block { first: first as u32, segment: at }));
    }
    blocks
}

impl<'i> Found<'i> {
    /// What some terms find of the tools that `eligible`, if there is such a condition, lets in.
    pub(super) fn new(
        index: &'i Index,
        terms: &Terms,
        words: usize,
        eligible: Option<&dyn Fn(u32) -> bool>,
        mut room: Box<Room>,
    ) -> Self {
        room.begin(index, terms);
        // Where some tool has every word, those with less than half of them and none in the name are padding (rule C7).
        let only_half = words > 2 && room.has_all(words, eligible);
        room.note(words, only_half);
        let several = terms.all().iter().any(|t| t.clause != terms.all()[0].clause);
        let mut found = Self { index, room, several, total: 0, literal: 0, best: 0 };
        found.settle(only_half, eligible);
        found
    }

    /// Leaves those alone that may be found, and counts them.
    fn settle(&mut self, only_half: bool, eligible: Option<&dyn Fn(u32) -> bool>) {
        let Room { blocks, finds, counts, .. } = &mut *self.room;
        let mut most = 0.0;
        for (at, find) in finds.iter_mut().enumerate() {
            find.any |= find.literal;
            if find.any != 0 {
                find.any = fitting(find.any, blocks[at].first, eligible);
                if only_half {
                    find.any &= find.named | counts.reached(at);
                }
                find.literal &= find.any;
                self.total += find.any.count_ones() as usize;
                self.literal += find.literal.count_ones() as usize;
            }
            if find.literal == 0 {
                find.most = -1.0;
            } else if find.most > most {
                (self.best, most) = (at, find.most);
            }
        }
    }

    /// The number of a block's first tool, and what it finds there.
    #[inline]
    pub(super) fn of(&self, block: usize) -> (u32, Find) {
        (self.room.blocks[block].first, self.room.finds[block])
    }

    /// The first block from one on in which some tool could score so much by a word of the query's own.
    #[inline]
    pub(super) fn next(&self, from: usize, score: f64) -> Option<usize> {
        let finds = self.room.finds.get(from..)?;
        finds.iter().position(|find| find.most >= score).map(|at| from + at)
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.room.blocks.len()
    }

    /// Adds up what is found of the tools of a block.
    pub(super) fn add_up(&mut self, block: usize) {
        let Room { cells, blocks, lists, sums, finds, .. } = &mut *self.room;
        let Block { segment, .. } = blocks[block];
        // Once is enough.
        finds[block].most = -1.0;
        let segment = &self.index.segments()[segment as usize];
        sums.clear(self.several);
        let (mut last, mut own) = (None, 0);
        for list in lists {
            if last.replace(list.term) != Some(list.term) {
                own = 0;
                if list.has_rivals {
                    sums.tools.iter_mut().for_each(|sum| sum.gain = 0.0);
                }
            }
            let Some(cell) = cell_of(&cells[list.place()], block) else { continue };
            if list.how.is_own() {
                own = cell.tools;
            } else if list.how == As::Form && cell.tools & !own != 0 {
                // A forged snapshot may have a form where its stem is not.
                continue;
            }
            sums.found |= cell.tools;
            let postings = &list.postings(self.index, segment)[cell.start as usize..];
            let postings = &postings[..cell.tools.count_ones() as usize];
            let hits = u32::from(list.name_share > 0.0);
            if list.has_rivals || self.several {
                sums.add_among_rivals(postings, list, hits);
            } else {
                sums.add(postings, list.weight, list.name_share, hits);
            }
        }
        sums.clauses.iter_mut().for_each(InClauses::settle);
    }

    /// What was added up for the tools of that block.
    pub(super) fn sums(&self) -> &Sums {
        &self.room.sums
    }

    /// Gives the room back.
    pub(super) fn into_room(self) -> Box<Room> {
        self.room
    }
}

/// The eligible ones of some tools of a block, of which `first` is the number of the first.
fn fitting(set: u64, first: u32, eligible: Option<&dyn Fn(u32) -> bool>) -> u64 {
    let Some(eligible) = eligible else { return set };
    let mut fitting = 0;
    each(set, |at| fitting |= u64::from(eligible(first + at as u32)) << at);
    fitting
}

/// What is added up for a tool.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    pub score: f64,
    /// What of it is for words in the name.
    pub name_gain: f64,
    /// What the term adds whose turn it is.
    gain: f64,
    /// How many of the query's words the tool has, and above the lowest 16 bits how many its name.
    hits: u32,
}

impl Sum {
    const NAME_HIT: u32 = 1 << 16;

    /// How many of the query's words the tool has.
    pub(super) fn hits(&self) -> usize {
        (self.hits % Self::NAME_HIT) as usize
    }

    /// How many its name.
    pub(super) fn name_hits(&self) -> u8 {
        (self.hits / Self::NAME_HIT) as u8
    }
}

/// What is added up for the tools of a block.
#[derive(Debug)]
pub(super) struct Sums {
    pub tools: [Sum; BLOCK],
    /// Those of which there is anything.
    found: u64,
    /// Only where a query has several clauses.
    pub clauses: Vec<InClauses>,
}

impl Default for Sums {
    fn default() -> Self {
        Self { tools: [Sum::default(); BLOCK], found: 0, clauses: Vec::new() }
    }
}

impl Sums {
    fn clear(&mut self, several: bool) {
        each(self.found, |at| self.tools[at] = Sum::default());
        self.found = 0;
        self.clauses.clear();
        self.clauses.resize(if several { BLOCK } else { 0 }, InClauses::default());
    }

    /// Adds some postings of a list. A function of its own: within another, engines have no registers left for the loop.
    #[inline(never)]
    fn add(&mut self, postings: &[Posting], weight: f64, name_share: f64, hits: u32) {
        for posting in postings {
            // Numbers, and no branch: either is as likely.
            let in_name = u32::from(posting.in_name());
            let sum = &mut self.tools[posting.place() % BLOCK];
            let gain = weight * f64::from(posting.weight());
            sum.score += gain;
            sum.name_gain += gain * name_share * f64::from(in_name);
            sum.hits += hits + hits * in_name * Sum::NAME_HIT;
        }
    }

    /// The same where others may stand for the term, or a query has several clauses.
    #[inline(never)]
    fn add_among_rivals(&mut self, postings: &[Posting], list: &List, hits: u32) {
        for posting in postings {
            let in_name = u32::from(posting.in_name());
            let at = posting.place() % BLOCK;
            let sum = &mut self.tools[at];
            let mut gain = list.weight * f64::from(posting.weight());
            if list.how == As::StandIn {
                // Of a word and its stand-ins the one counts that adds most.
                if gain <= sum.gain {
                    continue;
                }
                gain -= sum.gain;
            }
            sum.gain += gain;
            sum.score += gain;
            sum.name_gain += gain * list.name_share * f64::from(in_name);
            sum.hits += hits + hits * in_name * Sum::NAME_HIT;
            if let Some(of) = self.clauses.get_mut(at) {
                of.add(list.clause, gain, hits * in_name > 0);
            }
        }
    }
}
