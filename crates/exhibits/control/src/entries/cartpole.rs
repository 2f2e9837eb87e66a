//! Cartpole: a pole on a cart that is pushed left or right (Gymnasium's `CartPole-v1`).

use super::describe::{ControlWorld, preset};
use crate::learner::ControlLearner;
use crate::learners::by_either;
use serde_json::{Value, json};
use vivarium_envs::CartPole;
use vivarium_lab::error::LabError;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for CartPole {
    const HEADING: &'static str = "Cartpole";
    const SUMMARY: &'static str = "A pole stands on a cart that can only be pushed left or right. Every step that it \
        stays up earns 1; it is over when the pole leans more than 12° or the cart leaves its track.";
    const STEP_SECONDS: f32 = 0.02;

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({})).with_help(
                "The poles fall over within half a second at first, and stand still after a few seconds of \
                 training.",
            ),
            preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"})).with_help(
                "Another learner: it values each push, and learns again and again from the steps that it \
                 remembers. It needs fewer of them, and more work for each.",
            ),
            preset(
                "few-environments",
                "Few environments",
                json!({"ppo": {"num_envs": 8, "horizon": 128, "minibatch": 256, "learning_rate": 0.001}}),
            )
            .with_help(
                "Eight environments instead of 128: the policy changes after fewer steps each time, and \
                 needs about half as many in all.",
            ),
            preset(
                "thousands",
                "Thousands",
                json!({"ppo": {"num_envs": 4096, "horizon": 32, "minibatch": 16384, "learning_rate": 0.005}}),
            )
            .with_help(
                "4,096 environments at once, made for a GPU: it needs more steps than the default, and a \
                 fast GPU takes them in less time. It learns on the CPU as well, in some seconds.",
            ),
            preset("tiny-network", "Tiny network", json!({"ppo": {"hidden": [8]}})).with_help(
                "Eight hidden units instead of twice 64 are enough to balance a pole. They need more steps, \
                 and less time for each; the heat map is coarse.",
            ),
            preset("relu", "ReLU network", json!({"ppo": {"activation": "relu"}})).with_help(
                "Another activation: the heat map is made of flat facets instead of smooth hills.",
            ),
            preset("short-sighted", "Short-sighted", json!({"ppo": {"discount": 0.8}})).with_help(
                "A discount of 0.8 looks some five steps ahead: the pole stays up, but the cart drifts off \
                 its track.",
            ),
            preset("heavy-pole", "Heavy pole", json!({"world": {"pole_mass": 1.0}})).with_help(
                "The pole weighs as much as the cart and drags it along, so all of them sway before they \
                 stand.",
            ),
            preset("moon", "Moon gravity", json!({"world": {"gravity": 1.62}})).with_help(
                "Gravity is a sixth of the Earth's, so that everything takes two and a half times as long to \
                 fall.",
            ),
            preset("short-pole", "Short pole", json!({"world": {"pole_half_length": 0.1}}))
                .with_help("A pole of 20 cm falls so fast that the cart must tremble to hold it."),
        ]
    }

    fn learner(config: &Value, seed: u64) -> Result<Box<dyn ControlLearner<Self>>, LabError> {
        by_either(config, seed)
    }
}
