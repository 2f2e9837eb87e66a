//! Who can sit at a table or play a match.

use serde::{Deserialize, Serialize};

/// Who plays. `simulations` are those of the search for each of its decisions; 0 plays by the network alone, without a
/// search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GamePlayer {
    /// Whoever sits before the screen. Not in a match.
    Person,
    /// The network that is learning, as it is when a decision begins.
    Newest {
        /// Of its search.
        simulations: u32,
    },
    /// The one that plays the games that are learnt from: the last that won its promotion.
    Best {
        /// Of its search.
        simulations: u32,
    },
    /// One that was the best before: [`GameRun::players`](super::GameRun::players) has them.
    Earlier {
        /// How many had been promoted before it.
        promotion: u32,
        /// Of its search.
        simulations: u32,
    },
    /// The one of a file that was opened by [`Command::OpenPlayer`](crate::protocol::Command::OpenPlayer).
    Opened {
        /// Of its search.
        simulations: u32,
    },
    /// Any legal play, all alike.
    Random,
    /// Backgammon: runs, hits and makes points by simple rules of thumb about pips.
    Pips,
    /// Backgammon: the public linear evaluator that others measure themselves against.
    Pubeval,
    /// Connect Four: looks some plies ahead, and at nothing but won and lost games.
    Minimax {
        /// How many plies, 1 to 8.
        depth: u32,
    },
}
