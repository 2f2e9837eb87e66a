//! Random turns.

use super::turn::{Metric, Size, Turn};
use vivarium_kernels::rng::Stream;

/// Whether a random walk may waste moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undo {
    /// Any turn may follow any other.
    Allowed,
    /// No turn follows that together with the one before comes to no turn or to a single move: counting quarter turns the
    /// inverse, counting half turns any of the same face.
    Never,
}

/// Random turns, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    turns: &'static [Turn],
    /// How many moves a turn keeps from following it.
    barred: usize,
    metric: Metric,
    /// Where the moves begin that may not come next; all may where the walk begins.
    first_barred: Option<usize>,
}

impl Walk {
    /// A walk of a cube of this size.
    pub fn new(size: Size, metric: Metric, undo: Undo) -> Self {
        let barred = match (undo, metric) {
            (Undo::Allowed, _) => 0,
            (Undo::Never, Metric::Quarter) => 1,
            (Undo::Never, Metric::Half) => 3,
        };
        Self { turns: metric.turns(size), barred, metric, first_barred: None }
    }

    /// The next turn, and its number among the moves.
    #[inline]
    pub fn next(&mut self, random: &mut Stream) -> (usize, Turn) {
        let (first, barred) = self.first_barred.map_or((0, 0), |first| (first, self.barred));
        let choice = random.below((self.turns.len() - barred) as u32) as usize;
        let index = if choice < first { choice } else { choice + barred };
        self.first_barred = Some(match self.metric {
            Metric::Quarter => index ^ 1,
            Metric::Half => index / 3 * 3,
        });
        (index, self.turns[index])
    }

    /// Begins anew: any turn may come next.
    pub fn restart(&mut self) {
        self.first_barred = None;
    }
}
