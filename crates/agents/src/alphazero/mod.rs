//! AlphaZero (Silver and others 2018) for games with and without chance.

mod game;

pub use game::{Learnable, MOST_HEADS};
