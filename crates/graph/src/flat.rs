//! Parallel operations on flat parameter buffers: gradient sums, norms and optimizer steps.
//!
//! The division of buffers, and therefore the rounding of sums, does not depend on the number of threads.

use crate::cpu::Cpu;
use crate::divide::Chunks;
use std::ops::Deref;
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::{norm, reduce};

/// Maximum number of buffer elements that one parallel task processes. Larger in a browser, where waking a thread takes
/// longer.
pub(crate) const PART: usize = if cfg!(target_family = "wasm") { 1 << 15 } else { 1 << 12 };

impl Cpu {
    /// Adds vectors element-wise to `sum`. Elements of a vector beyond the length of `sum` are ignored.
    ///
    /// # Panics
    /// If a vector is shorter than `sum`.
    pub(crate) fn add_all<V: Deref<Target = [f32]> + Sync>(&self, vectors: &[V], sum: &mut [f32]) {
        self.for_each_part(Chunks { slice: sum, len: PART }, |index, sum| {
            for vector in vectors {
                reduce::add(self.level(), &vector[index * PART..][..sum.slice.len()], sum.slice);
            }
        });
    }

    /// Returns the sum of the squares of `numbers`. The sums of both halves are computed in parallel, by recursion.
    pub fn sum_of_squares(&self, numbers: &[f32]) -> f32 {
        if numbers.len() <= PART {
            return norm::sum_of_squares(self.level(), numbers);
        }
        let (front, back) = numbers.split_at((numbers.len() / 2).next_multiple_of(64));
        let (front, back) = self.join(|| self.sum_of_squares(front), || self.sum_of_squares(back));
        front + back
    }

    /// Multiplies each element of `numbers` by `factor`, as [`norm::scale`] does, on all threads.
    pub fn scale(&self, numbers: &mut [f32], factor: f32) {
        let parts = Chunks { slice: numbers, len: PART };
        self.for_each_part(parts, |_, part| norm::scale(self.level(), part.slice, factor));
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
        let len = parameters.len();
        assert!(
            [gradients.len(), first_moment.len(), second_moment.len()] == [len; 3],
            "the slices differ in length"
        );
        let [parameters, first_moment, second_moment] =
            [parameters, first_moment, second_moment].map(|slice| Chunks { slice, len: PART });
        let parts = ([parameters, first_moment, second_moment], Chunks { slice: gradients, len: PART });
        self.for_each_part(parts, |_, ([p, m, v], g)| {
            adam::step(self.level(), p.slice, g.slice, m.slice, v.slice, settings);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(len: usize, seed: usize) -> Vec<f32> {
        (0..len).map(|i| ((i * 31 + seed * 17) % 101) as f32 / 50.0 - 1.0).collect()
    }

    /// Lengths of test buffers, below and above [`PART`], the maximum number of elements in a task.
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
