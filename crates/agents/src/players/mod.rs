//! Who plays: opponents of every strength, and matches between them.
//!
//! A [`Player`] chooses in many games at once, so that one with a network can evaluate them together. A [`Match`] plays
//! pairs of games with the same luck and swapped seats, and a [`Score`] says what can be concluded from them.
//!
//! ```
//! use vivarium_agents::players::{Match, Pips, Pubeval, Score};
//!
//! let mut games = Match::new(1, 0..100);
//! games.play([&mut Pubeval, &mut Pips])?;
//! let score = Score::of(&games.points());
//! assert!(score.points.low > 0.0);
//! # Ok::<(), vivarium_agents::players::PlayerError>(())
//! ```

mod backgammon;
mod connect_four;
mod contest;
mod network;
mod random;
mod score;
mod table;
mod turns;

pub use backgammon::{DecisionError, EquityLoss, Pips, Pubeval, RatedDecision};
pub use connect_four::{Minimax, Solver};
pub use contest::Contest;
pub use network::{Ending, NetworkPlayer};
pub use random::Random;
pub use score::{Interval, Score};
pub use table::Match;
pub use turns::{best_turn, each_turn};

use vivarium_mcts::{Game, SearchError};

/// A decision that a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision<G> {
    /// A state in which the player to move decides.
    pub state: G,
    /// A random number for this decision alone. A player draws from nothing else, so that a match can be played again,
    /// and goes the same whoever sits where.
    pub random: u64,
}

/// Whoever can choose what to do.
pub trait Player<G: Game>: Send {
    /// Chooses one of the branches of each state, in their order.
    ///
    /// # Errors
    /// [`PlayerError`] if it cannot.
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError>;
}

/// Why a player cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayerError {
    /// Its search cannot be made.
    #[error("the search cannot be made: {0}")]
    Search(#[from] SearchError),
    /// It chose what is not among the branches.
    #[error("a player chose branch {branch}, which is not legal; allowed are {allowed}")]
    Illegal {
        /// What it chose.
        branch: usize,
        /// What it might have chosen.
        allowed: String,
    },
    /// It chose too often or not often enough.
    #[error("a player answered {got} decisions of {asked}")]
    Answers {
        /// How many answers there are.
        got: usize,
        /// How many there should be.
        asked: usize,
    },
    /// A program outside this one failed.
    #[error("{0}")]
    Outside(String),
}
