//! CartPole: balance a pole on a cart that is pushed left or right (Gymnasium's `CartPole-v1`).

use super::describe::{ControlWorld, preset};
use super::ppo::few_environments;
use serde_json::json;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::PpoConfig;
use vivarium_envs::CartPole;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for CartPole {
    const HEADING: &'static str = "CartPole";
    const SUMMARY: &'static str = "A pole is balanced on a cart that is pushed left or right. The reward is 1 per step; \
        an episode ends when the pole leans more than 12° or the cart leaves the track.";
    const STEP_SECONDS: f32 = 0.02;

    fn ppo() -> PpoConfig {
        // Early episodes are short; the running moments of the cart's position would be too small at first.
        PpoConfig { normalize_observations: false, ..few_environments() }
    }

    fn dqn() -> Option<DqnConfig> {
        Some(DqnConfig::default())
    }

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "PPO with 128 environments. Untrained poles fall within half a second; the task is solved after a \
                 few seconds of training.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"})).with_help(
                "DQN instead of PPO: learns the value of each push from a replay buffer. Needs more steps than PPO \
                 here, and more computation per step.",
            ),
            preset(
                "few-environments",
                "Few environments",
                json!({"ppo": {"num_envs": 8, "horizon": 128, "minibatch": 256, "learning_rate": 0.001}}),
            )
            .with_help(
                "Eight environments instead of 128: smaller batches, which need about two thirds of the steps in total.",
            ),
            preset(
                "thousands",
                "Thousands",
                json!({"ppo": {"num_envs": 4096, "horizon": 32, "minibatch": 16384, "learning_rate": 0.005}}),
            )
            .with_help(
                "4,096 environments, for a GPU: more steps than the default, in less time on a fast GPU. The CPU \
                 needs some seconds.",
            ),
            preset("tiny-network", "Tiny network", json!({"ppo": {"hidden": [8]}})).with_help(
                "Eight hidden units instead of two layers of 64: more steps, less time per step, and a coarse heat map.",
            ),
            preset("relu", "ReLU network", json!({"ppo": {"activation": "relu"}})).with_help(
                "ReLU instead of tanh: the heat map is piecewise linear.",
            ),
            preset("short-sighted", "Short-sighted", json!({"ppo": {"discount": 0.8}})).with_help(
                "γ = 0.8, a horizon of about five steps: the pole stays up, but the cart drifts off the track.",
            ),
            preset("heavy-pole", "Heavy pole", json!({"world": {"pole_mass": 1.0}})).with_help(
                "The pole has the mass of the cart and drags it along.",
            ),
            preset("moon", "Moon gravity", json!({"world": {"gravity": 1.62}})).with_help(
                "A sixth of Earth's gravity: the pole falls two and a half times as slowly.",
            ),
            preset("short-pole", "Short pole", json!({"world": {"pole_half_length": 0.1}}))
                .with_help("A pole of 20 cm falls fast and needs quick corrections."),
        ]
    }
}
