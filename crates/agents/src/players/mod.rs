//! Players of board games, and matches between them.
//!
//! - [`NetworkPlayer`]: an AlphaZero network, by one-ply lookahead or with a search.
//! - [`Random`], [`Pips`], [`Pubeval`], [`Minimax`], [`Solver`]: reference players without a network.
//! - [`PairedMatch`]: pairs of games with the same dice and swapped seats. [`MatchScore`]: its result with confidence
//!   intervals.
//! - [`RatedDecision`], [`EquityLoss`]: mean equity loss over rated backgammon decisions.
//!
//! A [`Player`] chooses for many games at once, so that a network can evaluate them in one batch.
//!
//! ```
//! use vivarium_agents::players::{MatchScore, PairedMatch, Pips, Pubeval};
//!
//! let mut games = PairedMatch::new(1, 0..100);
//! games.play([&mut Pubeval, &mut Pips])?;
//! let score = MatchScore::of(&games.points());
//! assert!(score.points.low > 0.0);
//! # Ok::<(), vivarium_agents::players::PlayerError>(())
//! ```

mod backgammon;
mod connect_four;
mod match_game;
mod network;
mod paired_match;
mod random;
mod score;
mod turns;

pub use backgammon::{DecisionError, EquityLoss, Pips, Pubeval, RatedDecision};
pub use connect_four::{Minimax, Solver};
pub use match_game::MatchGame;
pub use network::{EvaluatedTurn, NetworkPlayer};
pub use paired_match::PairedMatch;
pub use random::Random;
pub use score::{ConfidenceInterval, MatchScore};
pub use turns::{best_turn, each_turn};

use vivarium_mcts::{Game, SearchError};

/// A decision that a player has to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision<G> {
    /// State in which the player to move decides.
    pub state: G,
    /// Random number for this decision. A player must use no other source of randomness; therefore matches are
    /// reproducible.
    pub random: u64,
}

/// A player that chooses moves for a batch of decisions.
pub trait Player<G: Game>: Send {
    /// Returns the index of the chosen branch (legal move) for each decision, in the order of `decisions`.
    ///
    /// # Errors
    /// [`PlayerError`] if the player fails.
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError>;
}

/// Error of a player or of a match.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayerError {
    /// The search tree could not be allocated.
    #[error("search failed: {0}")]
    Search(#[from] SearchError),
    /// The chosen branch is not legal.
    #[error("player chose branch {branch}, which is not legal; legal branches: {allowed}")]
    Illegal {
        /// Index of the chosen branch.
        branch: usize,
        /// Description of the legal branches.
        allowed: String,
    },
    /// The number of choices that the player returned differs from the number of decisions.
    #[error("player made {got} choices for {expected} decisions")]
    Answers {
        /// Number of choices that the player returned.
        got: usize,
        /// Number of decisions that the player was given.
        expected: usize,
    },
    /// An external program that plays, such as GNU Backgammon, failed.
    #[error("{0}")]
    Outside(String),
}
