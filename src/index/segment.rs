//! Where words stand: the postings of tools that were taken in together.

use super::fields::{MOST_WEIGHT, saturate};
use super::gathered::{Counts, Gathered};
use crate::snapshot::{Input, Output};
use std::ops::Range;

/// One word in one tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Posting {
    /// The number of the tool, and in the lowest bit whether the word stands in its raw name.
    tool: u32,
    /// Its frequency, weighted by field and length, saturated.
    pub weight: f32,
}

impl Posting {
    pub(crate) fn new(number: u32, in_name: bool, weight: f32) -> Self {
        Self { tool: number << 1 | u32::from(in_name), weight }
    }

    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.tool >> 1
    }

    #[inline]
    pub(crate) fn in_name(self) -> bool {
        self.tool & 1 == 1
    }

    /// Adds another word of the same tool.
    fn add(&mut self, other: Self) {
        self.tool |= other.tool;
        self.weight += other.weight;
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
        out.map(&self.postings, |p| [p.tool, p.weight.to_bits()]);
    }

    /// `None` when it is not of an index with so many terms, or not of these tools alone, each list by their numbers and with weights
    /// that a tool can have.
    fn read(input: &mut Input<'_>, terms: usize, tools: &Range<usize>) -> Option<Self> {
        let starts = input.numbers()?;
        let postings = input.map(|[tool, weight]| Posting { tool, weight: f32::from_bits(weight) })?;
        let is_list = |list: &[Posting]| {
            let mut least = tools.start as u32;
            let all_fit = list.iter().all(|posting| {
                let fits = posting.number() >= least && (0.0..=MOST_WEIGHT).contains(&posting.weight);
                least = posting.number() + 1;
                fits
            });
            all_fit && least as usize <= tools.end
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
        Self { starts: counts, postings: vec![Posting::new(0, false, 0.0); all as usize] }
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

/// The postings of a run of tools.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    tools: usize,
    stems: Lists,
    /// The form of each stem that has just one here, as most have: then the form's list is the stem's.
    single: Vec<u32>,
    /// Of stems with several forms.
    forms: Lists,
}

impl Segment {
    /// With room for what so many tools have.
    fn with_room(tools: usize, counts: Counts, stem_of: &[u32]) -> Self {
        let Counts { mut forms, stems } = counts;
        let single = single(&forms, stem_of, stems.len());
        for (form, count) in (0..).zip(&mut forms) {
            if is_single(&single, stem_of, form) {
                *count = 0;
            }
        }
        Self { tools, stems: Lists::with_room(stems), single, forms: Lists::with_room(forms) }
    }

    fn filled(mut self) -> Self {
        self.stems.filled();
        self.forms.filled();
        self
    }

    /// Of tools that get the numbers from `first` on.
    // Not within its caller, which would be larger by more.
    #[inline(never)]
    pub(crate) fn new(first: u32, gathered: &Gathered, counts: Counts, stem_of: &[u32]) -> Self {
        // By stem with several forms, the last tool that has it.
        let mut last = vec![NONE; counts.stems.len()];
        let mut all = Self::with_room(gathered.len(), counts, stem_of);
        for (tool, words) in (first..).zip(gathered.tools()) {
            for word in words {
                let posting = Posting::new(tool, word.in_name(), word.frequency);
                let stem = stem_of[word.form() as usize];
                if all.single[stem as usize] != word.form() {
                    all.forms.push(word.form(), posting);
                    if std::mem::replace(&mut last[stem as usize], tool) == tool {
                        // In the order of the words, so that sums are the same to the bit.
                        let before = all.stems.starts[stem as usize] - 1;
                        all.stems.postings[before as usize].add(posting);
                        continue;
                    }
                }
                all.stems.push(stem, posting);
            }
        }
        for posting in all.stems.postings.iter_mut().chain(&mut all.forms.postings) {
            posting.weight = saturate(posting.weight);
        }
        all.filled()
    }

    pub(crate) fn write(&self, out: &mut Output) {
        out.numbers(&[self.tools as u32]);
        self.stems.write(out);
        out.numbers(&self.single);
        self.forms.write(out);
    }

    /// The one that begins with the tool of the number `first`; the first `stops` forms stand nowhere.
    pub(crate) fn read(input: &mut Input<'_>, stems: usize, forms: usize, stops: usize, first: usize) -> Option<Self> {
        let [tools] = input.array()?;
        let tools = tools as usize;
        let own = first..first.checked_add(tools)?;
        let all = Self {
            tools,
            stems: Lists::read(input, stems, &own)?,
            single: input.numbers()?,
            forms: Lists::read(input, forms, &own)?,
        };
        Some(all).filter(|all| all.forms.starts.get(stops).is_none_or(|start| *start == all.forms.starts[0]))
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
        let mut all = Self::with_room(parts.iter().map(Self::tools).sum(), counts, stem_of);
        for part in &parts {
            for stem in 0..stems as u32 {
                part.of_stem(stem).iter().for_each(|posting| all.stems.push(stem, *posting));
            }
            for form in (0..stem_of.len() as u32).filter(|form| !is_single(&all.single, stem_of, *form)) {
                part.of_form(form, stem_of).iter().for_each(|posting| all.forms.push(form, *posting));
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
