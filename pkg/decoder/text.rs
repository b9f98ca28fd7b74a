//! Reads a module from a text in which each byte has its own characters, as `pkg/inline.mjs` writes it.
//!
//! A module of its own, since a new process runs it in a third of the time that JavaScript takes, which is not compiled by then. It reads
//! only what the package has in it.
#![no_std]
#![no_main]
#![no_builtins]

mod streams;

use streams::Streams;

const ROW: usize = 128;
/// The table, in front of the text, has two hexadecimal digits a byte.
const TABLE: usize = 3 * ROW;
/// The characters from here on begin a pair.
const PAIRS: u8 = 0x7d;

/// Decodes the text from `start` to `end`, and writes the module there. Gives where it ends.
///
/// # Safety
/// The memory must have such a text, at a multiple of four, and after it nothing that is needed.
#[unsafe(no_mangle)]
unsafe extern "C" fn decode(start: *mut u8, end: *mut u8) -> *mut u8 {
    unsafe {
        // The module is shorter than its text.
        streams::grow(end.offset_from(start) as usize);
        let mut table = [0; TABLE];
        let mut from = start as *const u8;
        for byte in &mut table {
            *byte = digit(*from) << 4 | digit(*from.add(1));
            from = from.add(2);
        }
        let mut to = start;
        while from < end {
            let mut place = *from as usize;
            if place >= PAIRS.into() {
                from = from.add(1);
                place = (place + 1 - PAIRS as usize) * ROW + *from as usize;
            }
            *to = *table.as_ptr().add(place);
            to = to.add(1);
            from = from.add(1);
        }
        (*(start as *mut Streams)).join(end)
    }
}

fn digit(character: u8) -> u8 {
    // The low bits of `a` are 1.
    (character & 15) + 9 * (character >> 6)
}
