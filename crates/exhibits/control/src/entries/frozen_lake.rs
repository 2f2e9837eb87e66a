//! FrozenLake: cross slippery ice to a goal without falling into a hole (Gymnasium's `FrozenLake-v1` and
//! `FrozenLake8x8-v1`).

use super::describe::{ControlWorld, preset};
use super::ppo::few_environments;
use serde_json::json;
use vivarium_agents::dqn::DqnConfig;
use vivarium_agents::ppo::PpoConfig;
use vivarium_envs::{
    FrozenLake, FrozenLake8x8, FrozenLake8x8Params, FrozenLakeParams, LakeModel, LakeOptimum,
};
use vivarium_lab::info::PresetInfo;

/// Returns a PPO config for environments whose reward is nearly always 0 and rarely 1. Reward normalization is off: its
/// divisor, the standard deviation of the rewards, is 0 until the first reward of 1.
fn binary_rewards() -> PpoConfig {
    PpoConfig {
        entropy_coefficient: 0.01,
        normalize_observations: false,
        normalize_rewards: false,
        ..few_environments()
    }
}

/// Returns a DQN config with one-step returns, for slippery ice. With random slips, a return over several steps would
/// depend more on chance than on the first action.
fn one_step_returns() -> DqnConfig {
    DqnConfig { n_step: 1, ..DqnConfig::default() }
}

macro_rules! lakes {
    ($($world:ident $params:ident: $side:literal, $heading:literal, $summary:literal, $start:literal,
        $ppo:expr, $dqn:expr;)+) => {
        $(impl ControlWorld for $world {
            const HEADING: &'static str = $heading;
            const SUMMARY: &'static str = $summary;
            const STEP_SECONDS: f32 = 0.2;
            const GRID: Option<u32> = Some($side);

            fn ppo() -> PpoConfig {
                $ppo
            }

            fn dqn() -> Option<DqnConfig> {
                Some($dqn)
            }

            fn presets() -> Vec<PresetInfo> {
                vec![
                    preset("default", "Default", json!({})).with_help($start),
                    preset("deep-q-learning", "Deep Q-learning", json!({"learner": "dqn"})).with_help(
                        "DQN instead of PPO: learns the value of each of the four moves from a replay buffer.",
                    ),
                    preset("not-slippery", "Not slippery", json!({"world": {"success_rate": 1.0}}))
                        .with_help("Every move has the intended direction: the shortest path is optimal."),
                ]
            }

            fn optimum(params: &$params, discount: f32) -> Option<LakeOptimum> {
                Some(LakeModel::new(&params.map, params.success_rate).optimum(discount.into()))
            }
        })+
    };
}

lakes! {
    FrozenLake FrozenLakeParams: 4, "Frozen lake",
        "An agent crosses a frozen lake of 4×4 tiles to the goal. The ice is slippery: two moves of three turn left or \
            right. A hole ends the episode; the reward is 1 at the goal.",
        "PPO with 128 environments. The best policy reaches the goal in 74 of 100 episodes.",
        PpoConfig { entropy_steps: 500_000, ..binary_rewards() }, one_step_returns();
    FrozenLake8x8 FrozenLake8x8Params: 8, "Frozen lake 8×8",
        "The frozen lake with 8×8 tiles and a way of at least 14 moves. The first goal is reached by chance.",
        "PPO with 128 environments. The best policy reaches the goal in 89 of 100 episodes.",
        // The path to the goal is longer, so the entropy bonus and the learning rate decay more slowly. With a larger
        // learning rate, another hidden layer or a smaller bonus, the probability of the best action falls to 0.001 on a
        // tile that episodes rarely visit, before its value is known: no later sample corrects the policy of this tile.
        PpoConfig {
            discount: 0.995,
            hidden: vec![64],
            learning_rate: 2e-3,
            entropy_coefficient: 0.05,
            entropy_steps: 1_500_000,
            anneal_steps: 2_000_000,
            ..binary_rewards()
        },
        DqnConfig { discount: 0.995, ..one_step_returns() };
}
