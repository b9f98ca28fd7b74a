//! The lists of postings that a query looks into, block by block.

use super::EXACT;
use crate::index::{Index, Posting, Segment};
use crate::rank::terms::{Term, Terms};

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
    /// Whether it is the word itself that is found.
    pub(super) fn is_own(self) -> bool {
        matches!(self, Self::Stem | Self::StemAndForm)
    }

    /// What part of the gain is the stem's.
    pub(super) fn stem_share(self) -> f64 {
        if self == Self::StemAndForm { 1.0 / (1.0 + EXACT) } else { 1.0 }
    }
}

/// Calls `visit` with every list that a term stands for: how, which, and what a full match in it weighs.
pub(super) fn lists(index: &Index, terms: &Terms, term: &Term, visit: &mut dyn FnMut(As, u32, f64)) {
    match (term.stem, term.form) {
        (Some(stem), Some(_)) if index.has_one_form(stem) => {
            visit(As::StemAndForm, stem, (1.0 + EXACT) * term.weight * index.stem_idf(stem));
        }
        (stem, form) => {
            stem.into_iter().for_each(|stem| visit(As::Stem, stem, term.weight * index.stem_idf(stem)));
            form.into_iter().for_each(|form| visit(As::Form, form, EXACT * term.weight * index.form_idf(form)));
        }
    }
    for &(stem, weight) in terms.stand_ins(term) {
        visit(As::StandIn, stem, weight * term.weight * index.stem_idf(stem));
    }
}

/// How many tools a block has at most, and a set is of.
pub(super) const BLOCK: usize = u64::BITS as usize;

/// What a list of postings has of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    pub block: u32,
    /// Where its postings begin in the segment's list.
    pub start: u32,
    /// The most that one of them weighs.
    pub most: f32,
    /// The most that the name of one is of one word alone, as a share, squared. 0 where the word is in none.
    pub of_name: f32,
    pub tools: u64,
    /// Those that have the word in the name.
    pub named: u64,
}

/// A list that a query looks into.
#[derive(Debug)]
pub(super) struct List {
    pub how: As,
    pub id: u32,
    /// The place of its term.
    pub term: u32,
    pub weight: f64,
    /// What part of that is the name's, where the word stands there. 0 where that is no matter.
    pub name_share: f64,
    /// Whether others may stand for its term.
    pub has_rivals: bool,
    /// Whether the query means it as a word of its own.
    pub counts: bool,
    pub clause: u32,
}

impl List {
    pub(super) fn of_term(index: &Index, terms: &Terms, term: &Term, place: u32, visit: &mut dyn FnMut(Self)) {
        let &Term { counts, clause, .. } = term;
        let has_rivals = term.has_stand_ins();
        lists(index, terms, term, &mut |how, id, weight| {
            let name_share = if how.is_own() && counts { how.stem_share() } else { 0.0 };
            visit(Self { how, id, term: place, weight, name_share, has_rivals, counts, clause });
        });
    }

    /// Where its cells are kept.
    pub(super) fn place(&self) -> usize {
        2 * self.id as usize + usize::from(self.how == As::Form)
    }

    pub(super) fn postings<'i>(&self, index: &'i Index, segment: &'i Segment) -> &'i [Posting] {
        if self.how == As::Form { index.of_form_in(segment, self.id) } else { segment.of_stem(self.id) }
    }

    /// What it has of each block; `cells` is where they are put together.
    #[inline(never)]
    pub(super) fn cells(&self, index: &Index, cells: &mut Vec<Cell>) -> Vec<Cell> {
        cells.clear();
        let mut blocks = 0;
        for segment in index.segments() {
            let mut cell = Cell::default();
            for (start, posting) in (0..).zip(self.postings(index, segment)) {
                let at = posting.place();
                let block = (blocks + at / BLOCK) as u32;
                if block != cell.block || cell.tools == 0 {
                    cells.extend((cell.tools != 0).then_some(cell));
                    cell = Cell { block, start, ..Cell::default() };
                }
                cell.tools |= 1 << (at % BLOCK);
                let weight = posting.weight();
                if weight > cell.most {
                    cell.most = weight;
                }
                if posting.in_name() {
                    cell.named |= 1 << (at % BLOCK);
                    let share = 1.0 / f32::from(index.name_words((segment.first() + at) as u32).max(1));
                    cell.of_name = cell.of_name.max(share * share);
                }
            }
            cells.extend((cell.tools != 0).then_some(cell));
            blocks += segment.tools().div_ceil(BLOCK);
        }
        cells.clone()
    }
}

/// What a list has of a block. Most that are asked for have something of each.
pub(super) fn cell_of(cells: &[Cell], block: usize) -> Option<&Cell> {
    let is_it = |cell: &&Cell| cell.block as usize == block;
    cells.get(block).filter(is_it).or_else(|| {
        let at = cells.partition_point(|cell| (cell.block as usize) < block);
        cells.get(at).filter(is_it)
    })
}
