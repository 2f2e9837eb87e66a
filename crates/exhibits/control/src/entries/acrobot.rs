//! Acrobot: two links that swing themselves up by the joint between them (Gymnasium's `Acrobot-v1`).

use super::describe::{ControlWorld, preset};
use crate::learner::Learner;
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
            preset(
                "default",
                "Default",
                "At first the links only tremble; then one tip crosses the line, and soon a few swings are enough for all.",
                json!({}),
            ),
            preset(
                "deep-q-learning",
                "Deep Q-learning",
                "Another learner: it values each of the three torques, and learns again and again from the steps that it \
                 remembers.",
                json!({"learner": "dqn"}),
            ),
            preset(
                "weak-motor",
                "Weak motor",
                "With half the torque each swing gains little: it takes twice as many to cross the line.",
                json!({"world": {"torque": 0.5}}),
            ),
            preset(
                "heavy-leg",
                "Heavy leg",
                "The lower link weighs twice as much as the upper one: the same motor has more to lift.",
                json!({"world": {"link_mass_2": 2.0}}),
            ),
        ]
    }

    fn learner(config: &Value, seed: u64) -> Result<Box<dyn Learner<Self>>, LabError> {
        by_either(config, seed)
    }
}
