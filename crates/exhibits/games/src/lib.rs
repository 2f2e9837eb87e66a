//! Board games: AlphaZero training, a table at which users and networks play with live analysis, matches, and a ladder
//! of reference players.
//!
//! - [`FAMILY`]: registry entry that creates and restores the experiments `backgammon` and `connect-four`.
//!   [`DESCRIPTIONS`]: their static descriptions and evaluations.
//! - [`GameExhibit`]: an *exhibit*, which is an experiment with the view, JSON document and command types that front
//!   ends use.
//! - [`advice`]: evaluation of backgammon plays with a network, for hints. [`match_analysis`]: errors and luck of a recorded match.
//! - [`rollout`]: estimates of backgammon positions by random games.
//! - [`distributed`]: self-play and learning in separate processes.
//! - [`protocol`]: views, JSON documents and commands.
//!
//! # Terms
//!
//! - *Table*: the game that a user plays or analyzes, with its two seats; separate from the self-play games of training.
//! - *Seat*: side of the game, 0 or 1. A human, a network or a reference player plays each seat.
//! - *Generation*: one iteration of training, which consists of self-play and then gradient steps.
//! - *Newest network*: the network in training. *Best network*: winner of the last promotion match.
//! - *Promotion*: replaces the best network by the newest network, which has won a match against the best network.
//! - *Ladder*: periodic matches of the newest network against reference players, such as pubeval, which measure playing
//!   strength during training.
//! - *Analyst*: network whose tree search analyzes the decisions of human players.
//! - *Branch*: edge of the search tree: a decision of the player to move, or a roll at a chance node. A branch is given by
//!   its index among the actions or rolls of the game.
//! - *Equity*: expected points of a player at the end of the game.
//! - *Frame*: data that a front end draws: arrays and *JSON documents*. A *view* selects the content of a frame.
//!
//! ```
//! use vivarium_exhibit_games::DESCRIPTIONS;
//!
//! let info = (DESCRIPTIONS.find("backgammon").unwrap().info)();
//! assert_eq!(info.title, "Backgammon");
//! assert!(info.presets.iter().any(|preset| preset.name == "searching"));
//! ```

pub mod advice;
mod checkpoint;
mod decision_search;
pub mod distributed;
mod documents;
mod entries;
mod experiment;
mod family;
mod ladder;
pub mod match_analysis;
mod match_runner;
mod measures;
mod networks;
mod picture;
mod played_match;
mod player_pool;
mod presets;
pub mod protocol;
mod readings;
pub mod rollout;
mod rules;
mod search_size;
mod session;
mod table;
mod thumbnails;
mod trained_network;

pub use family::{DESCRIPTIONS, FAMILY, NETWORK_EXPORTS};
use protocol::{GameCommand, GameDocuments, GameView};
pub use trained_network::read_playing_network;
use vivarium_lab::Exhibit;

/// Board-game experiment with its view, JSON document and command types.
pub type GameExhibit = dyn Exhibit<View = GameView, Documents = GameDocuments, Command = GameCommand>;
