//! Board games: AlphaZero training, a table to play at with live analysis, matches, and a ladder of fixed opponents.
//!
//! - [`FAMILY`]: registry entry with the experiments `backgammon` and `connect-four`.
//! - [`protocol`]: views, documents and commands.
//! - [`measures`]: evaluation of a network against the ladder.
//!
//! ```
//! use vivarium_exhibit_games::info;
//!
//! let info = info("backgammon");
//! assert_eq!(info.title, "Backgammon");
//! assert!(info.presets.iter().any(|preset| preset.name == "searching"));
//! ```

mod checkpoint;
mod decision_search;
#[cfg(feature = "gpu")]
mod device;
mod divergence_guard;
mod documents;
mod entries;
mod experiment;
mod family;
mod ladder;
mod match_runner;
mod measures;
mod networks;
mod picture;
mod player_pool;
pub mod protocol;
mod readings;
mod rules;
mod search_size;
mod session;
mod table;
mod wall;

pub use family::{FAMILY, info};
pub use measures::measures;
use protocol::{GameCommand, GameDocuments, GameView};
use vivarium_lab::Exhibit;

/// A board-game experiment with its views and commands.
pub type GameExhibit = dyn Exhibit<View = GameView, Documents = GameDocuments, Command = GameCommand>;
