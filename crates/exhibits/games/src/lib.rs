//! Board games: AlphaZero training, a table at which users and networks play with live analysis, matches, and a ladder
//! of reference players.
//!
//! - [`FAMILY`]: registry entry that creates and restores the experiments `backgammon` and `connect-four`.
//!   [`DESCRIPTIONS`]: their static descriptions and evaluations.
//! - [`GameExhibit`]: an *exhibit*, which is an experiment with the view, JSON document and command types that front
//!   ends use.
//! - [`protocol`]: views, JSON documents and commands.
//!
//! The *ladder* consists of periodic matches of the newest network against reference players, such as pubeval, which
//! measure playing strength during training. A *promotion* makes the newest network the best network.
//!
//! ```
//! use vivarium_exhibit_games::DESCRIPTIONS;
//!
//! let info = (DESCRIPTIONS.find("backgammon").unwrap().info)();
//! assert_eq!(info.title, "Backgammon");
//! assert!(info.presets.iter().any(|preset| preset.name == "searching"));
//! ```

mod checkpoint;
mod decision_search;
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
mod thumbnails;

pub use family::{DESCRIPTIONS, FAMILY};
use protocol::{GameCommand, GameDocuments, GameView};
use vivarium_lab::Exhibit;

/// Board-game experiment with its view, JSON document and command types.
pub type GameExhibit = dyn Exhibit<View = GameView, Documents = GameDocuments, Command = GameCommand>;
