//! The words of tools that are taken in together, as they were read.

use super::NONE;
use crate::tool::Tool;

/// Of how many bytes of a definition one is a word that it had not yet: 22 to 25 in most catalogs.
const BYTES_PER_WORD: usize = 21;

/// For how many words of one tool room is made: a forged snapshot may say that many definitions are the same large text.
const MOST_WORDS: usize = 512;

/// What is noted of tools, one behind the other, until their words are sorted: as much as their postings take.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    words: Vec<Word>,
    /// Where the words of each tool end.
    ends: Vec<usize>,
}

/// One form in one tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// Its number, and in the lowest bit whether it stands in the raw name.
    form: u32,
    /// How often, weighted by field and length.
    pub frequency: f32,
}

impl Word {
    #[inline]
    pub(crate) fn form(self) -> u32 {
        self.form >> 1
    }

    #[inline]
    pub(crate) fn in_name(self) -> bool {
        self.form & 1 == 1
    }
}

impl Gathered {
    /// With room for what these tools have, as far as their definitions tell: growing would take half as much again.
    pub(crate) fn with_room(tools: &[&Tool]) -> Self {
        let words = tools.iter().map(|tool| (tool.definition.bytes() / BYTES_PER_WORD).min(MOST_WORDS)).sum();
        Self { words: Vec::with_capacity(words), ends: Vec::with_capacity(tools.len()) }
    }

    /// Notes one more word of the tool whose turn it is.
    #[inline]
    pub(crate) fn push(&mut self, form: u32, in_name: bool, frequency: f32) {
        self.words.push(Word { form: form << 1 | u32::from(in_name), frequency });
    }

    /// Ends the tool whose turn it is.
    pub(crate) fn end_tool(&mut self) {
        self.ends.push(self.words.len());
    }

    /// How many tools they are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Counts the tools that have each form, and each of so many stems.
    pub(crate) fn counts(&self, stem_of: &[u32], stems: usize) -> Counts {
        let mut counts = Counts::new(stem_of.len(), stems);
        // By stem, the last tool that has it.
        let mut last = vec![NONE; stems];
        for (tool, words) in (0..).zip(self.tools()) {
            for word in words {
                let stem = stem_of[word.form() as usize] as usize;
                counts.forms[word.form() as usize] += 1;
                counts.stems[stem] += u32::from(last[stem] != tool);
                last[stem] = tool;
            }
        }
        counts
    }

    /// The words of each tool; none has one twice.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &[Word]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let own = &self.words[start..end];
            start = end;
            own
        })
    }
}

/// How many tools have each form and each stem.
#[derive(Debug)]
pub(crate) struct Counts {
    pub forms: Vec<u32>,
    pub stems: Vec<u32>,
}

impl Counts {
    /// None of any.
    pub(crate) fn new(forms: usize, stems: usize) -> Self {
        let [forms, stems] = [forms, stems].map(|terms| {
            // So that where lists begin can become where they end, moved on by one.
            let mut counts = Vec::with_capacity(terms + 1);
            counts.resize(terms, 0);
            counts
        });
        Self { forms, stems }
    }
}
