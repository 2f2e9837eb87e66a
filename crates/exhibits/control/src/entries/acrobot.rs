//! Acrobot: two links that swing themselves up by the joint between them (Gymnasium's `Acrobot-v1`).

use super::describe::{ControlWorld, preset};
use crate::learner::ControlLearner;
use crate::learners::by_either;
use serde_json::{Value, json};
use vivarium_envs::Acrobot;
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for Acrobot {
    const HEADING: &'static str = "Acrobot";
    const SUMMARY: &'static str = "Two links hang from a hinge, and the only motor sits in the joint between them. They must \
        swing until the tip is above the line, one link's length higher than the hinge. Every step before that costs 1.";
    const STEP_SECONDS: f32 = 0.2;

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "At first the links only tremble; then one tip crosses the line, and soon a few swings are \
                 enough for all.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"})).with_help(
                "Another learner: it values each of the three torques, and learns again and again from the \
                 steps that it remembers.",
            ),
            preset("weak-motor", "Weak motor", json!({"world": {"torque": 0.5}})).with_help(
                "With half the torque each swing gains little: it takes twice as many to cross the line.",
            ),
            preset("heavy-leg", "Heavy leg", json!({"world": {"link_mass_2": 2.0}})).with_help(
                "The lower link weighs twice as much as the upper one: the same motor has more to lift.",
            ),
        ]
    }

    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError> {
        by_either(config, seed)
    }
}
