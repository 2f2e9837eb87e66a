//! MountainCar: an underpowered car must build up momentum to climb a hill (Gymnasium's `MountainCar-v0`).

use super::describe::{ControlWorld, preset};
use super::ppo::few_environments;
use serde_json::json;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::PpoConfig;
use vivarium_envs::MountainCar;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for MountainCar {
    const HEADING: &'static str = "MountainCar";
    const SUMMARY: &'static str = "An underpowered car in a valley must swing back and forth to reach the flag on the \
        hill. The reward is −1 per step, with no signal before the flag is reached.";
    const STEP_SECONDS: f32 = 1.0 / 30.0;

    fn ppo() -> PpoConfig {
        // The reward is constant until the goal: this config uses a long horizon, and an entropy bonus for exploration
        // until the goal is found.
        PpoConfig {
            discount: 0.998,
            gae_lambda: 0.98,
            entropy_coefficient: 0.03,
            learning_rate: 2e-3,
            final_learning_rate: 2e-4,
            anneal_steps: 2_000_000,
            stagger: true,
            ..few_environments()
        }
    }

    fn dqn() -> Option<DqnConfig> {
        // Rewards are rare: longer returns propagate them faster.
        Some(DqnConfig { n_step: 5, epsilon_steps: 100_000, ..DqnConfig::default() })
    }

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "PPO with 128 environments and an entropy bonus. The flag is first reached by chance.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"}))
                .with_help("DQN instead of PPO: replays the rare transitions that reached the flag."),
            preset("strong-engine", "Strong motor", json!({"world": {"force": 0.002}}))
                .with_help("Twice the motor force: from most starts the car climbs without swinging back."),
            preset("steep-hill", "Steep hill", json!({"world": {"gravity": 0.003}})).with_help(
                "More gravity with the same motor: from some starts the car needs one more swing.",
            ),
        ]
    }
}
