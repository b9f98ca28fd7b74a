//! The vectors of a catalog's tools, and of queries.

use super::lexicon::Lexicon;
use crate::index::{FIELDS, Field};
use crate::snapshot::{Input, Output};
use crate::text::{self, Kind};
use crate::vocabulary::Vocabulary;

/// What a field counts, in the order of [`Field`]; within it, words count by their vectors' lengths. Measured: each field as one whole
/// is better than words added up over all of them, in which a long description drowns the name. Hints are what queries say.
const WEIGHTS: [f64; FIELDS.len()] = [1.0, 0.0, 0.5, 2.0, 1.0, 0.3, 0.3, 0.0];

/// For how many words of a query that are not known it is asked what they were meant to be.
const MOST_MENDED: usize = 8;

/// The vectors of the tools of an index, by their numbers there.
pub(crate) struct Space {
    lexicon: &'static Lexicon,
    /// By form of the index: where its pieces end. Most forms are one.
    ends: Vec<u32>,
    pieces: Vec<u32>,
    /// A tool's vector, a byte a dimension, times this is of length 1.
    codes: Vec<i8>,
    scales: Vec<f32>,
    /// The words of the tool that is being read, field by field.
    noted: [Vec<u32>; FIELDS.len()],
}

/// What a text means.
#[derive(Debug)]
pub(crate) struct Sense {
    codes: Vec<i16>,
    scale: f64,
    known: f64,
}

impl Sense {
    /// What share of its words are known as they are: what pieces of words add up to is a guess.
    pub(crate) fn known(&self) -> f64 {
        self.known
    }
}

impl Space {
    pub(crate) fn new() -> Option<Self> {
        let lexicon = Lexicon::get()?;
        Some(Self {
            lexicon,
            ends: Vec::new(),
            pieces: Vec::new(),
            codes: Vec::new(),
            scales: Vec::new(),
            noted: Default::default(),
        })
    }

    /// `None` when it is not of so many tools, or of another vocabulary.
    pub(crate) fn read(input: &mut Input<'_>, tools: usize) -> Option<Self> {
        let mut space = Self::new()?;
        let same = input.array::<2>()? == space.lexicon.checksum;
        space.scales = input.map(|[bits]| f32::from_bits(bits))?;
        space.codes =
            input.map(|[four]: [u32; 1]| four.to_le_bytes())?.as_flattened().iter().map(|byte| *byte as i8).collect();
        let fits = space.scales.len() == tools
            && Some(space.codes.len()) == tools.checked_mul(space.lexicon.dimensions)
            && space.scales.iter().all(|scale| scale.is_finite() && *scale >= 0.0);
        (same && fits).then_some(space)
    }

    pub(crate) fn write(&self, out: &mut Output) {
        out.numbers(&self.lexicon.checksum);
        out.map(&self.scales, |scale| [scale.to_bits()]);
        out.map(self.codes.as_chunks().0, |codes| [u32::from_le_bytes(codes.map(|code: i8| code as u8))]);
    }

    /// Begins a tool.
    pub(crate) fn begin(&mut self) {
        self.noted.iter_mut().for_each(Vec::clear);
    }

    /// The tool has a word in a field.
    pub(crate) fn note(&mut self, form: u32, field: Field) {
        if WEIGHTS[field as usize] > 0.0 {
            self.noted[field as usize].push(form);
        }
    }

    /// Ends the tool, which gets the next number.
    pub(crate) fn add(&mut self, forms: &Vocabulary) {
        for form in self.ends.len()..forms.len() {
            self.lexicon.pieces(forms.word(form as u32), &mut |piece| self.pieces.push(piece));
            self.ends.push(self.pieces.len() as u32);
        }
        let mut whole = vec![0.0; self.lexicon.dimensions];
        for (words, weight) in self.noted.iter().zip(WEIGHTS).filter(|(words, _)| !words.is_empty()) {
            let mut sum = vec![0; self.lexicon.dimensions];
            for &form in words {
                let form = form as usize;
                let start = form.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
                for &piece in &self.pieces[start..self.ends[form] as usize] {
                    self.lexicon.add(piece, &mut sum);
                }
            }
            let field: Vec<f64> = sum.iter().map(|v| *v as f64).collect();
            let length = length(&field);
            if length > 0.0 {
                whole.iter_mut().zip(&field).for_each(|(whole, v)| *whole += weight * v / length);
            }
        }
        let (factor, scale) = size(&whole, i8::MAX.into());
        self.codes.extend(whole.iter().map(|v| (v * factor).round() as i8));
        self.scales.push(scale as f32);
    }

    /// What a query means; `None` when none of its words is known. `mended` is what a misspelt word was meant to be, if anything.
    pub(crate) fn sense<'i>(&self, query: &str, mended: &dyn Fn(&str) -> Option<&'i str>) -> Option<Sense> {
        let lexicon = self.lexicon;
        // How many of its words are known, and how many by pieces alone or not at all. Words that say nothing count as neither.
        let (mut known, mut unknown) = (0, 0);
        let mut words: Vec<u32> = Vec::new();
        let says_something = |word: &u32| usize::from(lexicon.scale(*word) > 0);
        text::words_and_runs(query, &mut |word, kind| match kind {
            Kind::Part if !text::is_stop(word) => {
                let whole = lexicon.find("", word);
                match whole {
                    Some(whole) => known += says_something(&whole),
                    None => unknown += 1,
                }
                let other = if whole.is_none() && unknown <= MOST_MENDED { mended(word) } else { None };
                lexicon.pieces(other.unwrap_or(word), &mut |piece| words.push(piece));
            }
            Kind::Run => {
                let before = words.len();
                lexicon.words_in(word, &mut |word| words.push(word));
                known += words[before..].iter().map(says_something).sum::<usize>();
                unknown += usize::from(words.len() == before);
            }
            _ => {}
        });
        let mut sum = vec![0; lexicon.dimensions];
        words.iter().for_each(|word| lexicon.add(*word, &mut sum));
        let sum: Vec<f64> = sum.iter().map(|v| *v as f64).collect();
        let (factor, scale) = size(&sum, i16::MAX.into());
        let codes = sum.iter().map(|v| (v * factor).round() as i16).collect();
        (scale > 0.0).then_some(Sense { codes, scale, known: known as f64 / (known + unknown).max(1) as f64 })
    }

    /// How near a tool is to a text: the cosine between their vectors, -1 to 1.
    pub(crate) fn nearness(&self, sense: &Sense, number: u32) -> f64 {
        let at = number as usize * self.lexicon.dimensions;
        let codes = &self.codes[at..at + self.lexicon.dimensions];
        let product = product(codes, &sense.codes);
        f64::from(product) * f64::from(self.scales[number as usize]) * sense.scale
    }
}

/// The product of two vectors; whole numbers, so that it is the same with vector instructions, which make it several times faster.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn product(codes: &[i8], others: &[i16]) -> i32 {
    codes.iter().zip(others).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

/// The factor that brings the largest number of a vector to `most`, and what the result times is of length 1; both 0 for a vector
/// without length.
fn size(vector: &[f64], most: f64) -> (f64, f64) {
    let largest = vector.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
    if largest > 0.0 { (most / largest, largest / most / length(vector)) } else { (0.0, 0.0) }
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|v| v * v).sum::<f64>().sqrt()
}

impl std::fmt::Debug for Space {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Space").field("tools", &self.scales.len()).finish_non_exhaustive()
    }
}
