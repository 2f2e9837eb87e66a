//! Deep Q-learning (Mnih and others 2015) with its usual improvements, each of which can be switched off.
//!
//! Dueling heads (Wang and others 2016), double targets (van Hasselt, Guez and Silver 2016), returns of several steps,
//! prioritised replay (Schaul and others 2016), a curriculum over difficulty, and lessons from a solver.

mod batch;
mod config;
mod control;
mod cube;
mod curriculum;
mod error;
mod evaluate;
mod explore;
mod learner;
mod network;
mod presets;
mod problem;
mod replay;
mod report;
mod returns;
mod state;
mod sum_tree;
mod update;

pub use config::DqnConfig;
pub use control::Control;
pub use cube::{CubeParams, Cubes, Features, MOVE};
pub use error::DqnError;
pub use evaluate::{Episode, mean_return};
pub use explore::best;
pub use learner::{Dqn, Slice, Work};
pub use network::{Definition, Network};
pub use problem::{End, Inputs, Lesson, Problem, Step};
pub use report::{Counters, LevelTally, Report};
pub use sum_tree::SumTree;
