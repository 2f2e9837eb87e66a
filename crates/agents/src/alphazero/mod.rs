//! AlphaZero (Silver and others 2018) for games with and without chance.

mod backgammon;
mod connect_four;
mod forward;
mod game;
mod network;

pub use forward::{Clock, Evaluation, Forward, Times};
pub use game::{Learnable, MOST_HEADS};
pub use network::{Definition, Network, NetworkSize};
