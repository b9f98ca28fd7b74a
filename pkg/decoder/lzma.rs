//! Reads a module from a text of six bits a character, as `pkg/inline.mjs` writes it: compressed by LZMA as the specification of the LZMA SDK
//! has it, with `lc=1 lp=0 pb=0`.
//!
//! A module of its own, since a new process runs it in a fraction of the time that JavaScript takes, which is not compiled by then. It
//! reads only what the package has in it.
#![no_std]
#![no_main]
#![no_builtins]

mod streams;

use core::hint::assert_unchecked;
use core::ptr::addr_of_mut;
use streams::Streams;

/// Decodes the text from `start` to `end`, and writes the module there. Gives where it ends.
///
/// # Safety
/// The memory must have such a text, and after it nothing that is needed.
#[unsafe(no_mangle)]
unsafe extern "C" fn decode(start: *mut u8, end: *mut u8) -> *mut u8 {
    unsafe {
        read_text(start, end);
        let size = (start.add(HEADER_SIZE_AT) as *const u32).read_unaligned() as usize;
        // The streams begin at a multiple of four, well behind where the module will end.
        streams::grow(4 * size);
        let streams = ((end as usize + 2 * size) & !3) as *mut u8;
        expand(start.add(HEADER), streams, size);
        (*(streams as *mut Streams)).join(end)
    }
}

/// The 64 characters are those from `=` to `~` but two. Four of them are three bytes, the lowest bits first.
unsafe fn read_text(start: *mut u8, end: *mut u8) {
    unsafe {
        let (mut from, mut to) = (start as *const u8, start);
        while from < end {
            let mut bits = 0;
            for place in 0..4 {
                let character = *from;
                let value = character - b'=' - (character > b'\\') as u8 - (character > b'`') as u8;
                bits |= (value as u32) << (6 * place);
                from = from.add(1);
            }
            (to as *mut u32).write_unaligned(bits);
            to = to.add(3);
        }
    }
}

/// Before the compressed bytes stand how it was done, and how many they were.
const HEADER: usize = 13;
const HEADER_SIZE_AT: usize = 5;

/// Of 2,048 times, how often a bit was 0 in its place.
type Chance = u16;
const CERTAIN_BITS: u32 = 11;
const SLOWNESS: u32 = 5;
const LEAST_RANGE: u32 = 1 << 24;

/// States are what came last: up to here, literals.
const LITERALS: usize = 7;
const STATES: usize = 12;

#[derive(Clone, Copy)]
#[repr(C)]
struct LengthChances {
    is_long: Chance,
    is_longest: Chance,
    short: [Chance; 8],
    long: [Chance; 8],
    longest: [Chance; 256],
}

#[repr(C)]
struct Chances {
    is_match: [Chance; STATES],
    is_repeated: [Chance; STATES],
    is_not_last: [Chance; STATES],
    is_last_long: [Chance; STATES],
    is_not_second: [Chance; STATES],
    is_not_third: [Chance; STATES],
    slots: [[Chance; 64]; 4],
    near: [Chance; 128],
    low_bits: [Chance; 16],
    lengths: LengthChances,
    repeated_lengths: LengthChances,
    /// By the highest bit of the byte before: without, and by the bit of the byte at the last distance.
    literals: [[Chance; 0x300]; 2],
}

const CHANCES: usize = size_of::<Chances>() / size_of::<Chance>();
static mut MEMORY: [Chance; CHANCES] = [0; CHANCES];

/// The range coder.
#[derive(Clone, Copy)]
struct Coder {
    from: *const u8,
    range: u32,
    code: u32,
}

impl Coder {
    /// Without a branch on the bit, which no processor could foresee.
    #[inline(always)]
    unsafe fn bit(&mut self, chance: *mut Chance) -> usize {
        unsafe {
            let seen = *chance as i32;
            let bound = (self.range >> CERTAIN_BITS) * seen as u32;
            let bit = (self.code >= bound) as u32;
            let all = bit.wrapping_neg();
            self.range = bound ^ (all & (bound ^ (self.range - bound)));
            self.code -= bound & all;
            let rounded = seen + (!all as i32 & ((1 << SLOWNESS) - 1 - (1 << CERTAIN_BITS)));
            *chance = (seen - (rounded >> SLOWNESS)) as Chance;
            self.fill();
            bit as usize
        }
    }

    #[inline(always)]
    unsafe fn fill(&mut self) {
        unsafe {
            if self.range < LEAST_RANGE {
                self.range <<= 8;
                self.code = self.code << 8 | *self.from as u32;
                self.from = self.from.add(1);
            }
        }
    }

    #[inline(never)]
    unsafe fn is(&mut self, chance: *mut Chance) -> bool {
        unsafe { self.bit(chance) != 0 }
    }

    /// The bits of a number up to `size`, the highest first, of which those in `at` behind a 1 are known. Here and below the coder is
    /// copied, since an engine keeps in registers what has no address.
    #[inline(never)]
    unsafe fn number(&mut self, chances: *mut Chance, mut at: usize, size: usize) -> usize {
        unsafe {
            let mut coder = *self;
            while at < size {
                at = at << 1 | coder.bit(chances.add(at));
            }
            *self = coder;
            at - size
        }
    }

    /// The lowest bit first.
    unsafe fn reversed(&mut self, chances: *mut Chance, bits: usize) -> usize {
        unsafe {
            let (mut at, mut value) = (1, 0);
            for place in 0..bits {
                let bit = self.is(chances.add(at)) as usize;
                at = at << 1 | bit;
                value |= bit << place;
            }
            value
        }
    }

    /// Bits that are as often 0 as 1.
    unsafe fn plain(&mut self, bits: usize) -> usize {
        unsafe {
            let mut value = 0;
            for _ in 0..bits {
                self.range >>= 1;
                let bit = self.code >= self.range;
                if bit {
                    self.code -= self.range;
                }
                value = value << 1 | bit as usize;
                self.fill();
            }
            value
        }
    }

    unsafe fn literal(&mut self, chances: *mut Chance) -> u8 {
        unsafe { self.number(chances, 1, 256) as u8 }
    }

    /// After a match: the byte that would have gone on with it tells what this one hardly is, up to the first bit that differs.
    #[inline(never)]
    unsafe fn literal_unlike(&mut self, chances: *mut Chance, other: u8) -> u8 {
        unsafe {
            let mut coder = *self;
            let (mut at, mut other) = (1, other as usize);
            while at < 256 {
                other <<= 1;
                let expected = other >> 8 & 1;
                let bit = coder.bit(chances.add(((1 + expected) << 8) + at));
                at = at << 1 | bit;
                if bit != expected {
                    break;
                }
            }
            *self = coder;
            self.number(chances, at, 256) as u8
        }
    }

    unsafe fn length(&mut self, chances: &mut LengthChances) -> usize {
        unsafe {
            if !self.is(&raw mut chances.is_long) {
                2 + self.number(chances.short.as_mut_ptr(), 1, 8)
            } else if !self.is(&raw mut chances.is_longest) {
                10 + self.number(chances.long.as_mut_ptr(), 1, 8)
            } else {
                18 + self.number(chances.longest.as_mut_ptr(), 1, 256)
            }
        }
    }

    unsafe fn distance(&mut self, chances: &mut Chances, length: usize) -> usize {
        unsafe {
            let slot = self.number(chances.slots[(length - 2).min(3)].as_mut_ptr(), 1, 64);
            if slot < 4 {
                return slot;
            }
            let bits = (slot >> 1) - 1;
            let least = (2 | slot & 1) << bits;
            if slot < 14 {
                least + self.reversed(chances.near.as_mut_ptr().add(least - slot), bits)
            } else {
                least + (self.plain(bits - 4) << 4) + self.reversed(chances.low_bits.as_mut_ptr(), 4)
            }
        }
    }
}

/// Writes so many bytes of what is compressed.
unsafe fn expand(from: *const u8, start: *mut u8, size: usize) {
    unsafe {
        let memory = addr_of_mut!(MEMORY);
        for chance in &mut *memory {
            *chance = 1 << (CERTAIN_BITS - 1);
        }
        let chances = &mut *(memory as *mut Chances);
        // The first byte is always 0.
        let code = (from.add(1) as *const u32).read_unaligned().swap_bytes();
        let mut coder = Coder { from: from.add(5), range: !0, code };
        let mut state = 0;
        let mut distances = [0; 4];
        let (mut to, end) = (start, start.add(size));
        while to < end {
            // Spares the checks of what it counts by.
            assert_unchecked(state < STATES);
            let source = |distance: usize| to.sub(distance + 1) as *const u8;
            if !coder.is(&raw mut chances.is_match[state]) {
                let before = if to == start { 0 } else { *source(0) };
                let literals = chances.literals[(before >> 7) as usize].as_mut_ptr();
                *to = if state < LITERALS {
                    coder.literal(literals)
                } else {
                    coder.literal_unlike(literals, *source(distances[0]))
                };
                to = to.add(1);
                state -= if state < 4 {
                    state
                } else if state < 10 {
                    3
                } else {
                    6
                };
                continue;
            }
            let was_literal = state < LITERALS;
            let length;
            if !coder.is(&raw mut chances.is_repeated[state]) {
                length = coder.length(&mut chances.lengths);
                distances = [coder.distance(chances, length), distances[0], distances[1], distances[2]];
                state = if was_literal { 7 } else { 10 };
            } else {
                let mut which = 0;
                if coder.is(&raw mut chances.is_not_last[state]) {
                    which = 1;
                    if coder.is(&raw mut chances.is_not_second[state]) {
                        which = 2 + coder.is(&raw mut chances.is_not_third[state]) as usize;
                    }
                }
                if which == 0 && !coder.is(&raw mut chances.is_last_long[state]) {
                    length = 1;
                    state = if was_literal { 9 } else { 11 };
                } else {
                    length = coder.length(&mut chances.repeated_lengths);
                    let distance = distances[which];
                    for later in (0..which).rev() {
                        distances[later + 1] = distances[later];
                    }
                    distances[0] = distance;
                    state = if was_literal { 8 } else { 11 };
                }
            }
            for _ in 0..length {
                *to = *to.sub(distances[0] + 1);
                to = to.add(1);
            }
        }
    }
}
