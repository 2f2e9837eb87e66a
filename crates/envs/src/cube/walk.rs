//! Random turns.

use super::turn::{Metric, Size, Turn};
use std::ops::Range;
use vivarium_kernels::rng::Stream;

/// Whether a random walk may waste moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undo {
    /// Any turn may follow any other.
    Allowed,
    /// No turn follows that [wastes](Metric::wasteful_after) the one before.
    Never,
}

/// Random turns, one after the other.
#[derive(Clone, Debug)]
pub struct Walk {
    metric: Metric,
    turns: &'static [Turn],
    undo: Undo,
    /// The moves that may not come next.
    barred: Range<usize>,
}

impl Walk {
    /// A walk of a cube of this size.
    pub fn new(size: Size, metric: Metric, undo: Undo) -> Self {
        Self { metric, turns: metric.turns(size), undo, barred: 0..0 }
    }

    /// The next turn, and its number among the moves.
    #[inline]
    pub fn next(&mut self, random: &mut Stream) -> (usize, Turn) {
        let choice = random.below((self.turns.len() - self.barred.len()) as u32) as usize;
        let index = if choice < self.barred.start { choice } else { choice + self.barred.len() };
        if self.undo == Undo::Never {
            self.barred = self.metric.wasteful_after(index);
        }
        (index, self.turns[index])
    }

    /// Begins anew: any turn may come next.
    pub fn restart(&mut self) {
        self.barred = 0..0;
    }
}
