//! SIMD kernel that executes a schedule on blocks of cells.

use super::boards::BLOCK;
use super::schedule::{InstructionKind, Operands, Schedule};
use crate::circuit::{CENTER, NEIGHBORHOOD};
use vivarium_kernels::simd::{Simd, SimdBase};

/// Number of slots (storage places of circuit values) that a 16-bit index can address. With memory for all of them,
/// indexing needs no bounds checks.
const NAMED: usize = 1 << 16;

/// Number of 64-bit words per cache line; slots (storage places of circuit values) are aligned to cache lines.
const LINE: usize = 8;

/// Slot memory of a thread. Each slot stores one circuit value for all cells of a block. A circuit uses only the first
/// slots; the operating system commits memory pages on first write.
#[derive(Debug)]
pub struct SlotMemory(Vec<u64>);

/// Circuit values of one block of cells, in all slots (storage places) that a 16-bit index can address, `[slot][word]`,
/// 64 cells per word.
type AddressableSlots = [[u64; BLOCK]; NAMED];

impl SlotMemory {
    /// Allocates slot memory with all slots that a 16-bit index can address.
    pub fn new() -> Self {
        Self(vec![0; NAMED * BLOCK + LINE])
    }

    fn named(&mut self) -> &mut AddressableSlots {
        let start = self.0.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        let (slots, _) = self.0[start..].as_chunks_mut();
        // `new` has allocated this length, so this cannot fail.
        slots[..NAMED].as_mut_array().expect("a slice of this length")
    }
}

/// Distance, in a bit plane, from a cell to its neighbor at one neighborhood position: 64 · `words` + `bits` bits.
#[derive(Clone, Copy, Debug)]
pub struct NeighborShift {
    /// Distance in 64-bit words, to be added to the word index of the cell with wrapping arithmetic.
    words: usize,
    /// Distance in bits within a word, 0 to 63: the kernel concatenates the word at distance `words` and its successor,
    /// and shifts them right by this number.
    bits: u32,
}

/// Returns the distances from a cell to the neighbors at the nine neighborhood positions, for boards whose rows begin
/// `stride` bits apart.
pub fn neighbor_shifts(stride: usize) -> [NeighborShift; NEIGHBORHOOD] {
    std::array::from_fn(|place| {
        let distance = (place / 3) as isize * stride as isize + (place % 3) as isize - stride as isize - 1;
        NeighborShift { words: distance.div_euclid(64) as usize, bits: distance.rem_euclid(64) as u32 }
    })
}

/// Inputs of a step of the hard automaton (discrete gates) that are equal for all blocks of cells.
#[derive(Clone, Copy)]
pub struct HardStep<'a> {
    pub schedule: &'a Schedule,
    /// Current state of the boards as bit planes, `[channel][words]`, 64 bits per word.
    pub planes: &'a [u64],
    /// Number of 64-bit words per plane (one channel of all boards).
    pub words: usize,
    /// Bit mask of one plane: 1 for bits that are cells of a board, 0 for bits of the margins between rows and boards.
    pub cells: &'a [u64],
    /// Update mask of the step, as one bit plane: 1 for cells that are updated. `None` for a synchronous step.
    pub mask_words: Option<&'a [u64]>,
    pub shifts: [NeighborShift; NEIGHBORHOOD],
}

/// Generates a `match` over the sixteen gate functions. Each arm evaluates a run, a sequence of gates with the same
/// function, in a loop over the operands of its gates.
macro_rules! gates {
    ($s:ident, $S:ident, $slots:ident, $operands:ident, $function:expr,
     $($number:literal => |$a:ident, $b:ident| $value:expr,)*) => {
        match $function {
            // Operands are copied to registers, so that stores do not force a reload.
            $($number => for &Operands { a, b, out } in $operands {
                // The output slot may equal an input slot: each part is read before it is written.
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

impl HardStep<'_> {
    /// Runs an automaton step on successive blocks of cells, beginning at word `first` of each bit plane. Writes the
    /// next states to `outputs`, one slice of words per channel. `slots` is the slot memory of the thread.
    #[inline(always)]
    pub fn run<S: Simd>(self, s: S, first: usize, slots: &mut SlotMemory, outputs: &mut [&mut [u64]]) {
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
    fn block<S: Simd>(
        &self,
        s: S,
        word: usize,
        start: usize,
        slots: &mut AddressableSlots,
        outputs: &mut [&mut [u64]],
    ) {
        let mut rest = &self.schedule.operands[..];
        for &(kind, count) in &self.schedule.runs {
            let (operands, later) = rest.split_at(count);
            rest = later;
            match kind {
                InstructionKind::Load => self.load(s, word, operands, slots),
                InstructionKind::Gate(function) => evaluate(s, function, operands, slots),
            }
        }
        for (channel, (output, &slot)) in outputs.iter_mut().zip(&self.schedule.outputs).enumerate() {
            let output = &mut output[start..start + BLOCK];
            let old = &self.planes[channel * self.words + word..][..BLOCK];
            let cells = &self.cells[word..word + BLOCK];
            for part in (0..BLOCK).step_by(S::u64s::LEN) {
                let of = |words: &[u64]| S::u64s::from_slice(s, &words[part..part + S::u64s::LEN]);
                let mut value = of(&slots[usize::from(slot)]);
                if let Some(mask_words) = self.mask_words {
                    let (old, mask_words) = (of(old), of(&mask_words[word..word + BLOCK]));
                    value = old ^ ((old ^ value) & mask_words);
                }
                (value & of(cells)).store_slice(&mut output[part..part + S::u64s::LEN]);
            }
        }
    }

    /// Loads the circuit inputs of a block of cells, 64 per word, into slots (registers of the simulated circuit). The
    /// block starts at word `word` of each channel's bit plane.
    #[inline(always)]
    fn load<S: Simd>(&self, s: S, word: usize, operands: &[Operands], slots: &mut AddressableSlots) {
        for operands in operands {
            let (channel, place) =
                (usize::from(operands.a) / NEIGHBORHOOD, usize::from(operands.a) % NEIGHBORHOOD);
            let slot = &mut slots[usize::from(operands.out)];
            let NeighborShift { words, bits } = self.shifts[place];
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

/// Evaluates a run, a sequence of gates with the same function, for all cells of one block.
#[inline(always)]
fn evaluate<S: Simd>(s: S, function: u8, operands: &[Operands], slots: &mut AddressableSlots) {
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
