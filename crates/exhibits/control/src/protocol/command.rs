//! Commands to a control experiment.

use serde::{Deserialize, Serialize};

/// Command to the preview: the environments that a front end displays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ControlCommand {
    /// Applies an external force (a disturbance) during the next environment step.
    Push {
        /// Index of the displayed environment, from 0; `None` for all displayed environments.
        member: Option<u32>,
        /// Signed force (a torque for Pendulum and Acrobot), as a multiple of the strongest action, −10 to 10.
        force: f32,
    },
    /// Restarts the episodes of all displayed environments (the preview).
    ResetPreview,
}
