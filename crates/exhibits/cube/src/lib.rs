//! Cubes that a network learns to solve: the learner, how it is evaluated, and a cube on a table.
//!
//! [`protocol`] says what there is to see and to do.

mod checkpoint;
#[cfg(feature = "gpu")]
mod device;
mod engines;
mod entries;
mod evaluator;
mod exhaustive;
mod experiment;
mod family;
mod learner;
mod map;
mod measures;
mod network;
mod networks;
mod picture;
pub mod protocol;
mod puzzle;
mod random_cubes;
mod readings;
mod score;
mod searches;
mod session;
mod solving;
mod table;
mod three;
mod three_network;
mod two;

pub use family::{FAMILY, info};
pub use measures::measures;
use protocol::{CubeCommand, CubeDocuments, CubeView};
use vivarium_lab::Exhibit;

/// A network that learns to solve a cube.
pub type CubeExhibit = dyn Exhibit<View = CubeView, Documents = CubeDocuments, Command = CubeCommand>;
