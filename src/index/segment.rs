//! Where words stand: the postings of tools that were taken in together.

use super::fields::{MOST_WEIGHT, saturate};
use super::gathered::{Counts, Gathered};
use crate::snapshot::{Input, Output};
use std::ops::Range;

/// How many tools a segment has at most: what the place of one has bits for.
pub(crate) const MOST_TOOLS: usize = 1 << 13;

/// One word in one tool. From the highest bit on: the place of the tool in its segment, whether the word stands in its raw name, and what
/// it weighs: its frequency, weighted by field and length, saturated, and off by less than a hundred-thousandth. There are more postings than
/// anything else in an index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting(u32);

impl Posting {
    const PLACE: u32 = u32::BITS - MOST_TOOLS.ilog2();
    const IN_NAME: u32 = 1 << (Self::PLACE - 1);
    /// The most that a weight can be.
    const MOST: u32 = Self::IN_NAME - 1;

    fn new(place: u32, in_name: bool, frequency: f32) -> Self {
        let weight = saturate(frequency) * (Self::MOST as f32 / MOST_WEIGHT) + 0.5;
        Self(place << Self::PLACE | u32::from(in_name) << (Self::PLACE - 1) | weight as u32)
    }

    /// The place of the tool in its segment.
    #[inline]
    pub(crate) fn place(self) -> usize {
        (self.0 >> Self::PLACE) as usize
    }

    #[inline]
    pub(crate) fn in_name(self) -> bool {
        self.0 & Self::IN_NAME != 0
    }

    #[inline]
    pub(crate) fn weight(self) -> f32 {
        // Of what has a sign, the conversion is shorter.
        (self.0 & Self::MOST) as i32 as f32 * (MOST_WEIGHT / Self::MOST as f32)
    }

    /// The same where so many tools come before those of the segment.
    fn moved(self, tools: u32) -> Self {
        Self(self.0 + (tools << Self::PLACE))
    }
}

/// Postings by term, each list by the number of the tool.
#[derive(Debug, Default)]
struct Lists {
    /// Where each list begins, and the last one ends.
    starts: Vec<u32>,
    postings: Vec<Posting>,
}

impl Lists {
    #[inline]
    fn of(&self, term: u32) -> &[Posting] {
        match self.starts.get(term as usize..term as usize + 2) {
            Some(&[start, end]) => &self.postings[start as usize..end as usize],
            _ => &[],
        }
    }

    fn write(&self, out: &mut Output) {
        out.numbers(&self.starts);
        out.map(&self.postings, |posting| [posting.0]);
    }

    /// `None` when it is not of an index with so many terms, or not of so many tools, each list by their places.
    fn read(input: &mut Input<'_>, terms: usize, tools: usize) -> Option<Self> {
        let starts = input.numbers()?;
        let postings = input.map(|[posting]| Posting(posting))?;
        let is_list = |list: &[Posting]| {
            list.is_sorted_by(|a, b| a.place() < b.place()) && list.last().is_none_or(|last| last.place() < tools)
        };
        let fits = starts.is_sorted()
            && starts.len() <= terms + 1
            && starts.last().map_or(0, |end| *end as usize) == postings.len()
            && starts.windows(2).all(|list| is_list(&postings[list[0] as usize..list[1] as usize]));
        fits.then_some(Self { starts, postings })
    }

    /// Lists with room for so many postings of each term. Until they are `filled`, `starts` has where the next one of each comes to
    /// stand.
    fn with_room(mut counts: Vec<u32>) -> Self {
        let mut all = 0;
        for count in &mut counts {
            all += std::mem::replace(count, all);
        }
        Self { starts: counts, postings: vec![Posting(0); all as usize] }
    }

    #[inline]
    fn push(&mut self, term: u32, posting: Posting) {
        let next = &mut self.starts[term as usize];
        self.postings[*next as usize] = posting;
        *next += 1;
    }

    fn filled(&mut self) {
        // Each stands at the end of its list, where the next one begins.
        self.starts.insert(0, 0);
    }
}

/// What [`Segment::single`] has for a stem of several forms, or of none.
const NONE: u32 = u32::MAX;

/// What a tool has so far of a stem with several forms.
#[derive(Clone, Copy)]
struct Sum {
    /// The last that has it.
    tool: u32,
    in_name: bool,
    frequency: f32,
}

/// The postings of a run of tools.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// The number of the first.
    first: usize,
    tools: usize,
    stems: Lists,
    /// The form of each stem that has just one here, as most have: then the form's list is the stem's.
    single: Vec<u32>,
    /// Of stems with several forms.
    forms: Lists,
}

impl Segment {
    /// With room for what so many tools have.
    fn with_room(first: usize, tools: usize, counts: Counts, stem_of: &[u32]) -> Self {
        let Counts { mut forms, stems } = counts;
        let single = single(&forms, stem_of, stems.len());
        for (form, count) in (0..).zip(&mut forms) {
            if is_single(&single, stem_of, form) {
                *count = 0;
            }
        }
        Self { first, tools, stems: Lists::with_room(stems), single, forms: Lists::with_room(forms) }
    }

    fn filled(mut self) -> Self {
        self.stems.filled();
        self.forms.filled();
        self
    }

    /// Of tools that get the numbers from `first` on, [`MOST_TOOLS`] at most.
    // Not within its caller, which would be larger by more.
    #[inline(never)]
    pub(crate) fn new(first: usize, gathered: &Gathered, counts: Counts, stem_of: &[u32]) -> Self {
        let mut sums = vec![Sum { tool: NONE, in_name: false, frequency: 0.0 }; counts.stems.len()];
        let mut all = Self::with_room(first, gathered.len(), counts, stem_of);
        for (tool, words) in (0..).zip(gathered.tools()) {
            for word in words {
                let (form, mut in_name, mut frequency) = (word.form(), word.in_name(), word.frequency);
                let stem = stem_of[form as usize];
                if all.single[stem as usize] != form {
                    all.forms.push(form, Posting::new(tool, in_name, frequency));
                    let sum = &mut sums[stem as usize];
                    if sum.tool == tool {
                        // In the order of the words, so that sums are the same to the bit.
                        (in_name, frequency) = (in_name | sum.in_name, frequency + sum.frequency);
                        all.stems.starts[stem as usize] -= 1;
                    }
                    *sum = Sum { tool, in_name, frequency };
                }
                all.stems.push(stem, Posting::new(tool, in_name, frequency));
            }
        }
        all.filled()
    }

    pub(crate) fn write(&self, out: &mut Output) {
        out.numbers(&[self.tools as u32]);
        self.stems.write(out);
        out.numbers(&self.single);
        self.forms.write(out);
    }

    /// The one of the tools that come next of those `left`; the first `stops` forms stand nowhere. It has no more tools than there are:
    /// with what others claim, the sum could go round.
    pub(crate) fn read(
        input: &mut Input<'_>,
        stems: usize,
        forms: usize,
        stops: usize,
        left: Range<usize>,
    ) -> Option<Self> {
        let [tools] = input.array()?;
        let tools = Some(tools as usize).filter(|tools| *tools <= left.len())?;
        let all = Self {
            first: left.start,
            tools,
            stems: Lists::read(input, stems, tools)?,
            single: input.numbers()?,
            forms: Lists::read(input, forms, tools)?,
        };
        Some(all).filter(|all| all.forms.starts.get(stops).is_none_or(|start| *start == all.forms.starts[0]))
    }

    /// The number of its first tool.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    pub(crate) fn tools(&self) -> usize {
        self.tools
    }

    #[inline]
    pub(crate) fn of_stem(&self, stem: u32) -> &[Posting] {
        self.stems.of(stem)
    }

    pub(crate) fn of_form(&self, form: u32, stem_of: &[u32]) -> &[Posting] {
        if is_single(&self.single, stem_of, form) { self.of_stem(stem_of[form as usize]) } else { self.forms.of(form) }
    }

    /// Several that are one behind the other as one.
    // As `new`.
    #[inline(never)]
    pub(crate) fn join(parts: Vec<Self>, stem_of: &[u32], stems: usize) -> Self {
        let mut counts = Counts::new(stem_of.len(), stems);
        for part in &parts {
            for (stem, count) in (0..).zip(&mut counts.stems) {
                *count += part.of_stem(stem).len() as u32;
            }
            for (form, count) in (0..).zip(&mut counts.forms) {
                *count += part.of_form(form, stem_of).len() as u32;
            }
        }
        let first = parts.first().map_or(0, Self::first);
        let mut all = Self::with_room(first, parts.iter().map(Self::tools).sum(), counts, stem_of);
        for part in &parts {
            let before = (part.first - first) as u32;
            for stem in 0..stems as u32 {
                part.of_stem(stem).iter().for_each(|posting| all.stems.push(stem, posting.moved(before)));
            }
            for form in (0..stem_of.len() as u32).filter(|form| !is_single(&all.single, stem_of, *form)) {
                part.of_form(form, stem_of).iter().for_each(|posting| all.forms.push(form, posting.moved(before)));
            }
        }
        all.filled()
    }
}

/// By stem: its only form that some tool has.
fn single(counts: &[u32], stem_of: &[u32], stems: usize) -> Vec<u32> {
    /// No form yet.
    const FREE: u32 = NONE - 1;
    let mut single = vec![FREE; stems];
    for ((form, stem), _) in (0..).zip(stem_of).zip(counts).filter(|(_, count)| **count > 0) {
        let own = &mut single[*stem as usize];
        *own = if *own == FREE { form } else { NONE };
    }
    single.iter_mut().filter(|own| **own == FREE).for_each(|own| *own = NONE);
    single
}

fn is_single(single: &[u32], stem_of: &[u32], form: u32) -> bool {
    single.get(stem_of[form as usize] as usize) == Some(&form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn b1_postings_keep_what_they_are_of(place in 0..MOST_TOOLS, in_name: bool, frequency in prop_oneof![0.0..50f32, 0.0..1e9f32]) {
            let posting = Posting::new(place as u32, in_name, frequency);
            prop_assert_eq!((posting.place(), posting.in_name()), (place, in_name));
            prop_assert!((posting.weight() - saturate(frequency)).abs() < 1e-5);
        }

        #[test]
        fn h3_no_bits_weigh_more_than_a_tool_can(bits: u32) {
            prop_assert!((0.0..=MOST_WEIGHT).contains(&Posting(bits).weight()));
        }
    }
}
