//! What a person looks at while it learns: the first board of an epoch, step by step.

use crate::hard::Boards;
use crate::soft;

/// The first board through the steps of an epoch, as the soft automaton had it and, from the same start and with the
/// same cells firing, the hard one.
#[derive(Clone, Debug)]
pub struct Film {
    channels: usize,
    cells: usize,
    /// `[step][channel][cell]`, step 0 being the start.
    soft: Vec<u8>,
    hard: Vec<u8>,
}

impl Film {
    /// Room for boards of so many cells.
    pub(crate) fn new(steps: usize, channels: usize, cells: usize) -> Self {
        let bytes = (steps + 1) * channels * cells;
        Self { channels, cells, soft: vec![0; bytes], hard: vec![0; bytes] }
    }

    /// How many steps were taken.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.soft.len() / (self.channels * self.cells) - 1
    }

    /// Bits of a cell.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// A channel of the soft automaton after `step` steps, row by row: 0 stands for 0, 255 for 1.
    ///
    /// # Panics
    /// If there is no such step or channel.
    #[must_use]
    pub fn soft(&self, step: usize, channel: usize) -> &[u8] {
        &self.soft[self.place(step, channel)..][..self.cells]
    }

    /// The same of the hard automaton: 0 or 255.
    ///
    /// # Panics
    /// If there is no such step or channel.
    #[must_use]
    pub fn hard(&self, step: usize, channel: usize) -> &[u8] {
        &self.hard[self.place(step, channel)..][..self.cells]
    }

    /// Takes what a whole soft rollout came through.
    pub(crate) fn take_soft(&mut self, rollout: &soft::Rollout) {
        for step in 0..=self.steps() {
            for channel in 0..self.channels {
                let place = self.place(step, channel);
                rollout.first_values(step, channel, &mut self.soft[place..place + self.cells]);
            }
        }
    }

    /// Takes what hard boards are after `step` steps.
    pub(crate) fn take_hard(&mut self, step: usize, boards: &Boards) {
        for channel in 0..self.channels {
            let place = self.place(step, channel);
            let cells = self.hard[place..place + self.cells].iter_mut();
            for (cell, bit) in cells.zip(boards.channel(channel)) {
                *cell = if bit { u8::MAX } else { 0 };
            }
        }
    }

    /// Takes both from words of four cells each, all of the soft automaton and then all of the hard one.
    #[cfg(feature = "gpu")]
    pub(crate) fn take_words(&mut self, words: &[u32]) {
        let (soft, hard) = words.split_at(words.len() / 2);
        for (cells, words) in [(&mut self.soft, soft), (&mut self.hard, hard)] {
            let bytes = words.iter().flat_map(|word| word.to_le_bytes());
            cells.iter_mut().zip(bytes).for_each(|(cell, byte)| *cell = byte);
        }
    }

    fn place(&self, step: usize, channel: usize) -> usize {
        assert!(channel < self.channels, "channel {channel} of {}", self.channels);
        (step * self.channels + channel) * self.cells
    }
}
