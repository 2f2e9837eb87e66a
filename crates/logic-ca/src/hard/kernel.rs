//! Stepping blocks of cells through a schedule.

use super::boards::BLOCK;
use super::schedule::{Kind, Operands, Schedule};
use crate::wiring::{CENTRE, NEIGHBOURHOOD};
use vivarium_kernels::simd::{Simd, SimdBase};

/// The values of a block of 512 cells.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Slot([u64; BLOCK]);

impl Slot {
    /// All bits 0.
    pub const ZERO: Self = Self([0; BLOCK]);
}

/// Where the neighbours at a place lie: so many words further and so many bits to the right.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// To be added, wrapping, to the word of the cells.
    words: usize,
    /// Below 64.
    bits: u32,
}

/// The places of a neighbourhood, where rows stand `stride` bits apart.
pub fn places(stride: usize) -> [Place; NEIGHBOURHOOD] {
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
    pub places: [Place; NEIGHBOURHOOD],
}

/// The function's value for every operand, whatever the order in memory of slots read and written.
macro_rules! gates {
    ($s:ident, $S:ident, $slots:ident, $operands:ident, $function:expr,
     $($number:literal => |$a:ident, $b:ident| $value:expr,)*) => {
        match $function {
            $($number => for operands in $operands {
                // A gate may write the slot that it reads: word by word it reads before it writes.
                for part in (0..BLOCK).step_by($S::u64s::LEN) {
                    let $a = $S::u64s::from_slice($s, &$slots[usize::from(operands.a)].0[part..part + $S::u64s::LEN]);
                    let $b = $S::u64s::from_slice($s, &$slots[usize::from(operands.b)].0[part..part + $S::u64s::LEN]);
                    let value: $S::u64s = $value;
                    value.store_slice(&mut $slots[usize::from(operands.out)].0[part..part + $S::u64s::LEN]);
                }
            },)*
            _ => unreachable!("there are sixteen functions"),
        }
    };
}

impl Step<'_> {
    /// Steps the blocks from word `first` on, as many as there are in `outputs`, the words of every channel.
    #[inline(always)]
    pub fn run<S: Simd>(self, s: S, first: usize, slots: &mut [Slot], outputs: &mut [&mut [u64]]) {
        let words = outputs.first().map_or(0, |words| words.len());
        for start in (0..words).step_by(BLOCK) {
            s.vectorize(
                #[inline(always)]
                || self.block(s, first + start, start, slots, outputs),
            );
        }
    }

    #[inline(always)]
    fn block<S: Simd>(
        &self,
        s: S,
        word: usize,
        start: usize,
        slots: &mut [Slot],
        outputs: &mut [&mut [u64]],
    ) {
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
                let mut value = of(&slots[usize::from(slot)].0);
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
    fn load<S: Simd>(&self, s: S, word: usize, operands: &[Operands], slots: &mut [Slot]) {
        for operands in operands {
            let (channel, place) =
                (usize::from(operands.a) / NEIGHBOURHOOD, usize::from(operands.a) % NEIGHBOURHOOD);
            let slot = &mut slots[usize::from(operands.out)].0;
            let Place { words, bits } = self.places[place];
            let from = (channel * self.words + word).wrapping_add(words);
            if place == CENTRE {
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
fn evaluate<S: Simd>(s: S, function: u8, operands: &[Operands], slots: &mut [Slot]) {
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
