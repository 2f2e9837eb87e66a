//! The 2×2×2 and 3×3×3 cubes: states, moves, notation, encodings and symmetries.
//!
//! - [`FaceTurn`]: a turn of one face. [`TurnMetric`]: which turns count as one move (quarter-turn or half-turn
//!   metric).
//! - [`Cube2`]: a state of the 2×2×2 cube with one corner fixed. [`DistanceTable`]: the exact distances of all
//!   3,674,160 states.
//! - [`Cube3`]: a state of the 3×3×3 cube. [`Cube3Tables`]: its rules as look-up tables for GPU kernels.
//! - [`CubePuzzle`]: common interface of both cubes.
//! - [`Cube2Symmetries`], [`Symmetry`]: symmetry reduction.
//! - [`TwoPhaseSolver`]: near-optimal solver of the 3×3×3 cube.
//! - [`RandomWalk`]: scrambles of random turns. [`StateScrambler`]: random-state scrambles.
//! - [`CubeAlgorithm`], [`parse_turns`], [`format_turns`]: notation.
//! - [`AlgorithmEffect`], [`PieceCycle`], [`MoveMetric`]: cycles, order and length of an algorithm.
//! - [`StickerError`]: validation of colors.
//!
//! ```
//! use vivarium_envs::cube::{Cube2, DistanceTable, TurnMetric, CubeSize, parse_turns};
//!
//! let mut cube = Cube2::SOLVED;
//! for turn in parse_turns("R U R' U'", CubeSize::Two)? {
//!     cube = cube.turned(turn);
//! }
//! let distances = DistanceTable::new(TurnMetric::Quarter);
//! assert_eq!(distances.of(cube), 4);
//! # Ok::<(), vivarium_envs::cube::CubeNotationError>(())
//! ```

mod cube2;
mod cube2_symmetries;
mod cube3;
mod cube3_symmetry;
mod cube3_tables;
mod distances;
mod notation;
mod permutation;
mod piece_cycles;
mod pieces;
mod puzzle;
mod random_walk;
mod state_scrambler;
mod sticker_error;
mod stickers;
mod turn;
mod two_phase;

pub use cube2::Cube2;
pub use cube2_symmetries::Cube2Symmetries;
pub use cube3::Cube3;
pub use cube3_symmetry::Symmetry;
pub use cube3_tables::Cube3Tables;
pub use distances::DistanceTable;
pub use notation::{
    AlgorithmEffect, AlgorithmStage, CubeAlgorithm, CubeAxis, CubeLayers, CubeNotationError, CubeOrientation,
    FramedTurns, LayerMove, MoveMetric, format_turns, parse_turns, simplify_turns,
};
pub use piece_cycles::PieceCycle;
pub use puzzle::CubePuzzle;
pub use random_walk::{Backtracking, RandomWalk};
pub use state_scrambler::{Cube2Scrambler, Cube3Scrambler, StateScramble, StateScrambler};
pub use sticker_error::StickerError;
pub use turn::{CubeSize, Face, FaceTurn, TurnMetric};
pub use two_phase::{TwoPhaseObserver, TwoPhaseSolution, TwoPhaseSolver};
