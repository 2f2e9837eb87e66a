//! Pendulum: swing up a pendulum with a limited torque (Gymnasium's `Pendulum-v1`).

use super::describe::{ControlWorld, preset};
use super::ppo::few_environments;
use serde_json::json;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::PpoConfig;
use vivarium_envs::Pendulum;
use vivarium_lab::info::PresetInfo;

impl ControlWorld for Pendulum {
    const HEADING: &'static str = "Pendulum";
    const SUMMARY: &'static str = "A motor too weak to lift a pendulum directly must swing it up and hold it upright. \
        The cost of a step grows with the angle from upright, the angular velocity and the torque.";
    const STEP_SECONDS: f32 = 0.05;

    fn ppo() -> PpoConfig {
        PpoConfig {
            discount: 0.95,
            learning_rate: 2e-3,
            final_learning_rate: 1e-4,
            stagger: true,
            ..few_environments()
        }
    }

    fn dqn() -> Option<DqnConfig> {
        None
    }

    fn presets() -> Vec<PresetInfo> {
        vec![
            preset("default", "Default", json!({}))
                .with_help("PPO with 128 environments and a Gaussian policy."),
            preset("weak-motor", "Weak motor", json!({"world": {"max_torque": 1.0}}))
                .with_help("Half the torque: the pendulum needs several swings."),
            preset("strong-motor", "Strong motor", json!({"world": {"max_torque": 8.0}}))
                .with_help("Four times the torque: the pendulum is lifted without swinging."),
        ]
    }
}
