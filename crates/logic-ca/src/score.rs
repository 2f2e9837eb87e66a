//! How much of what was wanted of a hard automaton it does.

use crate::hard::Boards;
use crate::task::Task;

/// How much of a hard automaton's last state is right.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub wrong_bits: u64,
    pub accuracy: f64,
}

impl Score {
    pub fn of(boards: &Boards, task: &Task) -> Self {
        let (mut wrong_bits, mut right_cells) = (0, 0u64);
        for lane in 0..task.grid.lanes() {
            let wrong = |(channel, wanted): &(usize, &Vec<bool>)| boards.get(*channel, lane) != wanted[lane];
            let wrong = task.wanted.iter().enumerate().filter(wrong).count();
            wrong_bits += wrong as u64;
            right_cells += u64::from(wrong == 0);
        }
        Self { wrong_bits, accuracy: right_cells as f64 / task.grid.lanes() as f64 }
    }
}
