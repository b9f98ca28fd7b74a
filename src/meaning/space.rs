//! The vectors of a catalog's tools, and of queries.

use super::lexicon::Lexicon;
use crate::index::{FIELDS, Field};
use crate::snapshot::{Input, Output};
use crate::text::{self, Kind};
use crate::vocabulary::Vocabulary;

/// What a word counts in each field, in the order of [`Field`].
const WEIGHTS: [i64; FIELDS.len()] = [6, 2, 3, 3, 2, 1, 1, 0];

/// The vectors of the tools of an index, by their numbers there.
pub(crate) struct Space {
    lexicon: &'static Lexicon,
    /// By form of the index: where its pieces end. Most forms are one.
    ends: Vec<u32>,
    pieces: Vec<u32>,
    /// A tool's vector, a byte a dimension, times this is of length 1.
    codes: Vec<i8>,
    scales: Vec<f32>,
    /// The words of the tool that is being read: the form, and what it counts.
    noted: Vec<(u32, i64)>,
    sum: Vec<i64>,
}

/// What a text means.
#[derive(Debug)]
pub(crate) struct Sense {
    codes: Vec<i16>,
    scale: f64,
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
            noted: Vec::new(),
            sum: vec![0; lexicon.dimensions],
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
            && space.codes.len() == tools * space.lexicon.dimensions
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
        self.noted.clear();
    }

    /// The tool has a word in a field.
    pub(crate) fn note(&mut self, form: u32, field: Field) {
        self.noted.push((form, WEIGHTS[field as usize]));
    }

    /// Ends the tool, which gets the next number.
    pub(crate) fn add(&mut self, forms: &Vocabulary) {
        for form in self.ends.len()..forms.len() {
            self.lexicon.pieces(forms.word(form as u32), &mut |piece| self.pieces.push(piece));
            self.ends.push(self.pieces.len() as u32);
        }
        self.sum.fill(0);
        for &(form, times) in self.noted.iter().filter(|(_, times)| *times > 0) {
            let form = form as usize;
            let start = form.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            for &piece in &self.pieces[start..self.ends[form] as usize] {
                self.lexicon.add(piece, times, &mut self.sum);
            }
        }
        let (most, scale) = size(&self.sum, i8::MAX.into());
        self.codes.extend(self.sum.iter().map(|v| (*v as f64 * most).round() as i8));
        self.scales.push(scale as f32);
    }

    /// What a query means; `None` when none of its words is known.
    pub(crate) fn sense(&self, query: &str) -> Option<Sense> {
        let mut sum = vec![0; self.lexicon.dimensions];
        let mut words: Vec<u32> = Vec::new();
        let mut runs: Vec<u32> = Vec::new();
        text::words_and_runs(
            query,
            &mut |word, kind| {
                if kind == Kind::Part && !text::is_stop(word) {
                    self.lexicon.pieces(word, &mut |piece| words.push(piece));
                }
            },
            &mut |run| self.lexicon.words_in(run, &mut |word| runs.push(word)),
        );
        words.iter().chain(&runs).for_each(|word| self.lexicon.add(*word, 1, &mut sum));
        let (most, scale) = size(&sum, i16::MAX.into());
        (scale > 0.0).then(|| Sense { codes: sum.iter().map(|v| (*v as f64 * most).round() as i16).collect(), scale })
    }

    /// How near a tool is to a text: the cosine between their vectors, -1 to 1.
    pub(crate) fn nearness(&self, sense: &Sense, number: u32) -> f64 {
        let at = number as usize * self.lexicon.dimensions;
        let codes = &self.codes[at..at + self.lexicon.dimensions];
        let product: i32 = codes.iter().zip(&sense.codes).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        f64::from(product) * f64::from(self.scales[number as usize]) * sense.scale
    }
}

/// The factor that brings the largest number of a vector to `most`, and what the result times is of length 1; both 0 for a vector
/// without length.
fn size(sum: &[i64], most: f64) -> (f64, f64) {
    let largest = sum.iter().map(|v| v.unsigned_abs()).max().unwrap_or(0) as f64;
    if largest == 0.0 {
        return (0.0, 0.0);
    }
    let factor = most / largest;
    let squares: f64 = sum.iter().map(|v| (*v as f64 * factor).powi(2)).sum();
    (factor, 1.0 / squares.sqrt())
}

impl std::fmt::Debug for Space {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Space").field("tools", &self.scales.len()).finish_non_exhaustive()
    }
}
