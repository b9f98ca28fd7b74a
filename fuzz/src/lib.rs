//! What fuzzing does with bytes: each target takes any, and panics when something that must hold does not.
//!
//! The programs in `fuzz_targets/` hand libFuzzer's bytes on to here; `tests/replay.rs` hands on the committed corpus, and a little
//! that it makes of it.

pub mod catalog;
mod checks;
pub mod definitions;
pub mod handle;
mod model;
pub mod queries;
pub mod regexes;
mod shelf;
pub mod snapshots;
pub mod state;

/// Counts what is allocated, by every thread.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// A target by its name, which is that of its folder in `corpus/` too.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
}

pub const TARGETS: [Target; 7] = [
    Target { name: "catalog", run: catalog::run },
    Target { name: "definitions", run: definitions::run },
    Target { name: "handle", run: handle::run },
    Target { name: "queries", run: queries::run },
    Target { name: "regexes", run: regexes::run },
    Target { name: "snapshots", run: snapshots::run },
    Target { name: "state", run: state::run },
];
