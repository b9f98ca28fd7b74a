//! The words of one tool, counted.

use super::fields::{FIELDS, Field, Keywords, read, weights};
use super::gathered::Gathered;
use super::{Index, NONE};
use crate::meaning::Space;
use crate::schema::Part;
use crate::text::{self, Kind, Short, SpacedWords, eight};
use crate::tool::Tool;

/// Counts the words of tools, one after the other.
#[derive(Default)]
pub(super) struct Tally {
    forms: Vec<Counted>,
    /// Distinct stems of the raw name.
    pub name: Vec<u32>,
    /// By form: where it stands above, if its count there is of this form.
    places: Vec<u32>,
    /// How many words each field has.
    lengths: [u32; FIELDS.len()],
    recent: Recent,
    /// By hash.
    names: Vec<Name>,
}

#[derive(Clone, Copy)]
struct Counted {
    form: u32,
    /// How often it stands in each field, as far as a byte counts.
    times: [u8; FIELDS.len()],
}

impl Tally {
    /// One that reads so many tools.
    pub(super) fn new(tools: usize) -> Self {
        let mut names = Vec::new();
        names.resize_with((4 * tools).next_power_of_two().min(MOST_NAMES), Name::default);
        Self { recent: Recent::new(tools), names, ..Self::default() }
    }

    /// Reads one tool, and has its words `gathered`.
    pub(super) fn read(&mut self, tool: &Tool, keywords: &Keywords, index: &mut Index, gathered: &mut Gathered) {
        self.forms.clear();
        self.name.clear();
        self.lengths = [0; FIELDS.len()];
        index.space.iter_mut().for_each(Space::begin);
        read(tool, keywords, &mut |field, part, text| match (part, field) {
            // No other tool shares its own name.
            (Part::Name, Field::Name) => {
                text::name_words(text, &mut |word, kind| self.read_word(field, word, kind, index))
            }
            (Part::Name, _) => self.read_name(field, text, index),
            (Part::Text, _) => self.read_text(field, text, index),
        });
        let weights = weights(&self.lengths);
        for word in &self.forms {
            // In the order of the fields, so that sums are the same to the bit. Most words stand in one.
            let mut frequency = 0.0;
            let mut left = u64::from_le_bytes(word.times);
            while left != 0 {
                let field = left.trailing_zeros() as usize / 8;
                frequency += f32::from(word.times[field]) * weights[field];
                left &= !(0xFF << (8 * field));
            }
            gathered.push(word.form, word.times[Field::Name as usize] > 0, frequency);
        }
        gathered.end_tool();
    }

    fn read_text(&mut self, field: Field, text: &str, index: &mut Index) {
        if !text.is_ascii() {
            return text::words(text, &mut |word, kind| self.read_word(field, word, kind, index));
        }
        let mut words = SpacedWords::new(text);
        loop {
            while let Some(word) = words.plain() {
                let form = self.recent.of(word, index);
                self.count(field, form, Kind::Part, index);
            }
            if !words.other(&mut |word, kind| self.read_word(field, word, kind, index)) {
                return;
            }
        }
    }

    fn read_word(&mut self, field: Field, word: &str, kind: Kind, index: &mut Index) {
        let form = self.recent.number(word, index);
        self.count(field, form, kind, index);
    }

    /// Tools of a server share the names of parameters: each is taken apart once.
    fn read_name(&mut self, field: Field, name: &str, index: &mut Index) {
        let place = hash([eight(name.as_bytes(), 0), eight(name.as_bytes(), name.len().saturating_sub(8))]);
        let place = place & (self.names.len() - 1);
        let known = &mut self.names[place];
        if known.text != name {
            known.text.clear();
            known.text.push_str(name);
            known.words.clear();
            text::name_words(name, &mut |word, kind| known.words.push((self.recent.number(word, index), kind)));
        }
        for at in 0..self.names[place].words.len() {
            let (form, kind) = self.names[place].words[at];
            self.count(field, form, kind, index);
        }
    }

    #[inline(always)]
    fn count(&mut self, field: Field, form: u32, kind: Kind, index: &mut Index) {
        if form == NONE {
            return;
        }
        let at = place(&mut self.forms, &mut self.places, form);
        let times = &mut self.forms[at].times[field as usize];
        *times = times.saturating_add(1);
        if kind == Kind::Part {
            self.lengths[field as usize] += 1;
            index.space.iter_mut().for_each(|space| space.note(form, field));
            if field == Field::Name {
                let stem = index.stem_of[form as usize];
                self.name.extend((!self.name.contains(&stem)).then_some(stem));
            }
        }
    }
}

/// Where a form stands in a list, as whose last it is put if it is not there.
#[inline(always)]
fn place(list: &mut Vec<Counted>, places: &mut Vec<u32>, form: u32) -> usize {
    match places.get(form as usize) {
        Some(&at) if list.get(at as usize).is_some_and(|word| word.form == form) => at as usize,
        _ => append(list, places, form),
    }
}

#[inline(always)]
fn append(list: &mut Vec<Counted>, places: &mut Vec<u32>, form: u32) -> usize {
    if places.len() <= form as usize {
        places.resize((form as usize + 1).max(2 * places.len()), 0);
    }
    places[form as usize] = list.len() as u32;
    list.push(Counted { form, times: [0; FIELDS.len()] });
    list.len() - 1
}

/// A name that was taken apart of late, and the forms in it with their kinds.
#[derive(Default)]
struct Name {
    text: String,
    words: Vec<(u32, Kind)>,
}

/// For how many names there is room at most: whoever shares names stands close.
const MOST_NAMES: usize = 512;

/// Of twelve bits, for places that hold what was met there last: who chooses words that collide has them looked up, as without.
#[inline]
fn hash([start, end]: [u64; 2]) -> usize {
    // The upper bits of a product depend on all of the lower ones.
    ((start ^ end.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// The numbers of words that were met last. A few thousand words are most of any text, and to find one here takes a fraction of the
/// time of finding it among all.
#[derive(Default)]
struct Recent(Vec<Met>);

#[derive(Clone, Copy)]
struct Met {
    word: Short,
    number: u32,
}

impl Recent {
    /// Most places that there are.
    const MOST: usize = 2048;

    /// For the words of so many tools.
    fn new(tools: usize) -> Self {
        let places = (32 * tools).next_power_of_two().min(Self::MOST);
        Self(vec![Met { word: Short { bytes: [0; 2], length: 0 }, number: NONE }; places])
    }

    fn number(&mut self, word: &str, index: &mut Index) -> u32 {
        match Short::new(word) {
            Some(word) => self.of(word, index),
            None => index.intern(word.as_bytes()),
        }
    }

    #[inline(always)]
    fn of(&mut self, word: Short, index: &mut Index) -> u32 {
        let place = hash(word.bytes) & (self.0.len() - 1);
        let recent = self.0[place];
        if recent.word == word { recent.number } else { self.meet(word, place, index) }
    }

    fn meet(&mut self, word: Short, place: usize, index: &mut Index) -> u32 {
        let number = index.intern(&word.room()[..word.length]);
        self.0[place] = Met { word, number };
        number
    }
}
