//! Mountain car: a car too weak for its hill (Gymnasium's `MountainCar-v0`).

use super::describe::{ControlWorld, preset};
use crate::learner::ControlLearner;
use crate::learners::by_either;
use serde_json::{Value, json};
use vivarium_envs::MountainCar;
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for MountainCar {
    const HEADING: &'static str = "Mountain car";
    const SUMMARY: &'static str = "A car stands in a valley, too weak to drive straight up to the flag: it must roll \
        back and gather speed first. Every step costs 1, and nothing tells it that it is getting warmer.";
    const STEP_SECONDS: f32 = 1.0 / 30.0;

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "For a while nobody reaches the flag; then one car does by luck, and soon all of them swing.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"})).with_help(
                "Another learner: one car that reached the flag by luck is remembered, and learned from again \
                 and again.",
            ),
            preset("strong-engine", "Strong engine", json!({"world": {"force": 0.002}}))
                .with_help("With nearly enough force to drive straight up, one swing is enough."),
            preset("steep-hill", "Steep hill", json!({"world": {"gravity": 0.003}}))
                .with_help("More gravity, the same engine: the car must swing once or twice more."),
        ]
    }

    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError> {
        by_either(config, seed)
    }
}
