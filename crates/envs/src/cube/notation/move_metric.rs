//! Length of move sequences.

use super::layer_move::{CubeLayers, LayerMove};

/// Metric of a sequence of layer moves: the number of moves that each of them counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveMetric {
    /// Half-turn metric (HTM, also FTM or OBTM): a turn of outer layers is 1 move, a slice turn 2 moves.
    HalfTurn,
    /// Quarter-turn metric (QTM): as in HTM, and half turns count twice.
    QuarterTurn,
    /// Slice-turn metric (STM): each turn of layers is 1 move.
    SliceTurn,
    /// Execution-turn metric (ETM): each turn and each rotation of the whole cube is 1 move.
    ExecutionTurn,
}

impl MoveMetric {
    /// All metrics.
    pub const ALL: [Self; 4] = [Self::HalfTurn, Self::QuarterTurn, Self::SliceTurn, Self::ExecutionTurn];

    /// Returns the abbreviation, such as `HTM`.
    pub const fn name(self) -> &'static str {
        ["HTM", "QTM", "STM", "ETM"][self as usize]
    }

    /// Returns the number of moves that `layers` counts as. Rotations of the whole cube count in the execution-turn metric
    /// only.
    pub const fn cost(self, layers: LayerMove) -> u32 {
        let quarters = if layers.quarters() == 2 { 2 } else { 1 };
        match (layers.layers(), self) {
            (_, Self::ExecutionTurn) => 1,
            (CubeLayers::Whole(_), _) => 0,
            (_, Self::SliceTurn) => 1,
            (CubeLayers::Slice(_), Self::HalfTurn) => 2,
            (CubeLayers::Slice(_), Self::QuarterTurn) => 2 * quarters,
            (_, Self::HalfTurn) => 1,
            (_, Self::QuarterTurn) => quarters,
        }
    }

    /// Returns the length of a sequence in moves.
    pub fn length(self, moves: &[LayerMove]) -> u32 {
        moves.iter().map(|&layers| self.cost(layers)).sum()
    }
}
