//! Random scrambles: random walks of face turns.

use super::turn::{CubeSize, FaceTurn, TurnMetric};
use std::ops::Range;
use vivarium_kernels::rng::Stream;

/// Whether a random walk of turns may contain redundant moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backtracking {
    /// Any turn may follow any turn.
    Allowed,
    /// A turn that is [redundant](TurnMetric::redundant_after) after the previous turn is never drawn.
    Never,
}

/// Random walk of face turns.
#[derive(Clone, Debug)]
pub struct RandomWalk {
    metric: TurnMetric,
    turns: &'static [FaceTurn],
    backtracking: Backtracking,
    /// Range of action indices that the next draw excludes.
    excluded: Range<usize>,
}

impl RandomWalk {
    /// Creates a random walk of the turns that count as one move in `metric`, for a cube of size `size`.
    pub fn new(size: CubeSize, metric: TurnMetric, backtracking: Backtracking) -> Self {
        Self { metric, turns: metric.turns(size), backtracking, excluded: 0..0 }
    }

    /// Draws the next turn, and excludes the turns that would be redundant after this turn if backtracking is not
    /// allowed. Returns the turn's action index and the turn.
    #[inline]
    pub fn next(&mut self, random: &mut Stream) -> (usize, FaceTurn) {
        let choice = random.below((self.turns.len() - self.excluded.len()) as u32) as usize;
        let index = if choice < self.excluded.start { choice } else { choice + self.excluded.len() };
        if self.backtracking == Backtracking::Never {
            self.excluded = self.metric.redundant_after(index);
        }
        (index, self.turns[index])
    }

    /// Restarts the walk: the next draw excludes no turn.
    pub fn restart(&mut self) {
        self.excluded = 0..0;
    }
}
