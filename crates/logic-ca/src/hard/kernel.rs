//! Stepping blocks of cells through a schedule.

use super::boards::BLOCK;
use super::schedule::{Kind, Operands, Schedule};
use crate::wiring::{CENTER, NEIGHBORHOOD};
use vivarium_kernels::simd::{Simd, SimdBase};

/// As many slots as a 16-bit number can name, so that none needs to be checked.
const NAMED: usize = 1 << 16;

/// Words of a cache line, on which slots begin.
const LINE: usize = 8;

/// The memory of a thread: the values of a block of cells. The system gives pages of it only when they are
/// written, and a schedule uses the first few alone.
#[derive(Debug)]
pub struct Slots(Vec<u64>);

/// All that can be named.
type Named = [[u64; BLOCK]; NAMED];

impl Slots {
    /// Room for any schedule.
    pub fn new() -> Self {
        Self(vec![0; NAMED * BLOCK + LINE])
    }

    fn named(&mut self) -> &mut Named {
        let start = self.0.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        let (slots, _) = self.0[start..].as_chunks_mut();
        // Lengths follow from those in `new`.
        slots[..NAMED].as_mut_array().expect("a slice of this length")
    }
}

/// Where the neighbors at a place lie: so many words further and so many bits to the right.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// To be added, wrapping, to the word of the cells.
    words: usize,
    /// Below 64.
    bits: u32,
}

/// The places of a neighborhood, where rows stand `stride` bits apart.
pub fn places(stride: usize) -> [Place; NEIGHBORHOOD] {
    std::array::from_fn(|place| {
        let distance = (place / 3) as isize * stride as isize + (place % 3) as isize - stride as isize - 1;
        Place { words: distance.div_euclid(64) as usize, bits: distance.rem_euclid(64) as u32 }
    })
}

/// What all blocks of a step share.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub schedule: &'a Schedule,
    /// `[channel][words]`.
    pub planes: &'a [u64],
    /// Words of a plane.
    pub words: usize,
    /// 1 where there is a cell.
    pub cells: &'a [u64],
    /// 1 where a cell fires; `None` where all do.
    pub firing: Option<&'a [u64]>,
    pub places: [Place; NEIGHBORHOOD],
}

/// The loop over the operands of a run, once for each function.
macro_rules! gates {
    ($s:ident, $S:ident, $slots:ident, $operands:ident, $function:expr,
     $($number:literal => |$a:ident, $b:ident| $value:expr,)*) => {
        match $function {
            // Copied out, so that they need not be read again after each store.
            $($number => for &Operands { a, b, out } in $operands {
                // A gate may write a slot that it reads: part by part it reads before it writes.
                for part in (0..BLOCK).step_by($S::u64s::LEN) {
                    let $a = $S::u64s::from_slice($s, &$slots[usize::from(a)][part..part + $S::u64s::LEN]);
                    let $b = $S::u64s::from_slice($s, &$slots[usize::from(b)][part..part + $S::u64s::LEN]);
                    let value: $S::u64s = $value;
                    value.store_slice(&mut $slots[usize::from(out)][part..part + $S::u64s::LEN]);
                }
            },)*
            _ => unreachable!("there are sixteen functions"),
        }
    };
}

impl Step<'_> {
    /// Steps the blocks from word `first` on, as many as there are in `outputs`, the words of every channel.
    #[inline(always)]
    pub fn run<S: Simd>(self, s: S, first: usize, slots: &mut Slots, outputs: &mut [&mut [u64]]) {
        let slots = slots.named();
        let words = outputs.first().map_or(0, |words| words.len());
        for start in (0..words).step_by(BLOCK) {
            s.vectorize(
                #[inline(always)]
                || self.block(s, first + start, start, slots, outputs),
            );
        }
    }

    #[inline(always)]
    fn block<S: Simd>(&self, s: S, word: usize, start: usize, slots: &mut Named, outputs: &mut [&mut [u64]]) {
        let mut rest = &self.schedule.operands[..];
        for &(kind, count) in &self.schedule.runs {
            let (operands, later) = rest.split_at(count);
            rest = later;
            match kind {
                Kind::Load => self.load(s, word, operands, slots),
                Kind::Gate(function) => evaluate(s, function, operands, slots),
            }
        }
        for (channel, (output, &slot)) in outputs.iter_mut().zip(&self.schedule.outputs).enumerate() {
            let output = &mut output[start..start + BLOCK];
            let old = &self.planes[channel * self.words + word..][..BLOCK];
            let cells = &self.cells[word..word + BLOCK];
            for part in (0..BLOCK).step_by(S::u64s::LEN) {
                let of = |words: &[u64]| S::u64s::from_slice(s, &words[part..part + S::u64s::LEN]);
                let mut value = of(&slots[usize::from(slot)]);
                if let Some(firing) = self.firing {
                    let (old, firing) = (of(old), of(&firing[word..word + BLOCK]));
                    value = old ^ ((old ^ value) & firing);
                }
                (value & of(cells)).store_slice(&mut output[part..part + S::u64s::LEN]);
            }
        }
    }

    /// Reads inputs of the cells from word `word` on.
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, word: usize, operands: &[Operands], slots: &mut Named) {
        for operands in operands {
            let (channel, place) =
                (usize::from(operands.a) / NEIGHBORHOOD, usize::from(operands.a) % NEIGHBORHOOD);
            let slot = &mut slots[usize::from(operands.out)];
            let Place { words, bits } = self.places[place];
            let from = (channel * self.words + word).wrapping_add(words);
            if place == CENTER {
                slot.copy_from_slice(&self.planes[from..from + BLOCK]);
                continue;
            }
            let from = &self.planes[from..from + BLOCK + 1];
            for part in (0..BLOCK).step_by(S::u64s::LEN) {
                let low = S::u64s::from_slice(s, &from[part..part + S::u64s::LEN]);
                let high = S::u64s::from_slice(s, &from[part + 1..part + 1 + S::u64s::LEN]);
                let value = (low >> bits) | ((high << 1u32) << (63 - bits));
                value.store_slice(&mut slot[part..part + S::u64s::LEN]);
            }
        }
    }
}

/// Evaluates gates of one function.
#[inline(always)]
fn evaluate<S: Simd>(s: S, function: u8, operands: &[Operands], slots: &mut Named) {
    gates!(s, S, slots, operands, function,
        0 => |_a, _b| S::u64s::splat(s, 0),
        1 => |a, b| a & b,
        2 => |a, b| a & !b,
        3 => |a, _b| a,
        4 => |a, b| !a & b,
        5 => |_a, b| b,
        6 => |a, b| a ^ b,
        7 => |a, b| a | b,
        8 => |a, b| !(a | b),
        9 => |a, b| !(a ^ b),
        10 => |_a, b| !b,
        11 => |a, b| a | !b,
        12 => |a, _b| !a,
        13 => |a, b| !a | b,
        14 => |a, b| !(a & b),
        15 => |_a, _b| S::u64s::splat(s, u64::MAX),
    );
}
