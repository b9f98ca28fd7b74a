//! Puts a module together again that `pkg/inline.mjs` took apart, which says how it stands in the text. A module of its own, since a new
//! process runs it in a third of the time that JavaScript takes, which is not compiled by then.
//!
//! It reads only what the package has in it. The memory is JavaScript's, and nothing here is allocated.
#![no_std]
#![no_main]

/// Where the table of characters stands in memory, and behind it the text: nothing may stand at 0.
const TABLE: usize = 128;
const ROW: usize = 128;
const TEXT: usize = TABLE + 3 * ROW;
/// The characters from here on begin a pair.
const PAIRS: u8 = 0x7d;

/// What the text says, in front of the bytes of the streams.
#[repr(C)]
struct Packed {
    /// The bytes before the first function, and those behind the last.
    before: usize,
    after: usize,
    functions: usize,
    /// By opcode: the streams of what follows it, or 0. Of `second`, `COUNTED` stands for bytes of which the first stream says how many.
    first: [u8; 256],
    second: [u8; 256],
    /// How many bytes each stream has; then how far it is read.
    streams: [*const u8; 256],
}

const COUNTED: u8 = 255;
const OPCODES: usize = 1;
const LOCALS: usize = 2;
const END: u8 = 0x0b;

/// Decodes the text that ends at `end`, and writes the module there.
///
/// # Safety
/// The memory must have the text of a module, and room for it.
#[unsafe(no_mangle)]
unsafe extern "C" fn decode(end: *mut u8) -> *mut u8 {
    unsafe {
        let mut from = read_text(end);
        let packed = &mut *(TEXT as *mut Packed);
        for stream in &mut packed.streams {
            let length = *stream as usize;
            *stream = from;
            from = from.add(length);
        }
        let mut to = copy(from, packed.before, end);
        for _ in 0..packed.functions {
            to = function(packed, to);
        }
        copy(from.add(packed.before), packed.after, to)
    }
}

/// Replaces the text by what it says, which is nowhere longer. Gives where the streams begin.
unsafe fn read_text(end: *const u8) -> *const u8 {
    unsafe {
        let mut from = (TEXT + 2 * 3 * ROW) as *const u8;
        let mut to = TEXT as *mut u8;
        while from < end {
            let mut place = *from as usize;
            if place >= PAIRS.into() {
                from = from.add(1);
                place = (place + 1 - PAIRS as usize) * ROW + *from as usize;
            }
            *to = *((TABLE + place) as *const u8);
            to = to.add(1);
            from = from.add(1);
        }
        (TEXT + size_of::<Packed>()) as *const u8
    }
}

/// A function of its own, since an engine makes better code of what is called often.
#[inline(never)]
unsafe fn function(packed: &mut Packed, start: *mut u8) -> *mut u8 {
    unsafe {
        let mut to = start.add(3);
        // Each group of locals is a number of them and their type, which reads like a number.
        for _ in 0..2 * byte(&mut packed.streams[LOCALS], &mut to) {
            to = number(&mut packed.streams[LOCALS], to);
        }
        let mut opcodes = packed.streams[OPCODES];
        let mut depth = 1;
        while depth > 0 {
            let opcode = byte(&mut opcodes, &mut to);
            match opcode {
                // `block`, `loop` and `if`.
                2..=4 => depth += 1,
                END => depth -= 1,
                _ => {}
            }
            let (first, second) = (packed.first[opcode as usize], packed.second[opcode as usize]);
            if first == 0 {
                continue;
            }
            let stream = &mut packed.streams[first as usize];
            if second == COUNTED {
                let count = **stream;
                *stream = stream.add(1);
                to = copy(*stream, count.into(), to);
                *stream = stream.add(count.into());
                continue;
            }
            to = number(stream, to);
            if second != 0 {
                to = number(&mut packed.streams[second as usize], to);
            }
        }
        packed.streams[OPCODES] = opcodes;
        // Always in three bytes, so that it can be written last.
        let size = to.offset_from(start) as usize - 3;
        *start = size as u8 | 0x80;
        *start.add(1) = (size >> 7) as u8 | 0x80;
        *start.add(2) = (size >> 14) as u8;
        to
    }
}

/// A number in LEB128.
#[inline(never)]
unsafe fn number(from: &mut *const u8, mut to: *mut u8) -> *mut u8 {
    unsafe {
        while byte(from, &mut to) >= 0x80 {}
        to
    }
}

#[inline(always)]
unsafe fn byte(from: &mut *const u8, to: &mut *mut u8) -> u8 {
    unsafe {
        let byte = **from;
        **to = byte;
        *from = from.add(1);
        *to = to.add(1);
        byte
    }
}

unsafe fn copy(mut from: *const u8, count: usize, mut to: *mut u8) -> *mut u8 {
    unsafe {
        for _ in 0..count {
            byte(&mut from, &mut to);
        }
        to
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
