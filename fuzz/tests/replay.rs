//! Every file of the corpus through its target, then inputs made of them: the same ones every time.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Once, PoisonError, RwLock};
use tool_search_fuzz::TARGETS;

/// Snapshots by themselves, the others side by side: what is allocated is counted over all threads.
static TURN: RwLock<()> = RwLock::new(());

/// Inputs that are made for each target; the variable FUZZ_INPUTS names another number.
const INPUTS: usize = 3_000;
const LONGEST: usize = 4_096;

thread_local! {
    /// The target that runs, and what it was given.
    static FED: RefCell<(&'static str, Vec<u8>)> = const { RefCell::new(("", Vec::new())) };
}

/// Has a panic say which bytes made it. By a hook, since in WebAssembly nothing unwinds.
fn tell_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            tell(info);
            FED.with_borrow(|(name, data)| {
                let folder = folder("artifacts", name);
                let path = folder.join("replayed");
                let kept = fs::create_dir_all(folder).and_then(|()| fs::write(&path, data)).is_ok();
                let kept = if kept { format!(", kept in {}", path.display()) } else { String::new() };
                eprintln!("{name} failed on {} bytes{kept}", data.len());
            });
        }));
    });
}

/// Runs a target.
fn feed(name: &'static str, data: &[u8]) {
    FED.replace((name, data.to_vec()));
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    (target.run)(data);
}

fn folder(kind: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(kind).join(name)
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<_> = fs::read_dir(folder("corpus", name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// xorshift64*: any will do that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end.max(1)
    }
}

/// One of the corpus with some changes: bytes become others, pieces go, come twice, or come from another.
fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut data = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(data.len() + 1);
        let end = (at + random.below(16)).min(data.len());
        match random.below(6) {
            0 => data.truncate(at),
            1 => drop(data.drain(at..end)),
            2 => data.insert(at, random.below(256) as u8),
            3 => data[at..end].iter_mut().for_each(|byte| *byte = byte.wrapping_add(1)),
            4 => {
                let piece = data[at..end].repeat(1 + random.below(3));
                data.splice(at..at, piece);
            }
            _ => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                let piece = other[from..(from + random.below(64)).min(other.len())].to_vec();
                data.splice(at..end, piece);
            }
        }
    }
    data.truncate(LONGEST);
    data
}

/// Bytes of no corpus, enough for a long life.
fn fresh(random: &mut Random) -> Vec<u8> {
    (0..random.below(1_500)).map(|_| random.below(256) as u8).collect()
}

fn replay(name: &'static str) {
    tell_on_panic();
    let alone = (name == "snapshots").then(|| TURN.write().unwrap_or_else(PoisonError::into_inner));
    let _turn = alone.is_none().then(|| TURN.read().unwrap_or_else(PoisonError::into_inner));
    let corpus = corpus(name);
    assert!(corpus.len() >= 10, "the corpus of {name} is gone");
    feed(name, b"");
    corpus.iter().for_each(|data| feed(name, data));
    let inputs = std::env::var("FUZZ_INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(INPUTS);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..inputs {
        let data = if random.below(3) == 0 { fresh(&mut random) } else { mutated(&corpus, &mut random) };
        feed(name, &data);
    }
}

macro_rules! targets {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            replay(stringify!($name));
        }
    )*};
}

targets!(catalog, definitions, handle, queries, regexes, snapshots, state);
