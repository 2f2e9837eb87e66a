//! Players of board games, and matches between them.
//!
//! - [`NetworkPlayer`]: an AlphaZero network, by one-ply lookahead or with a search.
//! - [`Random`], [`Pips`], [`Pubeval`], [`Minimax`], [`Solver`]: reference players without a network.
//! - [`PairedMatch`]: pairs of games with the same dice and swapped seats. [`MatchScore`]: its result with confidence
//!   intervals.
//! - [`RatedDecision`], [`EquityLoss`]: mean equity loss of a backgammon player over positions whose plays have
//!   known equities.
//!
//! A [`Player`] chooses for many games at once, so that a network can evaluate them in one batch.
//!
//! ```
//! use vivarium_agents::players::{MatchScore, PairedMatch, Pips, Pubeval};
//!
//! let mut games = PairedMatch::new(1, 0..100);
//! games.play([&mut Pubeval, &mut Pips])?;
//! let score = MatchScore::of(&games.points(), 3.0);
//! assert!(score.points.low > 0.0);
//! # Ok::<(), vivarium_agents::players::PlayerError>(())
//! ```

mod backgammon;
mod connect_four;
mod match_game;
mod paired_match;
mod random;
mod score;
mod turns;

pub use crate::alphazero::{EvaluatedTurn, NetworkPlayer};
pub use backgammon::{DecisionError, EquityLoss, Pips, Pubeval, RatedDecision};
pub use connect_four::{Minimax, Solver};
pub use match_game::MatchGame;
pub use paired_match::PairedMatch;
pub use random::Random;
pub use score::{ConfidenceInterval, MatchScore};
pub use turns::{best_turn, each_turn};

use vivarium_kernels::rng;
use vivarium_mcts::{Game, SearchError};

/// A decision that a player has to make: the state, and a random number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision<G> {
    /// State of the game in which the player to move has to decide.
    pub state: G,
    /// Uniform 64-bit random number for this decision. This number is the only source of randomness that a player may
    /// use, so that matches are reproducible.
    pub random: u64,
}

impl<G> Decision<G> {
    /// Creates a decision whose random number is the number with index `step` in random stream `stream` of the
    /// generator with seed `seed`.
    pub fn new(state: G, seed: u64, stream: u32, step: u32) -> Self {
        let [low, high] = rng::block(seed, stream, step);
        Self { state, random: u64::from(high) << 32 | u64::from(low) }
    }
}

/// A player of a board game, which chooses moves for many games at once.
pub trait Player<G: Game>: Send {
    /// Chooses a move for each of `decisions`. Returns the branch index of each move, in the order of `decisions`.
    ///
    /// # Errors
    /// [`PlayerError`] if the player fails.
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError>;
}

/// Error of a player, or of a match between players.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayerError {
    /// A search tree needs more memory than available or allowed.
    #[error("search failed: {0}")]
    Search(#[from] SearchError),
    /// A player chose a branch (move) that is not legal.
    #[error("player chose branch {branch}, which is not legal; legal branches: {allowed}")]
    Illegal {
        /// Index of the branch that the player chose.
        branch: usize,
        /// Description of the branches that are legal.
        allowed: String,
    },
    /// The number of moves that a player returned differs from the number of decisions that the player had to make.
    #[error("player made {got} choices for {expected} decisions")]
    Answers {
        /// Number of moves that the player returned.
        got: usize,
        /// Number of decisions that the player had to make.
        expected: usize,
    },
    /// An external program that plays, such as GNU Backgammon, failed. Contains a description of the failure.
    #[error("{0}")]
    Outside(String),
}
