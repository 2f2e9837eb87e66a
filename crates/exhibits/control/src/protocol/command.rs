//! What a person may do.

use serde::{Deserialize, Serialize};

/// What a person may do to the environments that are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ControlCommand {
    /// Pushes one of the shown environments with a force in the world's unit for one step's time (a disturbance).
    Push {
        /// Index of the environment; `None` pushes all of them.
        member: Option<u32>,
        /// Signed force (torque for the pendulum), as a multiple of the strongest action.
        force: f32,
    },
    /// Starts the episodes of the shown environments anew.
    ResetPreview,
}
