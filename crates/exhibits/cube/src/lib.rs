//! Cubes that a network learns to solve: the learner, how it is evaluated, and a cube on a table.
//!
//! [`protocol`] says what there is to see and to do.

mod background_evaluator;
mod checkpoint;
mod cube2;
mod cube3;
mod cube3_policy;
#[cfg(feature = "gpu")]
mod device;
mod engines;
mod entries;
mod exhaustive;
mod experiment;
mod family;
mod history;
mod measures;
mod networks;
mod picture;
mod policy;
pub mod protocol;
mod puzzle;
mod random_cube_tests;
mod readings;
mod score;
mod search_queue;
mod session;
mod solve_task;
mod state_map;
mod training;

pub use family::{FAMILY, info};
pub use measures::measures;
use protocol::{CubeCommand, CubeDocuments, CubeView};
use vivarium_lab::Exhibit;

/// A network that learns to solve a cube.
pub type CubeExhibit = dyn Exhibit<View = CubeView, Documents = CubeDocuments, Command = CubeCommand>;
