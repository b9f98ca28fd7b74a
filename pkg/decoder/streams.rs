//! Puts a module together again that `pkg/pack.mjs` took apart.

use core::ptr::null_mut;

/// What stands in front of the bytes of the streams.
#[repr(C)]
pub struct Streams {
    /// The bytes before the first function, and those behind the last.
    before: usize,
    after: usize,
    functions: usize,
    /// By opcode: the streams of the numbers that follow it, or 0, or from `ALWAYS` on what number it is. Of `second`, `COUNTED` stands for bytes of which the first stream says how many.
    first: [u8; 256],
    second: [u8; 256],
    /// By the opcode behind it: the stream of an `I32_CONST`.
    by_next: [u8; 256],
    /// How many bytes each stream has; then how far it is read.
    streams: [*const u8; 256],
}

const COUNTED: u8 = 255;
/// From here on, less this: the number itself.
const ALWAYS: u8 = 128;
const OPCODES: usize = 1;
const LOCALS: usize = 2;
const END: u8 = 0x0b;
const CALL: u8 = 0x10;
const LOCAL_GET: u8 = 0x20;
const LOCAL_TEE: u8 = 0x22;
const I32_CONST: u8 = 0x41;

/// What was used, the last first; those behind were not, and stand in their order.
struct Recent {
    numbers: [u16; 1 << 14],
    /// How many of them are written.
    known: usize,
}

/// Locals of the function.
static mut USED: Recent = Recent { numbers: [0; 1 << 14], known: 0 };
/// Functions.
static mut CALLED: Recent = Recent { numbers: [0; 1 << 14], known: 0 };

impl Streams {
    /// Writes the module, and gives where it ends.
    ///
    /// # Safety
    /// The streams must stand behind this and be those of a module, and there must be room for it.
    pub unsafe fn join(&mut self, to: *mut u8) -> *mut u8 {
        unsafe {
            let mut from = (&raw const *self).add(1) as *const u8;
            for stream in &mut self.streams {
                let length = *stream as usize;
                *stream = from;
                from = from.add(length);
            }
            let mut to = copy(from, self.before, to);
            for _ in 0..self.functions {
                to = self.function(to);
            }
            copy(from.add(self.before), self.after, to)
        }
    }

    /// A function of its own, since an engine makes better code of what is called often.
    #[inline(never)]
    unsafe fn function(&mut self, start: *mut u8) -> *mut u8 {
        unsafe {
            let mut to = start.add(3);
            // Each group of locals is a number of them and their type, which reads like a number.
            for _ in 0..2 * byte(&mut self.streams[LOCALS], &mut to) {
                to = number(&mut self.streams[LOCALS], to);
            }
            USED.known = 0;
            let mut opcodes = self.streams[OPCODES];
            let mut depth = 1;
            while depth > 0 {
                let opcode = byte(&mut opcodes, &mut to);
                match opcode {
                    // `block`, `loop` and `if`.
                    2..=4 => depth += 1,
                    END => depth -= 1,
                    _ => {}
                }
                let first =
                    if opcode == I32_CONST { self.by_next[*opcodes as usize] } else { self.first[opcode as usize] };
                let second = self.second[opcode as usize];
                if first == 0 {
                    continue;
                }
                let recent = match opcode {
                    CALL => &raw mut CALLED,
                    LOCAL_GET..=LOCAL_TEE => &raw mut USED,
                    _ => null_mut(),
                };
                if !recent.is_null() {
                    to = used(&mut self.streams[first as usize], &mut *recent, to);
                    continue;
                }
                if second == COUNTED {
                    let stream = &mut self.streams[first as usize];
                    let count = **stream;
                    *stream = stream.add(1);
                    to = copy(*stream, count.into(), to);
                    *stream = stream.add(count.into());
                    continue;
                }
                to = self.operand(first, to);
                if second != 0 {
                    to = self.operand(second, to);
                }
            }
            self.streams[OPCODES] = opcodes;
            // Always in three bytes, so that it can be written last.
            let size = to.offset_from(start) as usize - 3;
            *start = size as u8 | 0x80;
            *start.add(1) = (size >> 7) as u8 | 0x80;
            *start.add(2) = (size >> 14) as u8;
            to
        }
    }

    unsafe fn operand(&mut self, stream: u8, to: *mut u8) -> *mut u8 {
        unsafe {
            if stream < ALWAYS {
                return number(&mut self.streams[stream as usize], to);
            }
            *to = stream - ALWAYS;
            to.add(1)
        }
    }
}

/// A number, told by its place among those used last.
#[inline(never)]
unsafe fn used(stream: &mut *const u8, recent: &mut Recent, mut to: *mut u8) -> *mut u8 {
    unsafe {
        let mut next = || {
            let byte = **stream as usize;
            *stream = stream.add(1);
            byte
        };
        let mut place = next();
        if place >= 0x80 {
            place = place & 0x7f | next() << 7;
        }
        let numbers = recent.numbers.as_mut_ptr();
        while recent.known <= place {
            *numbers.add(recent.known) = recent.known as u16;
            recent.known += 1;
        }
        let mut number = *numbers.add(place);
        while place > 0 {
            *numbers.add(place) = *numbers.add(place - 1);
            place -= 1;
        }
        *numbers = number;
        if number >= 0x80 {
            *to = number as u8 | 0x80;
            to = to.add(1);
            number >>= 7;
        }
        *to = number as u8;
        to.add(1)
    }
}

/// Makes room for so many bytes more.
pub fn grow(bytes: usize) {
    const PAGE: usize = 65_536;
    core::arch::wasm32::memory_grow(0, bytes.div_ceil(PAGE));
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
