//! Control experiments: PPO or DQN on classic-control environments, with an animated preview and heat maps.
//!
//! - [`FAMILY`]: registry entry that creates and restores the experiments, one per environment. [`DESCRIPTIONS`]: their
//!   static descriptions and evaluations.
//! - [`ControlExhibit`]: an *exhibit*, which is an experiment with the view and command types that front ends use.
//! - [`protocol`]: commands and views.
//! - [`TrainedPolicy`]: policy of a checkpoint, for actions without a run.
//!
//! The algorithms are in [`vivarium_agents::ppo`] and [`vivarium_agents::dqn`]; DQN requires discrete actions. If
//! training diverges or the return collapses, the experiment restores the best state and halves the learning rate.
//!
//! The *preview* shows environments that act with the newest policy in simulated real time. Arrays of a frame, for a
//! preview of `n` environments with states of `d` numbers:
//!
//! | array | shape | content |
//! | --- | --- | --- |
//! | `preview/state` | n, d | states, in the order of the experiment's dimensions |
//! | `preview/return` | n | return of the present episode so far, scaled from 0 (worst) to 1 (solved) |
//! | `preview/action` | n | last action, as a signed fraction of the strongest action (−1 to 1) |
//! | `preview/age` | n | number of environment steps of the present episode |
//! | `map/policy` | size, size | action of the policy, from −1 (strongest negative) to 1 (strongest positive) |
//! | `map/actions` | size, size, actions | probability of each discrete action, if the view requests it |
//! | `optimum/value` | side, side | optimal discounted return of each tile, for environments on a grid |
//! | `optimum/action` | side, side | index of an optimal action of each tile |
//! | `map/value` | size, size | value estimate: expected discounted return |
//!
//! A map has `size` cells per side, indexed `[y, x]`. Row 0 has the smallest y.
//!
//! ```
//! use serde_json::json;
//! use vivarium_exhibit_control::FAMILY;
//! use vivarium_exhibit_control::protocol::{ControlCommand, ControlView};
//!
//! let mut experiment = FAMILY.create("cartpole", &json!({}), 1)?;
//! let view = ControlView { members: 3, focus: 0, map: None };
//! let frame = experiment.frame(&view, 0.02);
//! assert_eq!(frame.arrays[0].shape, [3, 4]);
//! experiment.command(ControlCommand::Push { member: Some(1), force: 2.0 })?;
//! # Ok::<(), vivarium_lab::LabError>(())
//! ```

mod checkpoint;
mod entries;
mod experiment;
mod family;
mod learner;
mod learners;
mod map;
mod measures;
mod picture;
mod preview;
pub mod protocol;
mod readings;
mod recent;
mod return_monitor;
mod trained_policy;

pub use family::{DESCRIPTIONS, FAMILY, NETWORK_EXPORTS};
use protocol::{ControlCommand, ControlView};
pub use trained_policy::TrainedPolicy;
use vivarium_lab::Exhibit;

/// Control experiment with its view and command types.
pub type ControlExhibit = dyn Exhibit<View = ControlView, Documents = (), Command = ControlCommand>;
