//! Recording of the first board of an epoch for visualization.

use crate::hard::Boards;
use crate::soft;

/// States of the first board after every step of an epoch, for the soft automaton (differentiable gates) and the hard
/// automaton (discrete gates). Both automata start from one initial state and have the same update masks.
#[derive(Clone, Debug)]
pub struct RolloutRecording {
    channels: usize,
    cells: usize,
    /// States of the soft automaton (differentiable gates) as bytes, `[step][channel][cell]`; step 0 is the initial
    /// state. The field `hard` has the same layout.
    soft: Vec<u8>,
    hard: Vec<u8>,
}

impl RolloutRecording {
    /// Allocates a recording for `steps` automaton steps on a board of `cells` cells with `channels` channels.
    pub(crate) fn new(steps: usize, channels: usize, cells: usize) -> Self {
        let bytes = (steps + 1) * channels * cells;
        Self { channels, cells, soft: vec![0; bytes], hard: vec![0; bytes] }
    }

    /// Returns the number of recorded automaton steps, without the initial state.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.soft.len() / (self.channels * self.cells) - 1
    }

    /// Returns the number of channels of a cell.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the values of a channel in the soft automaton (differentiable gates) after `step` steps, row by row.
    /// Values from 0 to 1 are scaled to bytes from 0 to 255.
    ///
    /// # Panics
    /// If `step` or `channel` is out of range.
    #[must_use]
    pub fn soft(&self, step: usize, channel: usize) -> &[u8] {
        &self.soft[self.place(step, channel)..][..self.cells]
    }

    /// Returns the bits of a channel in the hard automaton (discrete gates) after `step` steps, row by row, as bytes 0
    /// or 255.
    ///
    /// # Panics
    /// If `step` or `channel` is out of range.
    #[must_use]
    pub fn hard(&self, step: usize, channel: usize) -> &[u8] {
        &self.hard[self.place(step, channel)..][..self.cells]
    }

    /// Copies the states of the first board after all steps of a rollout with soft (differentiable) gates to the
    /// recording.
    pub(crate) fn record_soft(&mut self, rollout: &soft::CellRollout) {
        for step in 0..=self.steps() {
            for channel in 0..self.channels {
                let place = self.place(step, channel);
                rollout.first_values(step, channel, &mut self.soft[place..place + self.cells]);
            }
        }
    }

    /// Copies the state of the first board of the hard automaton (discrete gates), after `step` steps, to the
    /// recording.
    pub(crate) fn record_hard(&mut self, step: usize, boards: &Boards) {
        for channel in 0..self.channels {
            let place = self.place(step, channel);
            let cells = self.hard[place..place + self.cells].iter_mut();
            for (cell, bit) in cells.zip(boards.channel(channel)) {
                *cell = if bit { u8::MAX } else { 0 };
            }
        }
    }

    /// Replaces the recording by states that were read back from the GPU: first of the soft automaton (differentiable
    /// gates), then of the hard automaton (discrete gates). Each 32-bit word holds four cells.
    #[cfg(feature = "gpu")]
    pub(crate) fn set_words(&mut self, words: &[u32]) {
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
