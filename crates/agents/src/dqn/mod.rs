//! Deep Q-learning (Mnih and others 2015) with its usual improvements, each of which can be switched off.
//!
//! Dueling heads (Wang and others 2016), double targets (van Hasselt, Guez and Silver 2016), returns of several steps,
//! prioritized replay (Schaul and others 2016), a curriculum over difficulty, and demonstrations from a solver.

mod batch;
mod config;
mod control;
mod cube;
mod curriculum;
mod evaluate;
mod explore;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
mod network;
mod presets;
mod problem;
mod report;
mod returns;
mod state;
mod update;

pub use config::DqnConfig;
pub use control::Control;
pub use cube::{CubeParams, Cubes, Features, MOVE};
pub use evaluate::values;
pub use explore::best;
pub use learner::{Dqn, Slice, Work};
pub use network::Definition;
pub use problem::{Demonstration, End, Inputs, Problem, Step};
pub use report::{Counters, LevelTally, Report};
pub use state::{restore_network, save_network};
pub use vivarium_learn::Network;
