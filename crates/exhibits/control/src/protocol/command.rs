//! Commands.

use serde::{Deserialize, Serialize};

/// Command to the environments of the preview.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ControlCommand {
    /// Applies an external force during one step (a disturbance).
    Push {
        /// Index of the environment; `None` for all.
        member: Option<u32>,
        /// Signed force (torque for the pendulum), as a multiple of the largest action.
        force: f32,
    },
    /// Restarts the episodes of the preview.
    ResetPreview,
}
