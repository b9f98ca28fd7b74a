//! Where what a query finds of each tool is added up.

use super::clauses::InClauses;
use super::{COVERED, EXACT, SLACK, WHOLE_NAME, has};
use crate::index::{Index, Posting, Segment};
use crate::rank::terms::Term;

/// How a posting list stands for a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum As {
    Stem,
    /// By its stem and, since that has no other form, by its form too.
    StemAndForm,
    Form,
    StandIn,
}

impl As {
    /// What part of the gain is the stem's.
    pub(super) fn stem_share(self) -> f64 {
        if self == Self::StemAndForm { 1.0 / (1.0 + EXACT) } else { 1.0 }
    }
}

/// Calls `visit` with every list that a term stands for: how, which, and what a full match in it weighs.
pub(super) fn lists(index: &Index, term: &Term, visit: &mut dyn FnMut(As, u32, f64)) {
    match (term.stem, term.form) {
        (Some(stem), Some(_)) if index.has_one_form(stem) => {
            visit(As::StemAndForm, stem, (1.0 + EXACT) * term.weight * index.stem_idf(stem));
        }
        (stem, form) => {
            stem.into_iter().for_each(|stem| visit(As::Stem, stem, term.weight * index.stem_idf(stem)));
            form.into_iter().for_each(|form| visit(As::Form, form, EXACT * term.weight * index.form_idf(form)));
        }
    }
    for &(stem, weight) in &term.stand_ins {
        visit(As::StandIn, stem, weight * term.weight * index.stem_idf(stem));
    }
}

/// Which tools of a block a term is found in: itself, itself in the name, or by what stands for it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    pub own: u64,
    pub in_name: u64,
    pub stood_in: u64,
}

/// What a list of postings has of a block.
#[derive(Debug, Clone, Copy)]
struct Cell {
    block: u32,
    /// Where its postings begin in the segment's list.
    start: u32,
    /// The most that one of them weighs.
    most: f32,
    tools: u64,
    /// Those that have the word in the name.
    named: u64,
}

/// The postings that a list has of a block.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    start: u32,
    /// 0 where there are none.
    most: f32,
}

/// What queries leave for those that follow, until tools come or their postings are joined.
#[derive(Debug, Default)]
pub(crate) struct Room {
    /// The cells of each stem and, behind it, of the form of the same number, if queries have looked into them. Common words are in most
    /// queries, and have ten times as many postings as blocks.
    cells: Vec<Vec<Cell>>,
    /// How many there are.
    count: usize,
    /// Of a query, for each block one for each term.
    seen: Vec<Seen>,
    /// For each block, one for each list.
    runs: Vec<Run>,
}

/// How many cells are kept for each tool.
const MOST_CELLS: usize = 8;

/// A list that a query looks into.
struct List {
    how: As,
    id: u32,
    /// The place of its term.
    term: usize,
    weight: f64,
    /// What part of that is the name's, where the word stands there. 0 where that is no matter.
    name_share: f64,
}

/// Up to 64 tools that were taken in together and have numbers side by side.
struct Block {
    /// The number of the first of them.
    first: u32,
    segment: usize,
}

/// What a query finds where.
///
/// What is found is a set for each block: whole sets are counted and compared in a step, where a look at each tool would take most of a
/// query's time. What a list adds at most to a tool of a block tells which blocks need one.
pub(super) struct Found<'i> {
    index: &'i Index,
    terms: &'i [Term],
    lists: Vec<List>,
    blocks: Vec<Block>,
    room: Room,
    /// Whether the query has several clauses.
    several: bool,
}

impl Room {
    /// Notes where a list stands.
    fn note(&mut self, index: &Index, terms: usize, lists: usize, place: usize, list: &List) {
        let at = 2 * list.id as usize + usize::from(list.how == As::Form);
        if self.cells.len() <= at {
            self.cells.resize_with(at + 1, Vec::new);
        }
        let cells = &mut self.cells[at];
        if cells.is_empty() {
            *cells = list.cells(index);
            self.count += cells.len();
        }
        for cell in cells {
            let block = cell.block as usize;
            self.runs[block * lists + place] = Run { start: cell.start, most: cell.most };
            let seen = &mut self.seen[block * terms + list.term];
            match list.how {
                As::Stem | As::StemAndForm => (seen.own, seen.in_name) = (cell.tools, cell.named),
                As::Form => {}
                As::StandIn => seen.stood_in |= cell.tools,
            }
        }
    }
}

impl List {
    fn postings<'i>(&self, index: &'i Index, segment: &'i Segment) -> &'i [Posting] {
        if self.how == As::Form { index.of_form_in(segment, self.id) } else { segment.of_stem(self.id) }
    }

    /// What it has of each block.
    fn cells(&self, index: &Index) -> Vec<Cell> {
        let mut cells: Vec<Cell> = Vec::new();
        let (mut first, mut blocks) = (0, 0);
        for segment in index.segments() {
            for (start, posting) in (0..).zip(self.postings(index, segment)) {
                let at = posting.number() as usize - first;
                let block = (blocks + at / BLOCK) as u32;
                if cells.last().is_none_or(|last| last.block != block) {
                    cells.push(Cell { block, start, most: 0.0, tools: 0, named: 0 });
                }
                let Some(cell) = cells.last_mut() else { continue };
                cell.tools |= 1 << (at % BLOCK);
                cell.named |= u64::from(posting.in_name()) << (at % BLOCK);
                cell.most = cell.most.max(posting.weight);
            }
            first += segment.tools();
            blocks += segment.tools().div_ceil(BLOCK);
        }
        cells
    }
}

impl<'i> Found<'i> {
    /// All that some terms find.
    pub(super) fn new(index: &'i Index, terms: &'i [Term], several: bool, mut room: Room) -> Self {
        let mut all: Vec<List> = Vec::with_capacity(terms.len());
        for (at, term) in terms.iter().enumerate() {
            lists(index, term, &mut |how, id, weight| {
                let is_own = matches!(how, As::Stem | As::StemAndForm);
                let name_share = if is_own && term.counts { how.stem_share() } else { 0.0 };
                all.push(List { how, id, term: at, weight, name_share });
            });
        }
        let mut blocks: Vec<Block> = Vec::new();
        let mut tools = 0;
        for (segment, own) in index.segments().iter().map(Segment::tools).enumerate() {
            for block in 0..own.div_ceil(BLOCK) {
                blocks.push(Block { first: (tools + block * BLOCK) as u32, segment });
            }
            tools += own;
        }
        room.seen.clear();
        room.seen.resize(blocks.len() * terms.len(), Seen::default());
        room.runs.clear();
        room.runs.resize(blocks.len() * all.len(), Run::default());
        if room.count > MOST_CELLS * tools {
            (room.cells, room.count) = (Vec::new(), 0);
        }
        for (place, list) in all.iter().enumerate() {
            room.note(index, terms.len(), all.len(), place, list);
        }
        Self { index, terms, lists: all, blocks, room, several }
    }

    /// The number of each block's first tool, and what was found in it, one for each term.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u32, &[Seen])> {
        let columns = self.room.seen.chunks_exact(self.terms.len().max(1));
        self.blocks.iter().map(|block| block.first).zip(columns)
    }

    /// What was found in a block, one for each term.
    pub(super) fn of(&self, block: usize) -> &[Seen] {
        &self.room.seen[block * self.terms.len()..][..self.terms.len()]
    }

    fn runs(&self, block: usize) -> &[Run] {
        &self.room.runs[block * self.lists.len()..][..self.lists.len()]
    }

    /// What no tool of a block scores more than, whatever it gains.
    pub(super) fn most(&self, block: usize) -> f64 {
        let seen = self.of(block);
        let (mut score, mut name_gain) = (0.0, 0.0);
        let (mut term, mut so_far) = (0, 0.0);
        for (list, run) in self.lists.iter().zip(self.runs(block)) {
            if list.term != term {
                (term, so_far) = (list.term, 0.0);
            }
            let gain = list.weight * f64::from(run.most);
            let more = match list.how {
                As::StandIn if gain > so_far => gain - so_far,
                As::StandIn => 0.0,
                _ => gain,
            };
            so_far += more;
            score += more;
            if seen[term].in_name != 0 {
                name_gain += gain * list.name_share;
            }
        }
        score * COVERED + name_gain * WHOLE_NAME * SLACK
    }

    /// Adds up what is found of the tools of a block.
    pub(super) fn add_up(&self, block: usize, sums: &mut Sums) {
        let Block { first, segment } = self.blocks[block];
        let Sums { scores, name_gains, gains, clauses } = sums;
        (*scores, *name_gains) = ([0.0; BLOCK], [0.0; BLOCK]);
        clauses.clear();
        clauses.resize(if self.several { BLOCK } else { 0 }, InClauses::default());
        let mut last = None;
        let segment = &self.index.segments()[segment];
        for (list, run) in self.lists.iter().zip(self.runs(block)) {
            if last.replace(list.term) != Some(list.term) {
                *gains = [0.0; BLOCK];
            }
            if run.most == 0.0 {
                continue;
            }
            let own = self.of(block)[list.term].own;
            for posting in &list.postings(self.index, segment)[run.start as usize..] {
                let at = (posting.number() - first) as usize;
                if at >= BLOCK {
                    break;
                }
                let gain = list.weight * f64::from(posting.weight);
                let more = match list.how {
                    // A forged snapshot may have a form where its stem is not.
                    As::Form if !has(own, at) => continue,
                    // Of a word and its stand-ins the one counts that adds most.
                    As::StandIn if gain <= gains[at] => continue,
                    As::StandIn => gain - gains[at],
                    _ => gain,
                };
                gains[at] += more;
                scores[at] += more;
                let in_name = posting.in_name() && list.name_share > 0.0;
                if in_name {
                    name_gains[at] += gain * list.name_share;
                }
                if let Some(of) = clauses.get_mut(at) {
                    of.add(self.terms[list.term].clause, more, in_name);
                }
            }
        }
        clauses.iter_mut().for_each(InClauses::settle);
    }

    /// Gives the room back.
    pub(super) fn into_room(self) -> Room {
        self.room
    }
}

/// How many tools a block has at most, and a set is of.
const BLOCK: usize = u64::BITS as usize;

/// What is added up for each tool of a block.
pub(super) struct Sums {
    pub scores: [f64; BLOCK],
    /// What of them is for words in the name.
    pub name_gains: [f64; BLOCK],
    /// What the term adds whose turn it is.
    gains: [f64; BLOCK],
    /// Only where a query has several clauses.
    pub clauses: Vec<InClauses>,
}

impl Sums {
    pub(super) fn new() -> Self {
        Self { scores: [0.0; BLOCK], name_gains: [0.0; BLOCK], gains: [0.0; BLOCK], clauses: Vec::new() }
    }
}
