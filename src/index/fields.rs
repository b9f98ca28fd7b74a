//! The fields of a tool that are searched, and the words in them (rule B1).

use crate::names::Glob;
use crate::schema::{self, Part};
use crate::snapshot::{Input, Output};
use crate::sorted;
use crate::text::{self, Kind};
use crate::tool::Tool;

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
    /// The field as explanations call it.
    pub(crate) fn name(self) -> &'static str {
        FIELDS[self as usize].name
    }
}

/// How much a word in a field weighs, how far a long field thins its words out (`b` of BM25F), and what length is usual.
pub(crate) struct FieldWeight {
    pub name: &'static str,
    weight: f32,
    b: f32,
    usual: f32,
}

const fn field(name: &'static str, weight: f32, b: f32, usual: f32) -> FieldWeight {
    FieldWeight { name, weight, b, usual }
}

/// In the order of [`Field`], by falling weight of what an author means by a word there. Measured: a name boost of 2 to 3,
/// parameter names about half of the description, their descriptions a quarter. Hints are written to be found by and count
/// like a name. A long description is wordy and thins its words out; a long schema is one of many parameters and hardly does.
///
/// Lengths are held against what is usual in public MCP servers, not against the mean of the catalog: so what a word weighs in a
/// tool depends on that tool alone, and a server that comes or goes changes nothing for the others. Measured, that makes no difference.
pub(crate) const FIELDS: [FieldWeight; 8] = [
    field("name", 3.0, 0.5, 3.0),
    field("server", 2.2, 0.0, 1.0),
    field("title", 2.0, 0.5, 3.0),
    field("hints", 1.8, 0.3, 4.0),
    field("description", 1.0, 0.7, 12.0),
    field("parameters", 0.5, 0.6, 6.0),
    field("parameter text", 0.25, 0.3, 40.0),
    field("output", 0.2, 0.6, 8.0),
];

/// How fast repetition saturates.
const K1: f32 = 1.2;

/// What one occurrence of a word weighs in each field of a tool, by the lengths of its fields in words: the inner part of BM25F
/// (Zaragoza et al., "Microsoft Cambridge at TREC-13", 2004).
pub(crate) fn weights(lengths: &[u32; FIELDS.len()]) -> [f32; FIELDS.len()] {
    std::array::from_fn(|at| {
        let FieldWeight { weight, b, usual, .. } = FIELDS[at];
        weight / (1.0 - b + b * lengths[at] as f32 / usual)
    })
}

/// What no word of a tool weighs more than.
pub(crate) const MOST_WEIGHT: f32 = K1 + 1.0;

/// The outer part of BM25F: what is said again and again counts ever less. Between 0 and [`MOST_WEIGHT`].
pub(crate) fn saturate(frequency: f32) -> f32 {
    frequency * MOST_WEIGHT / (frequency + K1)
}

/// Words that users add to tools (option `keywords`): matched, never shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Keywords {
    /// By name.
    names: Vec<(String, Vec<String>)>,
    globs: Vec<(Glob, Vec<String>)>,
}

impl Keywords {
    pub(crate) fn new(keywords: &[(String, Vec<String>)]) -> Self {
        let mut all = Self::default();
        let keys: Vec<&str> = keywords.iter().map(|(key, _)| key.as_str()).collect();
        for (key, words) in sorted::distinct(&keys).into_iter().map(|at| &keywords[at]) {
            if Glob::is_literal(key) {
                all.names.push((key.clone(), words.clone()));
            } else {
                all.globs.push((Glob::new(key), words.clone()));
            }
        }
        all
    }

    pub(crate) fn write(&self, out: &mut Output) {
        let globs = self.globs.iter().map(|(glob, words)| (glob.pattern(), words));
        let names = self.names.iter().map(|(name, words)| (name.as_str(), words));
        let all: Vec<(&str, &Vec<String>)> = names.chain(globs).collect();
        out.numbers(&all.iter().map(|(_, words)| words.len() as u32).collect::<Vec<_>>());
        for (key, words) in all {
            out.text(key);
            words.iter().for_each(|word| out.text(word));
        }
    }

    pub(crate) fn read(input: &mut Input<'_>) -> Option<Self> {
        let mut all = Vec::new();
        for count in input.numbers()? {
            let key = input.text()?.to_owned();
            let words = (0..count).map(|_| input.text().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
            all.push((key, words));
        }
        Some(Self::new(&all))
    }

    fn of<'a>(&'a self, tool: &'a Tool) -> impl Iterator<Item = &'a String> {
        let raw = Some(tool.raw_name()).filter(|raw| *raw != tool.name());
        let words =
            |name: &str| self.names.binary_search_by(|(key, _)| (**key).cmp(name)).ok().map(|at| &self.names[at].1);
        let named = [Some(tool.name()), raw].into_iter().flatten().filter_map(words);
        let globs =
            self.globs.iter().filter(|(g, _)| g.matches(tool.name()) || g.matches(tool.raw_name())).map(|(_, w)| w);
        named.chain(globs).flatten()
    }
}

/// Calls `emit` with every text of a tool that is searched, what it is, and the field it stands in.
pub(crate) fn read(tool: &Tool, keywords: &Keywords, emit: &mut dyn FnMut(Field, Part, &str)) {
    let view = tool.view();
    emit(Field::Name, Part::Name, tool.raw_name());
    if let Some(server) = tool.server() {
        emit(Field::Server, Part::Name, server);
    }
    if let Some(title) = &view.title {
        emit(Field::Title, Part::Text, title);
    }
    for hint in view.hints.iter().flatten().map(AsRef::as_ref).chain(keywords.of(tool).map(String::as_str)) {
        emit(Field::Hints, Part::Text, hint);
    }
    if let Some(description) = &view.description {
        emit(Field::Description, Part::Text, description);
    }
    if let Some(schema) = view.input_schema {
        schema::words(schema, &mut |part, text| {
            emit(if part == Part::Name { Field::Parameters } else { Field::ParameterText }, part, text);
        });
    }
    if let Some(schema) = view.output_schema {
        schema::words(schema, &mut |part, text| {
            if part == Part::Name {
                emit(Field::Output, part, text);
            }
        });
    }
}

/// Calls `emit` with every word of such a text, stop words included.
pub(crate) fn words(part: Part, text: &str, emit: &mut dyn FnMut(&str, Kind)) {
    match part {
        Part::Name => text::name_words(text, emit),
        Part::Text => text::words(text, emit),
    }
}
