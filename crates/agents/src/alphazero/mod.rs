//! AlphaZero (Silver and others 2018) for games with and without chance.

mod backgammon;
pub mod config;
mod connect_four;
mod forward;
mod game;
mod game_in_play;
#[cfg(feature = "gpu")]
pub mod gpu_evaluator;
#[cfg(feature = "gpu")]
mod gpu_group;
#[cfg(feature = "gpu")]
mod gpu_minibatch;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod lookahead;
mod network;
mod presets;
mod promotion;
mod replay;
mod report;
mod self_play;
#[cfg(feature = "gpu")]
mod sparse_input;
mod state;
mod target;
mod update;

pub use config::AlphaZeroConfig;
pub use forward::{Clock, Evaluation, Forward, Times};
pub use game::{Learnable, MOST_HEADS, Row};
pub use learner::{AlphaZero, Slice, Work};
pub use lookahead::{Lookahead, Prospect, best};
pub use network::{Definition, Network, NetworkSize};
pub use report::{Breakdown, Counters, Report};
pub use state::{Source, network_alone, read_player};
