//! Parallel operations on flat parameter buffers: gradient sums, norms and optimizer steps.
//!
//! Buffers are divided by recursive halving. The division, and therefore the rounding of sums, does not depend on the
//! number of threads.

use crate::cpu::Cpu;
use std::ops::Deref;
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::{norm, reduce};

/// Maximum number of elements that one task processes. Larger in a browser, where waking a thread takes longer.
pub(crate) const PART: usize = if cfg!(target_family = "wasm") { 1 << 15 } else { 1 << 12 };

impl Cpu {
    /// Adds vectors element-wise to `sum`. Elements of a vector beyond the length of `sum` are ignored.
    ///
    /// # Panics
    /// If a vector is shorter than `sum`.
    pub(crate) fn add_all<V: Deref<Target = [f32]> + Sync>(&self, vectors: &[V], sum: &mut [f32]) {
        let add = |start: usize, part: &mut [f32]| {
            for vector in vectors {
                reduce::add(self.level(), &vector[start..start + part.len()], part);
            }
        };
        self.parts(0, sum, &add);
    }

    /// Returns the sum of squares.
    pub fn sum_of_squares(&self, numbers: &[f32]) -> f32 {
        let Some((front, back)) = halves(numbers.len()).map(|half| numbers.split_at(half)) else {
            return norm::sum_of_squares(self.level(), numbers);
        };
        let (front, back) = self.join(|| self.sum_of_squares(front), || self.sum_of_squares(back));
        front + back
    }

    /// Multiplies by a factor, as [`norm::scale`] does, on all threads.
    pub fn scale(&self, numbers: &mut [f32], factor: f32) {
        self.parts(0, numbers, &|_, part: &mut [f32]| norm::scale(self.level(), part, factor));
    }

    /// Takes an Adam step as [`adam::step`] does, on all threads.
    ///
    /// # Panics
    /// If the four slices differ in length.
    pub fn adam(
        &self,
        parameters: &mut [f32],
        gradients: &[f32],
        first_moment: &mut [f32],
        second_moment: &mut [f32],
        settings: &AdamStep,
    ) {
        let Some(half) = halves(parameters.len()) else {
            return adam::step(self.level(), parameters, gradients, first_moment, second_moment, settings);
        };
        let (p, parameters) = parameters.split_at_mut(half);
        let (g, gradients) = gradients.split_at(half);
        let (m, first_moment) = first_moment.split_at_mut(half);
        let (v, second_moment) = second_moment.split_at_mut(half);
        self.join(
            || self.adam(p, g, m, v, settings),
            || self.adam(parameters, gradients, first_moment, second_moment, settings),
        );
    }

    /// Calls `work` with each part of the buffer (at most [`PART`] elements) and the index of its first element.
    fn parts(&self, first: usize, numbers: &mut [f32], work: &(impl Fn(usize, &mut [f32]) + Sync)) {
        let Some(half) = halves(numbers.len()) else { return work(first, numbers) };
        let (front, back) = numbers.split_at_mut(half);
        self.join(|| self.parts(first, front, work), || self.parts(first + half, back, work));
    }
}

/// Returns the position at which to halve a buffer of more than [`PART`] elements: a multiple of the SIMD width.
fn halves(len: usize) -> Option<usize> {
    (len > PART).then(|| (len / 2).next_multiple_of(64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(len: usize, seed: usize) -> Vec<f32> {
        (0..len).map(|i| ((i * 31 + seed * 17) % 101) as f32 / 50.0 - 1.0).collect()
    }

    /// Lengths around the size of a part.
    const LENGTHS: [usize; 4] = [3, PART, PART + 1, 5 * PART + 77];

    #[test]
    fn vectors_are_added() {
        for len in LENGTHS {
            let vectors = [numbers(len, 1), numbers(len + 5, 2), numbers(len, 3)];
            let mut expected = numbers(len, 4);
            for vector in &vectors {
                expected.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
            }
            for threads in [1, 3] {
                let mut sum = numbers(len, 4);
                Cpu::new(threads).add_all(&vectors, &mut sum);
                assert_eq!(sum, expected);
            }
        }
    }

    #[test]
    fn a_norm_does_not_depend_on_the_number_of_threads() {
        for len in LENGTHS {
            let all = numbers(len, 5);
            let expected: f64 = all.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            let [one, three] = [1, 3].map(|threads| Cpu::new(threads).sum_of_squares(&all));
            assert_eq!(one, three);
            assert!((f64::from(one) - expected).abs() < 1e-4 * expected, "{one} for {expected}");
        }
    }

    #[test]
    fn numbers_are_scaled() {
        for len in LENGTHS {
            let expected: Vec<f32> = numbers(len, 5).iter().map(|x| 0.3 * x).collect();
            for threads in [1, 3] {
                let mut scaled = numbers(len, 5);
                Cpu::new(threads).scale(&mut scaled, 0.3);
                assert_eq!(scaled, expected);
            }
        }
    }

    #[test]
    fn a_parallel_adam_step_equals_a_sequential_one() {
        let settings = AdamStep { step: 3, weight_decay: 0.1, ..AdamStep::default() };
        for len in LENGTHS {
            let gradients = numbers(len, 6);
            let begin =
                || [numbers(len, 7), numbers(len, 8), numbers(len, 9).iter().map(|x| x * x).collect()];
            let [mut p, mut m, mut v] = begin();
            let cpu = Cpu::new(3);
            adam::step(cpu.level(), &mut p, &gradients, &mut m, &mut v, &settings);
            let [mut parted, mut first, mut second] = begin();
            cpu.adam(&mut parted, &gradients, &mut first, &mut second, &settings);
            assert_eq!([p, m, v], [parted, first, second]);
        }
    }
}
