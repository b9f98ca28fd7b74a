//! The words of a JSON Schema (rule B1), read from its text in one pass without building a tree.

use crate::json::{Reader, members};
use crate::vocabulary::Vocabulary;

/// How deep a schema is read, in schemas within schemas; deeper text is ignored (rule A8).
const MAX_DEPTH: u32 = 64;
/// How many references to places of their own are followed.
const MAX_REFERENCES: usize = 1_000;
/// How often the text of a schema is read for them, at most: places that lie within one another would be read for each.
const MAX_READINGS: usize = 8;

/// What a piece of a schema's text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The name of a property.
    Name,
    /// A description or an enum value.
    Text,
}

/// Calls `emit` with every property name, description and enum value that a schema reaches through `properties`,
/// `items`, `prefixItems`, `anyOf`, `oneOf`, `allOf`, `$defs` and local `$ref`. The schema is compact JSON.
pub(crate) fn words(schema: &str, emit: &mut dyn FnMut(Part, &str)) {
    let mut walk = Walk { reader: Reader::new(schema), emit, pointers: Vec::new() };
    walk.value(Place::Schema, 0);
    // Every definition is read where it stands, once, so that references can neither repeat it nor run in circles;
    // what is left are the pointers to places that no keyword leads to.
    if walk.pointers.is_empty() {
        return;
    }
    let mut seen = Vocabulary::default();
    let mut tree = Tree { left: MAX_READINGS * schema.len(), ways: Vocabulary::default(), children: Vec::new() };
    while let Some(pointer) = walk.pointers.pop() {
        let Some(way) = canonical(&pointer) else { continue };
        if seen.len() < MAX_REFERENCES
            && seen.get(&way).is_none()
            && let Some(target) = tree.resolve(schema, &way)
            && tree.reads(target.len())
        {
            walk.reader = Reader::new(target);
            walk.value(Place::Schema, 0);
        }
        seen.intern(&way);
    }
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
    /// One text or a list of them.
    Texts,
    Reference,
}

struct Walk<'a, 'e> {
    reader: Reader<'a>,
    emit: &'e mut dyn FnMut(Part, &str),
    pointers: Vec<String>,
}

impl Walk<'_, '_> {
    /// Reads the next value as what stands in such a place, `depth` schemas deep; passes over what does not belong there.
    fn value(&mut self, place: Place, depth: u32) {
        match (place, self.reader.peek()) {
            (Place::Schema | Place::Schemas | Place::Properties | Place::Definitions, b'{') if depth <= MAX_DEPTH => {
                self.reader.enter(b'{');
                while let Some(key) = self.reader.key() {
                    self.member(place, &key.text(), depth);
                }
            }
            (Place::Schemas, b'[') if depth <= MAX_DEPTH => self.list(Place::Schema, depth + 1),
            (Place::Texts, b'[') => self.list(Place::Text, depth),
            (Place::Text | Place::Texts | Place::Reference, b'"') => {
                let text = self.reader.string().text();
                match place {
                    Place::Reference if text.starts_with("#/$defs/") || text.starts_with("#/definitions/") => {}
                    Place::Reference => self.pointers.push(text.into_owned()),
                    _ => (self.emit)(Part::Text, &text),
                }
            }
            _ => {
                self.reader.skip();
            }
        }
    }

    fn list(&mut self, of: Place, depth: u32) {
        self.reader.enter(b'[');
        while self.reader.element() {
            self.value(of, depth);
        }
    }

    fn member(&mut self, place: Place, key: &str, depth: u32) {
        match place {
            Place::Properties => {
                (self.emit)(Part::Name, key);
                self.value(Place::Schema, depth + 1);
            }
            Place::Definitions => self.value(Place::Schema, depth + 1),
            _ => match key {
                "properties" => self.value(Place::Properties, depth),
                "items" | "prefixItems" | "anyOf" | "oneOf" | "allOf" => self.value(Place::Schemas, depth + 1),
                "$defs" | "definitions" => self.value(Place::Definitions, depth),
                "description" => self.value(Place::Text, depth),
                "enum" | "const" => self.value(Place::Texts, depth),
                "$ref" => self.value(Place::Reference, depth),
                _ => {
                    self.reader.skip();
                }
            },
        }
    }
}

/// The one spelling of a pointer, without the `#/`: a key with tildes can be written in many. `None` where it leads nowhere, or
/// too deep: a way cut short would lead many pointers to one place.
fn canonical(pointer: &str) -> Option<String> {
    let steps = pointer.strip_prefix("#/")?.split('/');
    if steps.clone().nth(MAX_DEPTH as usize).is_some() {
        return None;
    }
    let escaped = |step: &str| key_of(step).replace('~', "~0").replace('/', "~1");
    Some(steps.map(escaped).collect::<Vec<_>>().join("/"))
}

/// The key that a step of a pointer stands for: `~1` is a slash and `~0` a tilde. Not by `replace`: a search for texts is two
/// kilobytes of the module, and this was the last.
fn key_of(step: &str) -> String {
    let mut key = String::new();
    for (at, part) in step.split('~').enumerate() {
        let (mark, rest) = match part.as_bytes().first() {
            _ if at == 0 => ("", part),
            Some(b'0') => ("~", &part[1..]),
            Some(b'1') => ("/", &part[1..]),
            _ => ("~", part),
        };
        key.push_str(mark);
        key.push_str(rest);
    }
    key
}

/// What stands on the ways of pointers, each object and array of them read once.
struct Tree<'a> {
    /// How many bytes may still be read.
    left: usize,
    ways: Vocabulary,
    /// By the number of the way: what the value there has, by key or index.
    children: Vec<(Vocabulary, Vec<&'a str>)>,
}

impl<'a> Tree<'a> {
    /// The value that a canonical way leads to.
    fn resolve(&mut self, schema: &'a str, way: &str) -> Option<&'a str> {
        let mut at = schema;
        let mut taken = 0;
        for step in way.split('/') {
            // With the slash behind its last step, so that the way of the root is not that of the key "".
            let from = &way[..taken];
            let is_new = self.ways.get(from).is_none();
            if !self.reads(from.len() + if is_new { at.len() } else { 0 }) {
                return None;
            }
            let number = self.ways.intern(from) as usize;
            if is_new {
                self.children.push(children(at));
            }
            let (keys, values) = &self.children[number];
            at = values[keys.get(&key_of(step))? as usize];
            taken += step.len() + 1;
        }
        Some(at)
    }

    /// Whether so much more may be read, which then counts as read.
    fn reads(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

fn children(of: &str) -> (Vocabulary, Vec<&str>) {
    let (mut keys, mut values) = (Vocabulary::default(), Vec::new());
    let mut reader = Reader::new(of);
    if reader.enter(b'[') {
        while reader.element() {
            keys.intern(&values.len().to_string());
            values.push(reader.skip());
        }
    }
    members(of, &mut |key, value| {
        let number = keys.intern(key) as usize;
        // Of two alike the last one counts, as JavaScript has it.
        if number == values.len() { values.push(value) } else { values[number] = value }
    });
    (keys, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b1_steps_of_pointers_stand_for_keys() {
        for step in ["a", "", "a~1b", "~0", "~01", "~~1", "~~0", "~", "~2", "~10~", "é~1é"] {
            assert_eq!(key_of(step), step.replace("~1", "/").replace("~0", "~"), "{step}");
        }
    }

    fn read(json: &str) -> Vec<String> {
        let mut schema = String::new();
        crate::json::compact(json, &mut schema).unwrap();
        let mut out = Vec::new();
        words(&schema, &mut |part, text| out.push(format!("{}{text}", if part == Part::Name { "." } else { "" })));
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
        // However many pointers there are, no place is read more than once for each.
        let way = "/a".repeat(MAX_DEPTH as usize - 1);
        let tails: String = (0..50).map(|n| format!(r##","p{n}":{{"$ref":"#/c{way}/{n}"}}"##)).collect();
        let target = (1..MAX_DEPTH).fold(r#"{"description":"d"}"#.to_owned(), |inner, _| format!(r#"{{"a":{inner}}}"#));
        let tailed = format!(r##"{{"properties":{{"a":{{"$ref":"#/c{way}"}}{tails}}},"c":{target}}}"##);
        assert_eq!(read(&tailed).iter().filter(|w| *w == "d").count(), 1);
        let values = format!(r#"{{"enum":["a",{}"b"{},["c"]]}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(read(&values), ["a"]);
        let many: String = (0..20_000).map(|n| format!(r##","p{n}":{{"$ref":"#/c/x{n}"}}"##)).collect();
        let targets: String = (0..20_000).map(|n| format!(r#","x{n}":{{"description":"d"}}"#)).collect();
        let wide = format!(r#"{{"properties":{{"a":{{}}{many}}},"c":{{"y":1{targets}}}}}"#);
        assert_eq!(read(&wide).iter().filter(|w| *w == "d").count(), MAX_REFERENCES);
        assert_eq!(read("true"), [] as [&str; 0]);
        // One key in all its spellings, and places that lie within one another.
        let tildes = |n: u32| (0..12).map(|bit| if n >> bit & 1 == 0 { "~" } else { "~0" }).collect::<String>();
        let spelt: String = (0..900).map(|n| format!(r##","p{n}":{{"$ref":"#/c/{}"}}"##, tildes(n))).collect();
        let once = format!(r#"{{"properties":{{"a":{{}}{spelt}}},"c":{{"{}":{{"description":"d"}}}}}}"#, tildes(0));
        assert_eq!(read(&once).iter().filter(|w| *w == "d").count(), 1);
        let inner = (1..MAX_DEPTH)
            .fold("{}".to_owned(), |inner, _| format!(r#"{{"description":"{}","items":{inner}}}"#, "d".repeat(2_000)));
        let ways: String = (0..MAX_DEPTH as usize - 1)
            .map(|n| format!(r##","p{n}":{{"$ref":"#/c{}"}}"##, "/items".repeat(n)))
            .collect();
        let nested = format!(r#"{{"properties":{{"a":{{}}{ways}}},"c":{inner}}}"#);
        let letters: usize = read(&nested).iter().map(|word| word.len()).sum();
        assert!(letters <= MAX_READINGS * nested.len(), "{letters} of {}", nested.len());
    }

    #[test]
    fn a8_places_within_one_another_are_read_a_few_times() {
        let times = |levels: usize| {
            let bottom = format!(r#"{{"anyOf":[{}]}}"#, vec![r#"{"description":"d"}"#; 1_000].join(","));
            let nest = (0..levels).fold(bottom, |inner, _| format!(r#"{{"items":{inner}}}"#));
            let pointer = |n| format!(r##""p{n}":{{"$ref":"#/c{}"}}"##, "/items".repeat(n));
            let properties: Vec<String> = (0..levels).map(pointer).collect();
            let words = read(&format!(r#"{{"properties":{{{}}},"c":{nest}}}"#, properties.join(",")));
            words.iter().filter(|word| *word == "d").count() / 1_000
        };
        assert_eq!([1, 2, 3].map(times), [1, 2, 3]);
        for levels in [10, MAX_DEPTH as usize - 4] {
            assert!(times(levels) <= MAX_READINGS, "{levels}");
        }
    }

    #[test]
    fn b1_keywords_may_be_escaped() {
        let escaped = r#"{"propert\u0069es":{"a":{"\u0064escription":"first"}}}"#;
        assert_eq!(read(escaped), [".a", "first"]);
    }
}
