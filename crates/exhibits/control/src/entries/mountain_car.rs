//! MountainCar: an underpowered car must build up momentum to climb a hill (Gymnasium's `MountainCar-v0`).

use super::describe::{ControlWorld, preset};
use crate::learner::ControlLearner;
use crate::learners::ppo_or_dqn_learner;
use serde_json::{Value, json};
use vivarium_envs::MountainCar;
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for MountainCar {
    const HEADING: &'static str = "MountainCar";
    const SUMMARY: &'static str = "An underpowered car in a valley must swing back and forth to reach the flag on the \
        hill. The reward is −1 per step, with no signal before the flag is reached.";
    const STEP_SECONDS: f32 = 1.0 / 30.0;

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "PPO with 128 environments and an entropy bonus. The flag is first reached by chance.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"}))
                .with_help("DQN instead of PPO: replays the rare transitions that reached the flag."),
            preset("strong-engine", "Strong engine", json!({"world": {"force": 0.002}}))
                .with_help("Twice the engine force: one swing is enough."),
            preset("steep-hill", "Steep hill", json!({"world": {"gravity": 0.003}}))
                .with_help("More gravity with the same engine: one or two more swings."),
        ]
    }

    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError> {
        ppo_or_dqn_learner(config, seed)
    }
}
