//! Cube experiments: DQN on the 2×2×2 cube and EfficientCube on the 3×3×3 cube, with an interactive cube, background
//! evaluation and checkpoints.
//!
//! - [`FAMILY`]: registry entry that creates and restores the experiments `cube2` and `cube3`. [`DESCRIPTIONS`]: their
//!   static descriptions and evaluations.
//! - [`CubeExhibit`]: an *exhibit*, which is an experiment with the view, JSON document and command types that front
//!   ends use.
//! - [`protocol`]: commands, views and JSON documents.
//!
//! The algorithms are in [`vivarium_agents::dqn`] and [`vivarium_agents::cube3`]. A background evaluation, which
//! alternates with training, follows the greedy policy through all states (2×2×2) or solves a fixed set of random cubes
//! by beam search (3×3×3).
//!
//! ```
//! use serde_json::json;
//! use vivarium_exhibit_cube::FAMILY;
//! use vivarium_exhibit_cube::protocol::{CubeActor, CubeCommand, CubeView};
//!
//! let mut experiment = FAMILY.create("cube2", &json!({}), 1)?;
//! experiment.command(CubeCommand::Apply { turns: "R U2 F'".into(), by: CubeActor::Person })?;
//! let frame = experiment.frame(&CubeView { documents: true, ..CubeView::default() }, 0.0);
//! let cube = frame.documents.and_then(|documents| documents.cube);
//! assert_eq!(cube.map(|cube| (cube.at, cube.solved)), Some((3, false)));
//! # Ok::<(), vivarium_lab::LabError>(())
//! ```

mod background_evaluator;
mod checkpoint;
mod cube2;
mod cube3;
mod cube3_policy;
mod engines;
mod entries;
mod exhaustive;
mod experiment;
mod family;
mod history;
mod learner;
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
mod trained_network;

pub use family::{DESCRIPTIONS, FAMILY, NETWORK_EXPORTS};
use protocol::{CubeCommand, CubeDocuments, CubeView};
pub use trained_network::{Cube2Solver, read_cube3_network};
use vivarium_lab::Exhibit;

/// Cube experiment with its view, JSON document and command types.
pub type CubeExhibit = dyn Exhibit<View = CubeView, Documents = CubeDocuments, Command = CubeCommand>;
