//! The words of a JSON Schema (rule B1), read from its text in one pass without building a tree.

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How deep a schema is read, in schemas within schemas; deeper text is ignored (rule A8).
const MAX_DEPTH: u32 = 64;
/// How many references to places of their own are followed.
const MAX_REFERENCES: usize = 1_000;

/// What a piece of a schema's text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The name of a property.
    Name,
    /// A description or an enum value.
    Text,
}

/// Calls `emit` with every property name, description and enum value that a schema reaches through `properties`,
/// `items`, `prefixItems`, `anyOf`, `oneOf`, `allOf`, `$defs` and local `$ref`.
pub(crate) fn words(schema: &RawValue, emit: &mut dyn FnMut(Part, &str)) {
    let mut pointers = Vec::new();
    walk(schema.get(), emit, &mut pointers);
    // Every definition is read where it stands, once, so that references can neither repeat it nor run in circles;
    // what is left are the pointers to places that no keyword leads to.
    let mut seen = BTreeSet::new();
    let mut containers = BTreeMap::new();
    while let Some(pointer) = pointers.pop() {
        if seen.len() < MAX_REFERENCES
            && seen.insert(pointer.clone())
            && let Some(target) = resolve(schema, &pointer, &mut containers)
        {
            walk(target.get(), emit, &mut pointers);
        }
    }
}

fn walk(json: &str, emit: &mut dyn FnMut(Part, &str), pointers: &mut Vec<String>) {
    let mut reader = serde_json::Deserializer::from_str(json);
    // `MAX_DEPTH` bounds the recursion here, and what is skipped is skipped without any.
    reader.disable_recursion_limit();
    // The text was checked when the tool was added; what fails now (a number beyond every range) ends the reading.
    let _ = Walk { place: Place::Schema, depth: 0, emit, pointers }.deserialize(&mut reader);
}

/// Objects and arrays on the way of pointers, by pointer, so that each is read once.
type Containers<'a> = BTreeMap<String, BTreeMap<String, &'a RawValue>>;

fn resolve<'a>(schema: &'a RawValue, pointer: &str, containers: &mut Containers<'a>) -> Option<&'a RawValue> {
    let mut at = schema;
    let mut way = String::new();
    for step in pointer.strip_prefix("#/")?.split('/').take(MAX_DEPTH as usize) {
        let children = containers.entry(way.clone()).or_insert_with(|| children(at));
        at = children.get(&step.replace("~1", "/").replace("~0", "~")).copied()?;
        way = way + "/" + step;
    }
    Some(at)
}

/// What an object or array has, by key or index.
fn children(of: &RawValue) -> BTreeMap<String, &RawValue> {
    if of.get().starts_with('[') {
        let list: Vec<&RawValue> = serde_json::from_str(of.get()).unwrap_or_default();
        return list.into_iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect();
    }
    serde_json::from_str(of.get()).unwrap_or_default()
}

#[derive(Clone, Copy)]
enum Place {
    Schema,
    /// One schema or a list of them.
    Schemas,
    /// Schemas by property name.
    Properties,
    /// Schemas by a name that is nobody's word.
    Definitions,
    Text,
    Values,
    Reference,
    Elsewhere,
}

struct Walk<'s> {
    place: Place,
    depth: u32,
    emit: &'s mut dyn FnMut(Part, &str),
    pointers: &'s mut Vec<String>,
}

impl Walk<'_> {
    fn step(&mut self, place: Place) -> Walk<'_> {
        let deeper = u32::from(matches!(place, Place::Schema | Place::Schemas));
        let place = if self.depth + deeper > MAX_DEPTH { Place::Elsewhere } else { place };
        Walk { place, depth: self.depth + deeper, emit: self.emit, pointers: self.pointers }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        match self.place {
            Place::Elsewhere => reader.deserialize_ignored_any(IgnoredAny).map(drop),
            _ => reader.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        match self.place {
            Place::Text | Place::Values => (self.emit)(Part::Text, text),
            Place::Reference if !text.starts_with("#/$defs/") && !text.starts_with("#/definitions/") => {
                self.pointers.push(text.to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let place = match self.place {
            Place::Schemas => Place::Schema,
            Place::Values => Place::Values,
            _ => Place::Elsewhere,
        };
        while list.next_element_seed(self.step(place))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>().map_err(A::Error::custom)? {
            let place = match self.place {
                Place::Schema | Place::Schemas => match key.as_ref() {
                    "properties" => Place::Properties,
                    "items" | "prefixItems" | "anyOf" | "oneOf" | "allOf" => Place::Schemas,
                    "$defs" | "definitions" => Place::Definitions,
                    "description" => Place::Text,
                    "enum" | "const" => Place::Values,
                    "$ref" => Place::Reference,
                    _ => Place::Elsewhere,
                },
                Place::Properties => {
                    (self.emit)(Part::Name, &key);
                    Place::Schema
                }
                Place::Definitions => Place::Schema,
                _ => Place::Elsewhere,
            };
            map.next_value_seed(self.step(place))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<String> {
        let schema: &RawValue = serde_json::from_str(json).unwrap();
        let mut out = Vec::new();
        words(schema, &mut |part, text| out.push(format!("{}{text}", if part == Part::Name { "." } else { "" })));
        out
    }

    #[test]
    fn b1_every_way_down() {
        assert_eq!(
            read(
                r##"{"type":"object","description":"root","properties":{"a":{"type":["string","null"],"description":"first"},
                "properties":{"enum":["x",1,null]},"list":{"items":{"properties":{"b":true}}},
                "u":{"anyOf":[{"description":"one"},{"$ref":"#/$defs/D"}]},"p":{"prefixItems":[{"const":"c"}]}},
                "$defs":{"D":{"properties":{"d":{"description":"def"},"self":{"$ref":"#/$defs/D"}}}}}"##
            ),
            [".a", "first", ".properties", "x", ".list", ".b", ".u", "one", ".p", "c", ".d", "def", ".self"]
                .iter()
                .fold(vec!["root".to_owned()], |mut all, w| {
                    all.push((*w).to_owned());
                    all
                })
        );
    }

    #[test]
    fn b1_local_references_elsewhere() {
        assert_eq!(
            read(r##"{"properties":{"a":{"$ref":"#/components/x~1y"}},"components":{"x/y":{"description":"far"}}}"##),
            [".a", "far"]
        );
        let chain = r##"{"$ref":"#/c/a","c":{"a":{"$ref":"#/c/b/1"},"b":[{},{"description":"end"}]}}"##;
        assert_eq!(read(chain), ["end"]);
        assert_eq!(read(r##"{"$ref":"#"}"##), [] as [&str; 0]);
        assert_eq!(read(r##"{"$ref":"#/nowhere"}"##), [] as [&str; 0]);
        assert_eq!(read(r##"{"a":{"$ref":"#/a"},"$ref":"#/a"}"##), [] as [&str; 0]);
    }

    #[test]
    fn a8_deep_schemas_are_read_for_a_while() {
        let deep = r#"{"items":"#.repeat(10_000) + r#"{"description":"bottom"}"# + &"}".repeat(10_000);
        assert_eq!(read(&deep), [] as [&str; 0]);
        for nest in [r#"{"items":"#, r#"{"anyOf":["#] {
            let close = if nest.ends_with('[') { "]}" } else { "}" };
            let fine = nest.repeat(30) + r#"{"description":"bottom"}"# + &close.repeat(30);
            assert_eq!(read(&fine), ["bottom"], "{nest}");
        }
        let many: String = (0..20_000).map(|n| format!(r##","p{n}":{{"$ref":"#/c/x{n}"}}"##)).collect();
        let targets: String = (0..20_000).map(|n| format!(r#","x{n}":{{"description":"d"}}"#)).collect();
        let wide = format!(r#"{{"properties":{{"a":{{}}{many}}},"c":{{"y":1{targets}}}}}"#);
        assert_eq!(read(&wide).iter().filter(|w| *w == "d").count(), MAX_REFERENCES);
        assert_eq!(read("true"), [] as [&str; 0]);
    }
}
