//! Differentiable logic cellular automata (Miotti, Niklasson, Randazzo, Mordvintsev, "Differentiable Logic Cellular
//! Automata", 2025): every cell of a board runs one circuit of two-input gates over its 3×3 neighborhood. While it
//! learns, a gate is a mixture of the sixteen Boolean functions; when it is hard, it is the one that weighs most.

mod aim;
mod check;
pub mod circuit;
pub mod config;
pub mod drawing;
mod error;
mod evaluation;
mod film;
pub mod gate;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
pub mod grid;
pub mod hard;
mod hardening;
mod learner;
mod local_search;
pub mod memory;
mod optimizer;
mod parallel;
mod preset;
pub mod program;
mod score;
pub mod soft;
mod state;
pub mod target;
mod task;
pub mod wiring;

pub use aim::Aim;
pub use circuit::{Architecture, ShapeError, Wiring};
pub use config::LogicConfig;
pub use error::LogicError;
pub use evaluation::Evaluation;
pub use film::Film;
pub use grid::{Border, Grid};
pub use learner::{LogicCa, Report, Slice, Work};
pub use optimizer::GateStatistics;
pub use preset::Preset;
pub use program::Program;
pub use state::State;
pub use target::Target;
