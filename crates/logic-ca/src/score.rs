//! Accuracy of the hard automaton.

use crate::epoch_batch::EpochBatch;
use crate::hard::Boards;

/// Comparison of the hard automaton's last state with the target: number of wrong bits, and accuracy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoardScore {
    pub wrong_bits: u64,
    pub accuracy: f64,
}

impl BoardScore {
    pub fn of(boards: &Boards, batch: &EpochBatch) -> Self {
        let (mut wrong_bits, mut right_cells) = (0, 0u64);
        for lane in 0..batch.grid.lanes() {
            let wrong = |(channel, target_bits): &(usize, &Vec<bool>)| {
                boards.get(*channel, lane) != target_bits[lane]
            };
            let wrong = batch.target_bits.iter().enumerate().filter(wrong).count();
            wrong_bits += wrong as u64;
            right_cells += u64::from(wrong == 0);
        }
        Self { wrong_bits, accuracy: right_cells as f64 / batch.grid.lanes() as f64 }
    }
}
