//! The cube of 3×3×3, learned from scrambles alone and solved by a beam search.
//!
//! Whoever scrambles a solved cube knows what would undo the last turn. A network that learns to guess it from what the
//! cube looks like comes to know which turns lead back, although none of them is known to be the best: those that do are
//! only more often right (Takano, "Self-supervision is all you need for solving Rubik's cube", 2023). A [`Cube3Learner`]
//! learns so; a [`Search`] follows the guesses, the likeliest ways first.

mod config;
mod front;
#[cfg(feature = "gpu")]
mod gpu_scrambles;
#[cfg(feature = "gpu")]
mod gpu_search;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod network;
mod scrambles;
mod search;
mod state;

pub use config::Cube3Config;
#[cfg(feature = "gpu")]
pub use gpu_scrambles::GpuScrambles;
#[cfg(feature = "gpu")]
pub use gpu_search::GpuSearches;
pub use learner::{Counters, Cube3Learner, Report};
pub use network::{Definition, Network};
pub use scrambles::Scrambles;
pub use search::{Search, SearchSettings, Status};
