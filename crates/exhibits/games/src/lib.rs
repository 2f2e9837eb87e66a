//! Board games that a network learns by playing itself: the learner, its opponents, and a table at which a person plays.
//!
//! [`protocol`] says what there is to see and to do.

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

/// A network that learns a board game.
pub type GameExhibit = dyn Exhibit<View = GameView, Documents = GameDocuments, Command = GameCommand>;
