//! Pendulum: swing up a stick with a motor that is too weak to lift it (Gymnasium's `Pendulum-v1`).

use super::describe::{ControlWorld, preset};
use crate::learner::ControlLearner;
use crate::learners::by_policy;
use serde_json::{Value, json};
use vivarium_envs::Pendulum;
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for Pendulum {
    const HEADING: &'static str = "Pendulum";
    const SUMMARY: &'static str = "A motor too weak to lift a stick must swing it up and then hold it upright. Each \
        step costs the more, the further from upright, the faster and the harder the motor works.";
    const STEP_SECONDS: f32 = 0.05;

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({}))
                .with_help("First the sticks hang and shiver, then they swing, and in the end they stand."),
            preset("weak-motor", "Weak motor", json!({"world": {"max_torque": 1.0}})).with_help(
                "With half the torque the stick must swing to and fro several times before it is up.",
            ),
            preset("strong-motor", "Strong motor", json!({"world": {"max_torque": 8.0}}))
                .with_help("A motor that can lift the stick needs no swing: it is turned straight up."),
        ]
    }

    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError> {
        by_policy(config, seed)
    }
}
