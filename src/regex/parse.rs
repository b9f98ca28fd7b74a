//! From a pattern to the steps of its automaton.

use super::{Class, Look, Step};

/// The most steps of a pattern: matching takes time in proportion to them.
const MOST_STEPS: usize = 512;

type Parsed<T> = Result<T, &'static str>;

/// # Errors
/// What is wrong with the pattern.
pub(super) fn steps(pattern: &str) -> Parsed<Vec<Step>> {
    let pattern: Vec<char> = pattern.chars().collect();
    let mut parser = Parser { rest: &pattern, flags: Flags::default() };
    let steps = parser.alternatives()?;
    if parser.rest.is_empty() { Ok(steps) } else { Err("a `)` without its group") }
}

struct Parser<'p> {
    rest: &'p [char],
    flags: Flags,
}

#[derive(Debug, Default, Clone, Copy)]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<char> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.rest = &self.rest[usize::from(is_next)..];
        is_next
    }

    /// Up to the end of the group or the pattern.
    fn alternatives(&mut self) -> Parsed<Vec<Step>> {
        let mut steps = self.sequence()?;
        if self.eat('|') {
            let other = self.alternatives()?;
            steps.insert(0, Step::Fork(distance(&steps) + 2));
            steps.push(Step::Jump(distance(&other) + 1));
            steps.extend(other);
        }
        Ok(steps)
    }

    fn sequence(&mut self) -> Parsed<Vec<Step>> {
        let mut all = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let item = if self.eat('(') {
                // Flags cannot be repeated.
                let Some(group) = self.group()? else { continue };
                group
            } else {
                vec![self.one()?]
            };
            all.extend(self.repeated(item)?);
            within_limit(all.len())?;
        }
        Ok(all)
    }

    /// What is no group.
    fn one(&mut self) -> Parsed<Step> {
        let Flags { multi_line, dot_all, .. } = self.flags;
        Ok(match self.next() {
            Some('[') => Step::One(self.class()?),
            Some('.') => Step::One(if dot_all { complement(&[]) } else { complement(&only('\n')) }),
            Some('^') => Step::Look(if multi_line { Look::LineStart } else { Look::Start }),
            Some('$') => Step::Look(if multi_line { Look::LineEnd } else { Look::End }),
            Some('\\') => return self.escape(),
            None | Some('*' | '+' | '?' | '{') => return Err("nothing to repeat"),
            Some(c) => Step::One(self.cased(only(c))),
        })
    }

    /// What an item becomes by the repetitions behind it.
    fn repeated(&mut self, mut item: Vec<Step>) -> Parsed<Vec<Step>> {
        loop {
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => self.counts()?,
                _ => return Ok(item),
            };
            self.next();
            self.eat('?');
            item = repeat(&item, least, most)?;
        }
    }

    /// `{n`, `{n,` or `{n,m` before its brace.
    fn counts(&mut self) -> Parsed<(usize, Option<usize>)> {
        self.next();
        let least = self.count()?;
        let most = match self.eat(',') {
            false => Some(least),
            true if self.peek() == Some('}') => None,
            true => Some(self.count()?),
        };
        let fits = self.peek() == Some('}') && most.is_none_or(|most| least <= most);
        if fits { Ok((least, most)) } else { Err("a repetition is {n}, {n,} or {n,m}") }
    }

    fn count(&mut self) -> Parsed<usize> {
        let mut count = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.next();
            count = Some(count.unwrap_or(0) * 10 + digit as usize);
            within_limit(count.unwrap_or(0))?;
        }
        count.ok_or("a repetition is {n}, {n,} or {n,m}")
    }

    /// What stands between parentheses; `None` when it is flags for the rest of the group around it.
    fn group(&mut self) -> Parsed<Option<Vec<Step>>> {
        let around = self.flags;
        if self.eat('?') {
            let named = self.eat('P');
            if self.eat('<') {
                self.name()?;
            } else if named || !self.read_flags()? {
                return if named { Err(UNKNOWN_GROUP) } else { Ok(None) };
            }
        }
        let steps = self.alternatives()?;
        self.flags = around;
        if self.eat(')') { Ok(Some(steps)) } else { Err("a group without its `)`") }
    }

    /// Names are of no use here. What begins otherwise is no group of ours, as `(?<=` is none.
    fn name(&mut self) -> Parsed<()> {
        let mut is_name = self.peek().is_some_and(|c| c.is_alphabetic() || c == '_');
        while is_name && !self.eat('>') {
            is_name = self.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'));
        }
        if is_name { Ok(()) } else { Err(UNKNOWN_GROUP) }
    }

    /// Flags, and whether they are for a group that begins here.
    fn read_flags(&mut self) -> Parsed<bool> {
        let mut on = true;
        loop {
            match self.next() {
                Some('i') => self.flags.ignore_case = on,
                Some('m') => self.flags.multi_line = on,
                Some('s') => self.flags.dot_all = on,
                // Which of the greedy and the lazy is written how.
                Some('U') => {}
                Some('-') if on => on = false,
                Some(':') => return Ok(true),
                Some(')') => return Ok(false),
                _ => return Err(UNKNOWN_GROUP),
            }
        }
    }

    /// What follows a backslash outside of a class.
    fn escape(&mut self) -> Parsed<Step> {
        let look = match self.peek() {
            Some('b') => Look::WordBound,
            Some('B') => Look::NoWordBound,
            Some('A') => Look::Start,
            Some('z') => Look::End,
            _ => return Ok(Step::One(self.escaped_class()?)),
        };
        self.next();
        Ok(Step::Look(look))
    }

    /// What follows a backslash, as characters.
    fn escaped_class(&mut self) -> Parsed<Class> {
        let name = match self.peek() {
            Some('d' | 'D') => "digit",
            Some('s' | 'S') => "space",
            Some('w' | 'W') => "word",
            _ => {
                let c = self.escaped_char()?;
                return Ok(self.cased(only(c)));
            }
        };
        let class = ascii(name).unwrap_or_default();
        let opposite = self.next().is_some_and(char::is_uppercase);
        Ok(if opposite { complement(&class) } else { class })
    }

    fn escaped_char(&mut self) -> Parsed<char> {
        Ok(match self.next() {
            Some('a') => '\x07',
            Some('f') => '\x0C',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\x0B',
            Some('x') => return self.hexadecimal(2),
            Some('u') => return self.hexadecimal(4),
            Some('U') => return self.hexadecimal(8),
            // `\<` and `\>` are bounds of words elsewhere, and must not be mistaken for themselves.
            Some(c) if c.is_ascii() && !c.is_ascii_alphanumeric() && !matches!(c, '<' | '>') => c,
            Some(_) => return Err("an escape that is none"),
            None => return Err("a `\\` at the end"),
        })
    }

    /// So many digits, or any number of them in braces.
    fn hexadecimal(&mut self, digits: usize) -> Parsed<char> {
        let braced = self.eat('{');
        let mut code = Some(0_u32);
        let mut count = 0;
        while let Some(digit) = self.peek().filter(|_| braced || count < digits).and_then(|c| c.to_digit(16)) {
            self.next();
            code = code.and_then(|code| code.checked_mul(16)).map(|code| code + digit);
            count += 1;
        }
        let whole = if braced { count > 0 && self.eat('}') } else { count == digits };
        code.filter(|_| whole).and_then(char::from_u32).ok_or("a character's number that is none")
    }

    /// What follows a `[`.
    fn class(&mut self) -> Parsed<Class> {
        let opposite = self.eat('^');
        let mut class = Class::new();
        // At the beginning these are themselves.
        while self.eat('-') {
            class.extend(only('-'));
        }
        if class.is_empty() && self.eat(']') {
            class.extend(only(']'));
        }
        while !self.eat(']') {
            if self.eat('[') {
                class.extend(self.named_class()?);
                continue;
            }
            if matches!(self.rest, ['&', '&', ..] | ['-', '-', ..] | ['~', '~', ..]) {
                return Err("a class is no set: write \\& for a `&`, and so for `-` and `~`, where two stand together");
            }
            let from = match self.next().ok_or(UNCLOSED)? {
                '\\' if self.peek().is_some_and(|c| matches!(c, 'd' | 'D' | 's' | 'S' | 'w' | 'W')) => {
                    class.extend(self.escaped_class()?);
                    if self.is_range() {
                        return Err("a range that begins with a class");
                    }
                    continue;
                }
                '\\' => self.escaped_char()?,
                c => c,
            };
            let mut range = only(from);
            if self.is_range() {
                self.next();
                let to = match self.next().ok_or(UNCLOSED)? {
                    '\\' => self.escaped_char()?,
                    c => c,
                };
                if to < from {
                    return Err("a range that ends before it begins");
                }
                range[0].1 = to.into();
            }
            class.extend(self.cased(range));
        }
        let others = complement(&class);
        Ok(if opposite { others } else { complement(&others) })
    }

    /// Whether a `-` comes that stands between the ends of a range.
    fn is_range(&self) -> bool {
        matches!(self.rest, ['-', after, ..] if !matches!(after, ']' | '-'))
    }

    /// `[:alpha:]` and the like, behind its first `[`.
    fn named_class(&mut self) -> Parsed<Class> {
        const WRONG: &str = "a `[` in a class that is none of [:alpha:] and the like; write \\[";
        let opens = self.eat(':');
        let opposite = self.eat('^');
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_lowercase) {
            name.push(c);
            self.next();
        }
        let class = ascii(&name).filter(|_| opens && self.eat(':') && self.eat(']')).ok_or(WRONG)?;
        let class = self.cased(class);
        Ok(if opposite { complement(&class) } else { class })
    }

    /// The same in both cases, where case is ignored.
    fn cased(&self, mut class: Class) -> Class {
        if self.flags.ignore_case {
            for at in 0..class.len() {
                for (letter, other) in [('a', 'A'), ('A', 'a')] {
                    let (a, other) = (u32::from(letter), u32::from(other));
                    let (from, to) = (class[at].0.max(a), class[at].1.min(a + 25));
                    if from <= to {
                        class.push((from - a + other, to - a + other));
                    }
                }
            }
            class = complement(&complement(&class));
        }
        class
    }
}

const UNKNOWN_GROUP: &str = "a group is (…), (?:…), (?<name>…) or has flags of i, m, s and U; it cannot look around";
const UNCLOSED: &str = "a class without its `]`";

/// The distance from one end of steps to the other.
fn distance(steps: &[Step]) -> isize {
    steps.len() as isize
}

fn within_limit(count: usize) -> Parsed<()> {
    if count <= MOST_STEPS {
        Ok(())
    } else {
        Err("it is too large: what it repeats counts as often as it may be there")
    }
}

fn repeat(item: &[Step], least: usize, most: Option<usize>) -> Parsed<Vec<Step>> {
    let copies = most.unwrap_or(least + 1);
    within_limit(copies * item.len())?;
    let mut all = Vec::new();
    for copy in 0..copies {
        let optional = copy >= least;
        if optional {
            // Past all further copies, since without this one there are none.
            all.push(Step::Fork(((copies - copy) * (item.len() + 1)) as isize + isize::from(most.is_none())));
        }
        all.extend_from_slice(item);
    }
    if most.is_none() {
        all.push(Step::Jump(-distance(item) - 1));
    }
    Ok(all)
}

fn only(c: char) -> Class {
    vec![(c.into(), c.into())]
}

/// All other characters, in their order whatever the order was.
fn complement(class: &[(u32, u32)]) -> Class {
    let mut left = vec![(0, u32::MAX)];
    for &(first, last) in class {
        let mut parts = Class::new();
        for (from, to) in left {
            // What of it comes before, and what behind.
            parts.extend(first.checked_sub(1).map(|end| (from, to.min(end))).filter(|(from, to)| from <= to));
            parts.extend(last.checked_add(1).map(|start| (from.max(start), to)).filter(|(from, to)| from <= to));
        }
        left = parts;
    }
    left
}

/// A class of ASCII characters.
fn ascii(name: &str) -> Option<Class> {
    // First and last of each range.
    let ranges = match name {
        "alnum" => "09AZaz",
        "alpha" => "AZaz",
        "ascii" => "\0\x7F",
        "blank" => "\t\t  ",
        "cntrl" => "\0\x1F\x7F\x7F",
        "digit" => "09",
        "graph" => "!~",
        "lower" => "az",
        "print" => " ~",
        "punct" => "!/:@[`{~",
        "space" => "\t\r  ",
        "upper" => "AZ",
        "word" => "09AZ__az",
        "xdigit" => "09AFaf",
        _ => return None,
    };
    Some(ranges.as_bytes().chunks_exact(2).map(|ends| (ends[0].into(), ends[1].into())).collect())
}
