//! Where words stand: the postings of tools that were taken in together.

use super::fields::MOST_WEIGHT;
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

    /// Sorts entries, which come by number, by term.
    fn collect(entries: &[(u32, Posting)], terms: usize) -> Self {
        let mut starts = vec![0u32; terms + 2];
        for (term, _) in entries {
            starts[*term as usize + 2] += 1;
        }
        for term in 2..starts.len() {
            starts[term] += starts[term - 1];
        }
        // One place further on, each start moves through its list to the end of it, where the next one begins.
        let mut postings = vec![Posting::new(0, false, 0.0); entries.len()];
        for (term, posting) in entries {
            let at = &mut starts[*term as usize + 1];
            postings[*at as usize] = *posting;
            *at += 1;
        }
        starts.pop();
        Self { starts, postings }
    }

    /// Of each term the lists that it has, behind one another.
    fn join<'a, I: Iterator<Item = &'a [Posting]>>(terms: usize, lists: impl Fn(u32) -> I) -> Self {
        let count = (0..terms as u32).flat_map(&lists).map(<[Posting]>::len).sum();
        let mut starts = Vec::with_capacity(terms + 1);
        let mut postings = Vec::with_capacity(count);
        starts.push(0);
        for term in 0..terms as u32 {
            lists(term).for_each(|list| postings.extend_from_slice(list));
            starts.push(postings.len() as u32);
        }
        Self { starts, postings }
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
    /// `stem_entries` and `form_entries` are by number; of the latter those stay whose list is not their stem's.
    pub(crate) fn new(
        tools: usize,
        stem_entries: &[(u32, Posting)],
        form_entries: &mut Vec<(u32, Posting)>,
        stem_of: &[u32],
        stems: usize,
    ) -> Self {
        let single = single(form_entries.iter().map(|(form, _)| *form), stem_of, stems);
        form_entries.retain(|(form, _)| !is_single(&single, stem_of, *form));
        Self {
            tools,
            stems: Lists::collect(stem_entries, stems),
            forms: Lists::collect(form_entries, stem_of.len()),
            single,
        }
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
    pub(crate) fn join(parts: &[Self], stem_of: &[u32], stems: usize) -> Self {
        let of_form = |form| parts.iter().map(move |part| part.of_form(form, stem_of));
        let forms = 0..stem_of.len() as u32;
        let single = single(forms.filter(|form| of_form(*form).any(|list| !list.is_empty())), stem_of, stems);
        let forms = Lists::join(stem_of.len(), |form| {
            let stands_there = !is_single(&single, stem_of, form);
            of_form(form).filter(move |_| stands_there)
        });
        Self {
            tools: parts.iter().map(Self::tools).sum(),
            stems: Lists::join(stems, |stem| parts.iter().map(move |part| part.of_stem(stem))),
            forms,
            single,
        }
    }
}

/// By stem: its only form among `forms`.
fn single(forms: impl Iterator<Item = u32>, stem_of: &[u32], stems: usize) -> Vec<u32> {
    /// No form yet.
    const FREE: u32 = NONE - 1;
    let mut single = vec![FREE; stems];
    for form in forms {
        let own = &mut single[stem_of[form as usize] as usize];
        *own = if *own == FREE || *own == form { form } else { NONE };
    }
    single.iter_mut().filter(|own| **own == FREE).for_each(|own| *own = NONE);
    single
}

fn is_single(single: &[u32], stem_of: &[u32], form: u32) -> bool {
    single.get(stem_of[form as usize] as usize) == Some(&form)
}
