//! The fielded index: for every word which tools have it, weighted by field and length (rule B1).
//!
//! Built on the first keyword search after a change, from the definitions; no search text is kept.

use crate::names::Glob;
use crate::schema;
use crate::text::{self, Kind};
use crate::thesaurus;
use crate::tool::{Load, Tool};
use crate::vocabulary::Vocabulary;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A searched field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Field {
    /// What the server calls the tool.
    Name,
    /// The server's name.
    Server,
    /// The title.
    Title,
    /// Search hints of the definition and the user's `keywords`.
    Hints,
    /// The description.
    Description,
    /// Names of parameters, at any depth.
    Parameters,
    /// Their descriptions and enum values.
    ParameterText,
    /// Names of output properties.
    Output,
}

impl Field {
    /// The field as one bit of a set.
    pub(crate) fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The field as explanations call it.
    pub(crate) fn name(self) -> &'static str {
        FIELDS[self as usize].name
    }
}

/// How much a word in a field weighs, and how far a long field thins its words out (`b` of BM25F).
pub(crate) struct FieldWeight {
    pub name: &'static str,
    pub weight: f64,
    pub b: f64,
}

const fn field(name: &'static str, weight: f64, b: f64) -> FieldWeight {
    FieldWeight { name, weight, b }
}

/// In the order of [`Field`], by falling weight of what an author means by a word there. Measured: a name boost of 2 to 3,
/// parameter names about half of the description, their descriptions a quarter. Hints are written to be found by and count
/// like a name. A long description is wordy and thins its words out; a long schema is one of many parameters and hardly does.
pub(crate) const FIELDS: [FieldWeight; 8] = [
    field("name", 3.0, 0.5),
    field("server", 2.2, 0.0),
    field("title", 2.0, 0.5),
    field("hints", 1.8, 0.3),
    field("description", 1.0, 0.7),
    field("parameters", 0.5, 0.6),
    field("parameter text", 0.25, 0.3),
    field("output", 0.2, 0.6),
];

/// How fast repetition saturates.
const K1: f32 = 1.2;

/// Words that users add to tools (option `keywords`): matched, never shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Keywords {
    names: BTreeMap<String, Vec<String>>,
    globs: Vec<(Glob, Vec<String>)>,
}

impl Keywords {
    pub(crate) fn new(keywords: &BTreeMap<String, Vec<String>>) -> Self {
        let mut all = Self::default();
        for (key, words) in keywords {
            if Glob::is_literal(key) {
                all.names.insert(key.clone(), words.clone());
            } else {
                all.globs.push((Glob::new(key), words.clone()));
            }
        }
        all
    }

    fn of<'a>(&'a self, tool: &'a Tool) -> impl Iterator<Item = &'a String> {
        let raw = Some(tool.raw_name()).filter(|raw| *raw != tool.name());
        let named = [Some(tool.name()), raw].into_iter().flatten().filter_map(|name| self.names.get(name));
        let globs =
            self.globs.iter().filter(|(g, _)| g.matches(tool.name()) || g.matches(tool.raw_name())).map(|(_, w)| w);
        named.chain(globs).flatten()
    }
}

/// Where one word stands: tools by their place in catalog order, each with the word's weighted frequency there.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// How much each word tells, by how few tools have it.
    idf: Vec<f64>,
    starts: Vec<u32>,
    postings: Vec<Posting>,
}

/// One word in one tool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Posting {
    pub place: u32,
    /// Its frequency, weighted by field and length, saturated: between 0 and `K1` + 1.
    pub weight: f32,
    /// The fields it stands in, as [`Field::bit`]s.
    pub fields: u8,
}

impl Postings {
    pub(crate) fn of(&self, term: u32) -> &[Posting] {
        &self.postings[self.starts[term as usize] as usize..self.starts[term as usize + 1] as usize]
    }

    /// What a word weighs for being rare.
    pub(crate) fn idf(&self, term: u32) -> f64 {
        self.idf[term as usize]
    }

    /// How many tools have it.
    pub(crate) fn frequency(&self, term: u32) -> usize {
        (self.starts[term as usize + 1] - self.starts[term as usize]) as usize
    }

    /// The entries come by place; those of one term and place are added up in their order, so that sums are the same to the
    /// bit.
    fn collect(terms: usize, entries: &[(u32, Posting)], tools: usize) -> Self {
        let mut ends = vec![0u32; terms + 1];
        entries.iter().for_each(|(term, _)| ends[*term as usize + 1] += 1);
        for term in 0..terms {
            ends[term + 1] += ends[term];
        }
        // Each term's own run, filled from its start; `ends` moves from the start of a run to its end.
        let mut runs = vec![Posting::default(); entries.len()];
        for &(term, posting) in entries {
            let at = &mut ends[term as usize];
            runs[*at as usize] = posting;
            *at += 1;
        }
        let mut all = Self {
            idf: Vec::with_capacity(terms),
            starts: Vec::with_capacity(terms + 1),
            postings: Vec::with_capacity(entries.len()),
        };
        let mut from = 0;
        for &end in &ends[..terms] {
            let start = all.postings.len();
            all.starts.push(start as u32);
            for posting in &runs[from..end as usize] {
                match all.postings[start..].last_mut() {
                    Some(last) if last.place == posting.place => {
                        last.weight += posting.weight;
                        last.fields |= posting.fields;
                    }
                    _ => all.postings.push(*posting),
                }
            }
            for posting in &mut all.postings[start..] {
                posting.weight = saturate(posting.weight);
            }
            all.idf.push(idf(tools, all.postings.len() - start));
            from = end as usize;
        }
        all.starts.push(all.postings.len() as u32);
        all.postings.shrink_to_fit();
        all
    }
}

/// The words of all deferred tools of one state of the catalog.
#[derive(Debug)]
pub(crate) struct Index {
    /// Words as written (lower case, folded).
    pub forms: Vocabulary,
    pub stems: Vocabulary,
    /// The stem of each form.
    pub stem_of: Vec<u32>,
    /// Whether a stem has one form alone, as most have: then what its form adds is in the same tools.
    pub only_form: Vec<bool>,
    /// What the thesaurus has for a stem, as far as there are tools with it.
    synonyms: BTreeMap<u32, Vec<u32>>,
    pub form_postings: Postings,
    pub stem_postings: Postings,
    /// Deferred tools: what document frequencies are shares of.
    pub count: usize,
    /// How many distinct stems the raw name of each tool has; by place.
    pub name_words: Vec<u8>,
    /// Mean length of each field over them, in words.
    mean: [f64; FIELDS.len()],
    /// Forms with their letters by the first of them, for finding what a misspelt word was meant to be. Made when one is met.
    by_initial: OnceLock<BTreeMap<char, Vec<(u32, u32)>>>,
}

impl Index {
    pub(crate) fn build(tools: &[Arc<Tool>], keywords: &Keywords) -> Self {
        let mut forms = Vocabulary::default();
        let mut stems = Vocabulary::default();
        let mut stem_of: Vec<u32> = Vec::new();
        // One entry a word and field of a tool; the weight is the number of times, until all lengths are known.
        let mut entries: Vec<(u32, Posting)> = Vec::new();
        let mut lengths: Vec<[u32; FIELDS.len()]> = Vec::with_capacity(tools.len());
        let mut count = 0;
        let mut name_words = Vec::with_capacity(tools.len());
        // Form and field of each word of one tool, as one number to sort by; and the stems of its name.
        let (mut words, mut name): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        for (place, tool) in (0..).zip(tools) {
            let mut length = [0; FIELDS.len()];
            words.clear();
            name.clear();
            if tool.load == Load::Deferred {
                count += 1;
                read(tool, keywords, &mut |field, word, kind| {
                    let form = match forms.get(word) {
                        Some(form) => form,
                        None if text::is_stop(word) => return,
                        None => {
                            stem_of.push(stems.intern(&text::stem(word)));
                            forms.intern(word)
                        }
                    };
                    length[field as usize] += u32::from(kind == Kind::Part);
                    if field == Field::Name && kind == Kind::Part {
                        name.push(u64::from(stem_of[form as usize]));
                    }
                    words.push(u64::from(form) << 8 | field as u64);
                });
            }
            words.sort_unstable();
            for same in words.chunk_by(|a, b| a == b) {
                let (form, field) = ((same[0] >> 8) as u32, same[0] as u8);
                entries.push((form, Posting { place, weight: same.len() as f32, fields: field }));
            }
            name.sort_unstable();
            name.dedup();
            name_words.push(name.len().min(255) as u8);
            lengths.push(length);
        }
        let mut mean = [0.0; FIELDS.len()];
        for (field, mean) in mean.iter_mut().enumerate() {
            // Over the tools that have the field: where few have a title, theirs are not long for that.
            let (sum, having) =
                lengths.iter().map(|l| l[field]).filter(|&l| l > 0).fold((0, 0), |(s, n), l| (s + u64::from(l), n + 1));
            *mean = sum as f64 / f64::from(having.max(1));
        }
        for (_, posting) in &mut entries {
            posting.weight = weigh(posting.fields, posting.weight, &lengths[posting.place as usize], &mean);
            posting.fields = 1 << posting.fields;
        }
        let form_postings = Postings::collect(stem_of.len(), &entries, count);
        for (form, _) in &mut entries {
            *form = stem_of[*form as usize];
        }
        let stem_postings = Postings::collect(stems.len(), &entries, count);
        let mut forms_of = vec![0u32; stems.len()];
        stem_of.iter().for_each(|&stem| forms_of[stem as usize] += 1);
        let synonyms = thesaurus::stems().filter_map(|stem| Some((stems.get(stem)?, stem)));
        let synonyms = synonyms.map(|(number, stem)| {
            (number, thesaurus::others(stem).iter().filter_map(|other| stems.get(other)).collect())
        });
        Self {
            only_form: forms_of.into_iter().map(|forms| forms == 1).collect(),
            synonyms: synonyms.collect(),
            forms,
            stems,
            stem_of,
            form_postings,
            stem_postings,
            count,
            name_words,
            mean,
            by_initial: OnceLock::new(),
        }
    }

    /// The stems that the thesaurus has for a stem of some tool.
    pub(crate) fn synonyms(&self, stem: u32) -> &[u32] {
        self.synonyms.get(&stem).map_or(&[], Vec::as_slice)
    }

    /// Forms that begin with a letter and could be within `edits` single edits of a word with these `letters`.
    pub(crate) fn near(&self, initial: char, letters: u32, edits: u32) -> impl Iterator<Item = (&str, u32)> {
        let table = self.by_initial.get_or_init(|| {
            let mut table: BTreeMap<char, Vec<(u32, u32)>> = BTreeMap::new();
            for (form, word) in (0..).zip(self.forms.words()) {
                let initial = word.chars().next().unwrap_or_default();
                table.entry(initial).or_default().push((form, letters_of(word)));
            }
            table
        });
        // One edit takes a letter away, brings one, or both.
        let could = move |&&(_, others): &&(u32, u32)| (others ^ letters).count_ones() <= 2 * edits;
        let forms = table.get(&initial).into_iter().flatten().filter(could);
        forms.map(|&(form, _)| (&*self.forms.words()[form as usize], form))
    }

    /// The weighted frequency of the words that `wanted` takes, field by field: what the postings hold added up.
    pub(crate) fn fields_of(
        &self,
        tool: &Tool,
        keywords: &Keywords,
        wanted: &dyn Fn(&str) -> bool,
    ) -> [f64; FIELDS.len()] {
        let mut length = [0; FIELDS.len()];
        let mut times = [0.0f32; FIELDS.len()];
        read(tool, keywords, &mut |field, word, kind| {
            if !text::is_stop(word) {
                length[field as usize] += u32::from(kind == Kind::Part);
                times[field as usize] += f32::from(u8::from(wanted(word)));
            }
        });
        std::array::from_fn(|field| match times[field] {
            0.0 => 0.0,
            times => f64::from(weigh(field as u8, times, &length, &self.mean)),
        })
    }
}

/// Which letters a word has, as a set of 32: two that share a bit make words look closer than they are, never further.
pub(crate) fn letters_of(word: &str) -> u32 {
    word.chars().fold(0, |letters, c| letters | 1 << (c as u32 & 31))
}

/// A word's frequency in a field, by the field's weight and its length against the mean: the inner part of BM25F
/// (Zaragoza et al., "Microsoft Cambridge at TREC-13", 2004).
fn weigh(field: u8, times: f32, lengths: &[u32; FIELDS.len()], mean: &[f64; FIELDS.len()]) -> f32 {
    let at = usize::from(field);
    let FieldWeight { weight, b, .. } = FIELDS[at];
    let relative = if mean[at] > 0.0 { f64::from(lengths[at]) / mean[at] } else { 1.0 };
    (weight * f64::from(times) / (1.0 - b + b * relative)) as f32
}

/// How much a word tells: ln(1 + (N - n + ½) / (n + ½)), never negative. `libm` gives the same bits on every platform
/// (rule C8).
fn idf(tools: usize, frequency: usize) -> f64 {
    let (n, f) = (tools as f64, frequency as f64);
    libm::log(1.0 + (n - f + 0.5) / (f + 0.5))
}

/// The outer part of BM25F: what is said again and again counts ever less.
fn saturate(frequency: f32) -> f32 {
    frequency * (K1 + 1.0) / (frequency + K1)
}

/// Calls `emit` with every word of a tool and the field it stands in, stop words included.
pub(crate) fn read(tool: &Tool, keywords: &Keywords, emit: &mut dyn FnMut(Field, &str, Kind)) {
    let view = tool.view();
    text::name_words(tool.raw_name(), &mut |w, k| emit(Field::Name, w, k));
    if let Some(server) = tool.server() {
        text::name_words(server, &mut |w, k| emit(Field::Server, w, k));
    }
    if let Some(title) = &view.title {
        text::words(title, &mut |w, k| emit(Field::Title, w, k));
    }
    for hint in view.hints.iter().flatten().map(AsRef::as_ref).chain(keywords.of(tool).map(String::as_str)) {
        text::words(hint, &mut |w, k| emit(Field::Hints, w, k));
    }
    if let Some(description) = &view.description {
        text::words(description, &mut |w, k| emit(Field::Description, w, k));
    }
    if let Some(schema) = view.input_schema {
        schema::words(schema, &mut |part, text| match part {
            schema::Part::Name => text::name_words(text, &mut |w, k| emit(Field::Parameters, w, k)),
            schema::Part::Text => text::words(text, &mut |w, k| emit(Field::ParameterText, w, k)),
        });
    }
    if let Some(schema) = view.output_schema {
        schema::words(schema, &mut |part, text| {
            if part == schema::Part::Name {
                text::name_words(text, &mut |w, k| emit(Field::Output, w, k));
            }
        });
    }
}
