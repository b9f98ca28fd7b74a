//! Regular expressions that say whether they match, in time linear in the text (rule C11).
//!
//! A pattern becomes steps of a nondeterministic automaton (Thompson, "Regular expression search algorithm", 1968), which reads a text
//! once and is in each of its steps at most once a character. Nothing is captured, so that greedy and lazy are alike.
//!
//! The syntax is that of the `regex` crate, classes and case by ASCII: literals, `.`, classes with ranges, `^` and `[:alpha:]`,
//! `\d \w \s \b` and their opposites, `\t \n \r \f \v \a \xHH \uHHHH \x{…}`, `^ $ \A \z`, `|`, groups with or without a name, `* + ? {n,m}`,
//! and the flags `i m s U` for the rest of a group or for one of their own. Looking around and back is refused: neither is linear.

mod parse;

/// A pattern, ready to match. At its last step it has matched.
#[derive(Debug)]
pub(crate) struct Regex(Vec<Step>);

#[derive(Debug, Clone)]
enum Step {
    /// Consumes a character that is one of these.
    One(Class),
    /// Goes on if it stands at such a place.
    Look(Look),
    /// Goes on with the next step, and so many further as well.
    Fork(isize),
    /// Goes on so many steps further.
    Jump(isize),
}

/// Characters, as ranges of them in their order. Numbers, since what is between two characters need not be one.
type Class = Vec<(u32, u32)>;

#[derive(Debug, Clone, Copy)]
enum Look {
    Start,
    LineStart,
    End,
    LineEnd,
    WordBound,
    NoWordBound,
}

impl Look {
    fn holds(self, before: Option<char>, after: Option<char>) -> bool {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let bound = is_word(before) != is_word(after);
        match self {
            Self::Start => before.is_none(),
            Self::LineStart => before.is_none_or(|c| c == '\n'),
            Self::End => after.is_none(),
            Self::LineEnd => after.is_none_or(|c| c == '\n'),
            Self::WordBound => bound,
            Self::NoWordBound => !bound,
        }
    }
}

impl Regex {
    /// # Errors
    /// What is wrong with the pattern.
    pub(crate) fn new(pattern: &str) -> Result<Self, &'static str> {
        parse::steps(pattern).map(Self)
    }

    /// Whether it matches anywhere in a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        // Where in the text each step was last taken.
        let mut taken = vec![usize::MAX; self.0.len()];
        let (mut here, mut next) = (Vec::new(), Vec::new());
        let mut before = None;
        let mut rest = text.chars();
        for place in 0.. {
            let after = rest.next();
            here.push(0);
            while let Some(at) = here.pop() {
                let Some(step) = self.0.get(at) else { return true };
                if std::mem::replace(&mut taken[at], place) == place {
                    continue;
                }
                match step {
                    Step::One(class) if after.is_some_and(|c| has(class, c)) => next.push(at + 1),
                    Step::Look(look) if look.holds(before, after) => here.push(at + 1),
                    Step::One(_) | Step::Look(_) => {}
                    Step::Fork(by) => here.extend([at.wrapping_add_signed(*by), at + 1]),
                    Step::Jump(by) => here.push(at.wrapping_add_signed(*by)),
                }
            }
            if after.is_none() {
                break;
            }
            before = after;
            std::mem::swap(&mut here, &mut next);
        }
        false
    }
}

fn has(class: &Class, c: char) -> bool {
    let at = class.partition_point(|&(_, last)| last < u32::from(c));
    class.get(at).is_some_and(|&(first, _)| first <= u32::from(c))
}

#[cfg(test)]
mod agreement;
