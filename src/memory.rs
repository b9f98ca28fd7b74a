//! Growing the module's memory in few steps.

/// Where it is as much as this, in bytes, memory grows ahead of need: from here on V8 takes every third growth for a reason to look through all of
/// JavaScript's heap. Among the objects of 100,000 tools that takes a third of a second, and memory grew seven times a megabyte.
#[cfg(target_family = "wasm")]
const MUCH: usize = 64 << 20;
/// What part of it then comes at once.
#[cfg(target_family = "wasm")]
const SHARE: usize = 4;

/// To be called now and then while much is taken in: where memory grew, and is much, makes it larger by a quarter.
#[cfg(target_family = "wasm")]
pub(crate) fn grow_ahead() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    let bytes = || core::arch::wasm32::memory_size::<0>() << 16;
    let now = bytes();
    if now >= MUCH && now > SEEN.load(Relaxed) {
        let mut room = Vec::<u8>::new();
        // Where there is no more, what is needed may still fit.
        let _ = room.try_reserve_exact(now / SHARE);
        // Nobody sees that it is used for nothing and takes no memory for it.
        std::hint::black_box(room);
    }
    SEEN.store(bytes(), Relaxed);
}

#[cfg(not(target_family = "wasm"))]
pub(crate) fn grow_ahead() {}
