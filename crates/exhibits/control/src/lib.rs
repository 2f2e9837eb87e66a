//! Control: a learner in a classic world, with a herd to look at. It is proximal policy optimisation, or deep Q-learning where
//! actions can be counted.
//!
//! Arrays of a frame, for a herd of `n` members in a world with states of `d` numbers:
//!
//! | array | shape | what |
//! | --- | --- | --- |
//! | `herd/state` | n, d | states, in the order of the experiment's dimensions |
//! | `herd/return` | n | how each is doing: its return so far, from 0 (worst) to 1 (solved) |
//! | `herd/action` | n | last action, from −1 to 1 of the strongest |
//! | `herd/age` | n | steps into the episode |
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
mod guard;
mod learner;
mod map;
mod measures;
mod ppo;
mod preview;
pub mod protocol;
mod recent;

use crate::entries::describe::{ControlWorld, wants_dqn};
use crate::entries::ppo::read;
pub use entries::{FAMILY, info};
pub(crate) use learner::{Iteration, Learner};
pub use measures::measures;
use protocol::{ControlCommand, ControlView};
use serde_json::Value;
use vivarium_agents::ppo::Ppo;
use vivarium_lab::{Exhibit, LabError};

/// A learner in a classic world.
pub type ControlExhibit = dyn Exhibit<View = ControlView, Documents = (), Command = ControlCommand>;

/// A learner that knows nothing yet, from a whole and checked config.
type Made<W> = Result<Box<dyn Learner<W>>, LabError>;

/// Proximal policy optimisation.
///
/// # Errors
/// [`LabError::Invalid`] for a config that does not fit together.
pub(crate) fn by_policy<W: ControlWorld>(config: &Value, seed: u64) -> Made<W> {
    let made = Ppo::<W>::new(read(config)?, experiment::world::<W>(config)?, seed);
    Ok(Box::new(made.map_err(|error| ppo::refused(&error))?))
}

/// What the config wants, in a world whose actions can be counted.
///
/// # Errors
/// [`LabError::Invalid`] for a config that does not fit together.
pub(crate) fn by_either<W: ControlWorld>(config: &Value, seed: u64) -> Made<W> {
    if wants_dqn(config) {
        Ok(Box::new(dqn::DqnLearner::<W>::new(config, seed)?))
    } else {
        by_policy(config, seed)
    }
}
