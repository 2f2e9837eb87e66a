//! Buffers for kernel tests, in which operands lie at chosen word offsets between guard words.

use vivarium_gpu::ops::{LinearArgs, OperandEpilogue};
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuRecorder, floats};

/// Guard word between the operands in a test buffer: a NaN, so that a result computed from the guard word fails the
/// test.
const GAP: u32 = 0x7fc0_dead;

/// Returns `len` pseudorandom values in [−1, 1), which depend only on `seed` and `len`.
pub fn numbers(seed: u64, len: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
    (0..len)
        .map(|_| {
            // SplitMix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect()
}

/// Records kernels and runs them once.
pub fn run(gpu: &Gpu, record: impl FnOnce(&mut GpuRecorder) -> Result<(), GpuError>) {
    let mut recorder = GpuRecorder::new(gpu);
    record(&mut recorder).unwrap();
    let program = recorder.finish().unwrap();
    gpu.submit(|encoder| encoder.run(&program)).unwrap();
}

/// Contents of a test buffer in host memory: operands and results as 32-bit words, separated by guard words.
#[derive(Clone, Default)]
pub struct OperandBuffer {
    words: Vec<u32>,
    written: Vec<std::ops::Range<usize>>,
}

impl OperandBuffer {
    /// Appends an operand after a gap of guard words. Returns its word offset, whose remainder modulo 4 is `rest`.
    pub fn place(&mut self, values: &[f32], rest: usize) -> usize {
        let mut start = self.words.len() + 5;
        while start % 4 != rest {
            start += 1;
        }
        self.words.resize(start, GAP);
        self.words.extend(values.iter().map(|value| value.to_bits()));
        start
    }

    /// Reserves space for a result, filled with guard words. Returns its word offset, whose remainder modulo 4 is
    /// `rest`.
    pub fn reserve(&mut self, len: usize, rest: usize) -> usize {
        let start = self.place(&vec![f32::from_bits(GAP); len], rest);
        self.written.push(start..start + len);
        start
    }

    /// Allows kernels to overwrite the `len` words from word offset `start` on, such as an operand that is also a
    /// result.
    pub fn may_change(&mut self, start: usize, len: usize) {
        self.written.push(start..start + len);
    }

    /// Appends guard words, and uploads all words to a new GPU buffer. `what` describes the buffer in error messages.
    pub fn upload(&mut self, gpu: &Gpu, what: &str) -> Buffer {
        self.words.resize(self.words.len() + 7, GAP);
        gpu.upload(what, &self.words).unwrap()
    }

    /// Reads the GPU buffer back, and asserts that kernels have changed only results and words that [may
    /// change](Self::may_change). `case` names the test case.
    pub fn read(&self, gpu: &Gpu, buffer: &Buffer, case: &str) -> Vec<f32> {
        let words = gpu.read_blocking(buffer, 0..self.words.len()).unwrap();
        for (at, (found, before)) in words.iter().zip(&self.words).enumerate() {
            let allowed = self.written.iter().any(|range| range.contains(&at));
            assert!(allowed || found == before, "{case}: word {at} of {} was overwritten", words.len());
        }
        floats(&words).to_vec()
    }
}

/// Operands of a linear layer with bias and residual connection, without norm and activation, and the buffers that
/// contain them.
pub struct LinearOperands {
    pub arena: OperandBuffer,
    pub parameters: OperandBuffer,
    /// Offsets of the operands in the buffers.
    pub layer: LinearArgs,
    pub x: Vec<f32>,
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
    pub residual: Vec<f32>,
}

impl LinearOperands {
    /// Places pseudorandom operands of a layer with the shape `[rows, inputs, outputs]` at word offsets whose remainder
    /// modulo 4 is `rest`.
    pub fn place([rows, inputs, outputs]: [usize; 3], rest: usize) -> Self {
        let (x, weight) = (numbers(1, rows * inputs), numbers(2, inputs * outputs));
        let (bias, residual) = (numbers(3, outputs), numbers(4, rows * outputs));
        let (mut arena, mut parameters) = (OperandBuffer::default(), OperandBuffer::default());
        let layer = LinearArgs {
            rows,
            inputs,
            outputs,
            x: arena.place(&x, rest),
            weight: parameters.place(&weight, rest),
            bias: Some(parameters.place(&bias, rest)),
            epilogue: OperandEpilogue {
                residual: Some(arena.place(&residual, rest)),
                ..OperandEpilogue::default()
            },
            y: arena.reserve(rows * outputs, rest),
        };
        Self { arena, parameters, layer, x, weight, bias, residual }
    }
}

/// Asserts that each number is within its tolerance of the expected number. `expected` holds pairs (expected number,
/// absolute tolerance).
pub fn assert_close(case: &str, found: &[f32], expected: &[(f64, f64)]) {
    assert_eq!(found.len(), expected.len(), "{case}");
    for (i, (&found, &(expected, tolerance))) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(found) - expected).abs();
        assert!(
            error <= tolerance,
            "{case}: number {i} is {found}, should be {expected} within {tolerance:e}"
        );
    }
}
