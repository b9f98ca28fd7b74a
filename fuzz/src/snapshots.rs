//! Snapshots: any bytes, and those that somebody made to pass for one.

use crate::{MEMORY, checks, shelf};
use arbitrary::{Arbitrary, Unstructured};
use std::sync::LazyLock;
use tool_search::{
    AddOptions, CallResolution, Error, ErrorCode, Format, Options, Ranking, SearchOptions, SessionOptions, ToolSearch,
};

/// One damage to a genuine snapshot.
#[derive(Debug, Arbitrary)]
enum Damage {
    Byte {
        at: u16,
        value: u8,
    },
    /// A number becomes another; those of a snapshot are small, or the largest.
    Number {
        at: u16,
        value: u8,
    },
    Largest {
        at: u16,
    },
    Add {
        at: u16,
        by: i8,
    },
    Remove {
        at: u16,
        bytes: u8,
    },
    Insert {
        at: u16,
        bytes: u8,
        value: u8,
    },
    Copy {
        from: u16,
        to: u16,
        bytes: u8,
    },
    Text {
        by: i8,
    },
}

/// The first byte says what the others are: a snapshot as it is, the body of one, or damages to one of this library's own.
pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    match choice & 3 {
        0 => {
            restored(rest, false);
        }
        1 => {
            restored(&sealed(rest.to_vec()), true);
        }
        _ => {
            let genuine = &GENUINE[usize::from(choice >> 2) % GENUINE.len()];
            let mut bytes = genuine.clone();
            let mut draw = Unstructured::new(rest);
            while let (false, Ok(damage)) = (draw.is_empty(), Damage::arbitrary(&mut draw)) {
                damage.apply(&mut bytes);
            }
            let touched = bytes != *genuine;
            // Damaged and not sealed again, it is refused.
            assert_eq!(restored(&bytes, false), !touched);
            restored(&sealed(bytes), true);
        }
    }
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len().max(1);
        let place = |at: u16| usize::from(at) % length;
        match *self {
            Self::Byte { at, value } => write(bytes, place(at), &[value]),
            Self::Number { at, value } => write(bytes, place(at), &u32::from(value).to_le_bytes()),
            Self::Largest { at } => write(bytes, place(at), &[0xFF; 4]),
            Self::Add { at, by } => {
                let at = place(at);
                let value = bytes.get(at).map(|byte| byte.wrapping_add_signed(by));
                write(bytes, at, value.as_slice());
            }
            Self::Remove { at, bytes: count } => {
                let at = place(at);
                bytes.drain(at..(at + usize::from(count)).min(bytes.len()));
            }
            Self::Insert { at, bytes: count, value } => {
                let at = place(at);
                bytes.splice(at..at, std::iter::repeat_n(value, usize::from(count)));
            }
            Self::Copy { from, to, bytes: count } => {
                let (from, to) = (place(from), place(to));
                let piece = bytes[from..(from + usize::from(count)).min(bytes.len())].to_vec();
                write(bytes, to, &piece);
            }
            Self::Text { by } => {
                let head = Head::of(bytes);
                let text = head.text.saturating_add_signed(by.into());
                write(bytes, 0, Head { text, ..head }.line().as_bytes());
            }
        }
    }
}

fn write(bytes: &mut [u8], at: usize, new: &[u8]) {
    bytes.iter_mut().skip(at).zip(new).for_each(|(byte, new)| *byte = *new);
}

/// The first line of a snapshot, as src/snapshot.rs has it.
struct Head {
    version: u32,
    checksum: u64,
    text: usize,
}

const HEAD: usize = 52;

impl Head {
    fn of(bytes: &[u8]) -> Self {
        let field = |start: usize, end: usize, radix: u32| {
            let digits = bytes.get(start..end).and_then(|digits| std::str::from_utf8(digits).ok());
            digits.and_then(|digits| u64::from_str_radix(digits, radix).ok()).unwrap_or_default()
        };
        Self { version: field(21, 25, 10) as u32, checksum: field(26, 42, 16), text: field(43, 51, 16) as usize }
    }

    fn line(&self) -> String {
        let Self { version, checksum, text } = self;
        format!("tool-search snapshot {version:04} {checksum:016x} {text:08x}\n")
    }
}

/// The same bytes with the first line of a snapshot in place of theirs, and the checksum right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < HEAD {
        return bytes;
    }
    let body = bytes.len() - HEAD;
    let text = Head::of(&bytes).text.min(body);
    let head = Head { version: Head::of(&GENUINE[0]).version, checksum: checksum(&bytes[HEAD..], text), text };
    write(&mut bytes, 0, head.line().as_bytes());
    bytes
}

fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

fn checksum(body: &[u8], text: usize) -> u64 {
    let (text, rest) = body.split_at(text.min(body.len()));
    step(sum(text), sum(rest))
}

fn sum(bytes: &[u8]) -> u64 {
    let mut lanes = [1u64; 8];
    let (chunks, rest) = bytes.as_chunks::<64>();
    for chunk in chunks {
        for (lane, word) in lanes.iter_mut().zip(chunk.as_chunks::<8>().0) {
            *lane = step(*lane, u64::from_le_bytes(*word));
        }
    }
    let rest = rest.iter().fold(bytes.len() as u64, |sum, byte| step(sum, u64::from(*byte)));
    lanes.into_iter().fold(rest, step)
}

static GENUINE: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut past = shelf::engine(shelf::options(Ranking::Bm25f), true, false);
    let _ = past.search("issue", &SearchOptions::default());
    past.remove_server("chat");
    let one = r#"[{"name":"list_issues","description":"Lists issues again"},{"name":"vanish"}]"#;
    let mut few = ToolSearch::default();
    for engine in [&mut past, &mut few] {
        assert!(engine.add_json(one, &AddOptions::server("late")).is_ok());
    }
    let all = vec![past.snapshot(), shelf::shelf(0).full.snapshot(), few.snapshot(), ToolSearch::default().snapshot()];
    let is_ours = |bytes: &Vec<u8>| {
        Head::of(bytes).checksum == checksum(&bytes[HEAD..], Head::of(bytes).text) && sealed_alike(bytes)
    };
    assert!(all.iter().all(is_ours), "the first line of snapshots is another now: see `Head` and `checksum`");
    all
});

fn sealed_alike(bytes: &[u8]) -> bool {
    bytes.starts_with(Head::of(bytes).line().as_bytes())
}

/// Restores bytes, and if they are taken uses what came out of them in every way. `forged` bytes may hold what no catalog would.
fn restored(bytes: &[u8], forged: bool) -> bool {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let answer = ToolSearch::restore(bytes, shelf::options(Ranking::Bm25f));
    let took = MEMORY.peak_usage().saturating_sub(before);
    assert!(took <= 64 * bytes.len() + (64 << 10), "{took} bytes of memory for {} bytes", bytes.len());
    match answer {
        Ok(engine) => {
            uses(engine, forged);
            true
        }
        Err(error) => {
            refused(&error);
            false
        }
    }
}

fn refused(error: &Error) {
    assert!(matches!(error.code(), ErrorCode::InvalidSnapshot | ErrorCode::ReservedName), "{error:?}");
    assert!(error.message().len() <= 512 && checks::is_one_line(error.message()), "{error:?}");
}

fn uses(mut engine: ToolSearch, forged: bool) {
    asks(&engine, forged);
    let bytes = engine.snapshot();
    if !forged {
        let Ok(again) = ToolSearch::restore(&bytes, shelf::options(Ranking::Bm25f)) else {
            panic!("its snapshot is refused")
        };
        assert_eq!(again.snapshot(), bytes);
    } else if let Ok(again) = ToolSearch::restore(&bytes, Options::default()) {
        asks(&again, forged);
    }
    // Of a forged catalog a name may be one of these.
    let tools = [r#"{"name":"list_issues","description":"once more"}"#, r#"{"name":"the_vanishing"}"#];
    let _ = engine.add(&tools, &AddOptions::server("tracker"));
    let _ = engine.add(&tools, &AddOptions::server("new"));
    asks(&engine, forged);
    for server in ["tracker", "down", "late", shelf::HIDDEN] {
        engine.remove_server(server);
    }
    asks(&engine, forged);
}

fn asks(engine: &ToolSearch, forged: bool) {
    let queries =
        ["+issue list the isues", "select:close,create_issue,nothing", "vanishing, then 检索 频道", "mcp__tracker"];
    for (query, explain) in queries.into_iter().zip([true, false].into_iter().cycle()) {
        let deny = if explain { Vec::new() } else { vec![shelf::HIDE.to_owned(), "*list*".to_owned()] };
        let options = SearchOptions { explain, deny, ..Default::default() };
        let answer = engine.search(query, &options);
        if !forged {
            checks::answer(engine, query, &options, &answer);
        } else if let Ok(result) = &answer {
            assert!(result.matches.iter().all(|m| m.score.is_finite() && m.score >= 0.0), "{result:?}");
            assert!(result.matches.len() <= 50 || result.kind == tool_search::QueryKind::Select);
        }
        assert_eq!(checks::told(&answer), checks::told(&engine.search(query, &options)));
    }
    let options = SessionOptions { deny: vec![shelf::HIDE.to_owned()], ..Default::default() };
    let Ok(mut session) = engine.session(options) else { panic!("no session") };
    assert!(
        checks::is_tame(session.prompt())
            && session.plan.tokens.full == session.plan.tokens.direct + session.plan.tokens.deferrable
    );
    let before = session.names(engine);
    session.handle(engine, &"issues".into());
    for name in ["list_issues", "lst_issues", "close"] {
        if let CallResolution::Unknown { suggestions, .. } = session.resolve(engine, name) {
            assert!(suggestions.len() <= 5);
        }
    }
    assert!(session.names(engine).starts_with(&before));
    session.tools(engine, Format::Mcp);
    assert!(session.tokens(engine).is_ok());
    assert!(engine.tokens().is_ok());
    engine.tools().for_each(|tool| drop(tool.description()));
}
