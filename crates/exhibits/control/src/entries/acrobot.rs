//! Acrobot: swing up a double pendulum that is actuated at its middle joint (Gymnasium's `Acrobot-v1`).

use super::describe::{ControlWorld, preset};
use super::ppo::few_environments;
use serde_json::json;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::PpoConfig;
use vivarium_envs::Acrobot;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for Acrobot {
    const HEADING: &'static str = "Acrobot";
    const SUMMARY: &'static str = "Two links hang from a hinge, and the only motor is at the joint between them. The tip must \
        swing above a line one link length above the hinge. The reward is −1 per step until then.";
    const STEP_SECONDS: f32 = 0.2;

    fn ppo() -> PpoConfig {
        // The goal is first reached by chance: this config uses a small entropy bonus and a small learning rate.
        PpoConfig {
            learning_rate: 1.2e-3,
            final_learning_rate: 1.2e-4,
            anneal_steps: 500_000,
            entropy_coefficient: 0.01,
            stagger: true,
            ..few_environments()
        }
    }

    fn dqn() -> Option<DqnConfig> {
        Some(DqnConfig::default())
    }

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "PPO with 128 environments. The first tip crosses the line by chance; later a few swings are enough.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"})).with_help(
                "DQN instead of PPO: learns the value of each of the three torques from a replay buffer.",
            ),
            preset("weak-motor", "Weak motor", json!({"world": {"torque": 0.5}})).with_help(
                "Half the torque: about twice as many swings are needed.",
            ),
            preset("heavy-leg", "Heavy leg", json!({"world": {"link_mass_2": 2.0}})).with_help(
                "The lower link has twice the mass of the upper one.",
            ),
        ]
    }
}
