//! One stream drawn in order, for whatever happens rarely: initial weights, a shuffle, a choice.

use super::{block, normal, uniform};

/// A sequence of draws from one stream. Its position is two numbers, so it can be saved and restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The key.
    pub seed: u64,
    /// Which stream of that key.
    pub stream: u32,
    /// The next step to draw.
    pub step: u32,
}

impl Stream {
    /// The stream from its start.
    pub fn new(seed: u64, stream: u32) -> Self {
        Self { seed, stream, step: 0 }
    }

    /// The two words of the next step.
    pub fn next_block(&mut self) -> [u32; 2] {
        let block = block(self.seed, self.stream, self.step);
        self.step = self.step.wrapping_add(1);
        block
    }

    /// A number in \[0, 1).
    pub fn uniform(&mut self) -> f32 {
        uniform(self.next_block()[0])
    }

    /// A standard normal number.
    pub fn normal(&mut self) -> f32 {
        normal(self.next_block())[0]
    }

    /// An integer in 0..`count`; `count` must not be 0. Biased by less than `count`/2⁶⁴.
    pub fn below(&mut self, count: u32) -> u32 {
        assert!(count > 0, "a choice needs at least one alternative");
        let [low, high] = self.next_block();
        let word = u64::from(high) << 32 | u64::from(low);
        ((u128::from(word) * u128::from(count)) >> 64) as u32
    }

    /// Puts `items` into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}
