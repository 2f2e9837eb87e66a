//! Sequential random numbers of one stream, for infrequent draws such as initial weights.

use super::{block, normal, uniform};

/// A sequence of random numbers. The fields are its position, which can be saved and restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Seed, the key of the generator.
    pub seed: u64,
    /// Stream index, the first word of the counter.
    pub stream: u32,
    /// Index of the next step; each step yields two random words.
    pub step: u32,
}

impl Stream {
    /// Creates the sequence of the given seed and stream, which starts at step 0.
    pub fn new(seed: u64, stream: u32) -> Self {
        Self { seed, stream, step: 0 }
    }

    /// Returns the two random words of the current step, and advances to the next step.
    pub fn next_block(&mut self) -> [u32; 2] {
        let block = block(self.seed, self.stream, self.step);
        self.step = self.step.wrapping_add(1);
        block
    }

    /// Returns a uniform number in \[0, 1).
    pub fn uniform(&mut self) -> f32 {
        uniform(self.next_block()[0])
    }

    /// Returns a standard normal number.
    pub fn normal(&mut self) -> f32 {
        normal(self.next_block())[0]
    }

    /// Returns a uniform integer in 0..`count`. The bias is below `count`/2⁶⁴.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn below(&mut self, count: u32) -> u32 {
        assert!(count > 0, "count is 0");
        let [low, high] = self.next_block();
        let word = u64::from(high) << 32 | u64::from(low);
        ((u128::from(word) * u128::from(count)) >> 64) as u32
    }

    /// Shuffles `items` (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}
