//! Control: a learner in a classic world, with a preview to watch. It is proximal policy optimization, or deep Q-learning where
//! actions can be counted.
//!
//! Arrays of a frame, for a preview of `n` members in a world with states of `d` numbers:
//!
//! | array | shape | what |
//! | --- | --- | --- |
//! | `preview/state` | n, d | states, in the order of the experiment's dimensions |
//! | `preview/return` | n | how each is doing: its return so far, from 0 (worst) to 1 (solved) |
//! | `preview/action` | n | last action, from −1 to 1 of the strongest |
//! | `preview/age` | n | steps into the episode |
//! | `map/policy` | size, size | what the policy would do, from −1 (strongest to the negative side) to 1 |
//! | `map/value` | size, size | discounted return that the value network expects |
//!
//! The maps' row 0 lies at the smallest y.

mod checkpoint;
#[cfg(feature = "gpu")]
mod device;
mod dqn;
mod entries;
mod experiment;
mod family;
mod guard;
mod learner;
mod learners;
mod map;
mod measures;
mod picture;
mod ppo;
mod preview;
pub mod protocol;
mod readings;
mod recent;

pub use family::{FAMILY, info};
pub use measures::measures;
use protocol::{ControlCommand, ControlView};
use vivarium_lab::Exhibit;

/// A learner in a classic world.
pub type ControlExhibit = dyn Exhibit<View = ControlView, Documents = (), Command = ControlCommand>;
