//! Policy and value of a PPO learner for given observations, for previews and heat maps.

use super::learner::Ppo;
use super::normalize::reward_scale;
use super::sample::{self, SampleKey, SampleScratch};
use vivarium_envs::ActionSpace;
use vivarium_kernels::simd;

/// Outputs of actor and critic for a batch of observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyAndValue {
    /// Output of the actor. Discrete actions: probability of each action, `[rows, n]`. Continuous action: mean, in
    /// the environment's unit, `[rows, 1]`.
    pub policy: Vec<f32>,
    /// Output of the critic `[rows]`: expected discounted returns, in units of the unnormalized reward.
    pub values: Vec<f32>,
}

/// Rule by which an action is selected from the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionSelection {
    /// The most probable action of the policy.
    Greedy,
    /// An action sampled from the policy, as in training. The sample of a row depends on seed, step and row alone.
    Sampled {
        /// Seed of the random numbers from which actions are sampled.
        seed: u64,
        /// Index of the environment step for which actions are sampled. Each step has its own random numbers.
        step: u32,
    },
}

impl Ppo {
    /// Evaluates the current actor and critic for unnormalized observations `[rows, observation]`.
    #[must_use]
    pub fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        let (mut policy, mut values) = self.forward(observations);
        match self.environment.spec().actions {
            ActionSpace::Discrete(_) => policy.iter_mut().for_each(|p| *p = p.exp()),
            ActionSpace::Box { low, high } => {
                policy.iter_mut().for_each(|p| *p = (*p * high).clamp(low, high))
            }
        }
        if self.config.normalize_rewards {
            let scale = 1.0 / reward_scale(&self.return_moments);
            values.iter_mut().for_each(|value| *value *= scale);
        }
        PolicyAndValue { policy, values }
    }

    /// Selects an action for each of the unnormalized observations `[rows, observation]`. Returns the actions in the
    /// format of the environment: the index of a discrete action, or a continuous action in the environment's unit.
    #[must_use]
    pub fn act(&self, observations: &[f32], choice: ActionSelection) -> Vec<f32> {
        let (policy, values) = self.forward(observations);
        let (rows, space) = (values.len(), self.environment.spec().actions);
        let (mut actions, mut commands) = (vec![0.0; rows], vec![0.0; rows]);
        match choice {
            ActionSelection::Greedy => sample::greedy(space, &policy, &mut actions),
            ActionSelection::Sampled { seed, step } => sample::draw(
                simd::level(),
                space,
                &policy,
                self.policy.log_std(),
                SampleKey { seed, step, first_env: 0 },
                &mut SampleScratch::default(),
                &mut actions,
                &mut vec![0.0; rows],
            ),
        }
        sample::commands(space, &actions, &mut commands);
        commands
    }

    fn forward(&self, observations: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let width = self.environment.spec().observation_len;
        let rows = observations.len() / width;
        let mut seen = observations[..rows * width].to_vec();
        self.policy.scaling.apply(&mut seen);
        let (mut policy, mut values) = (vec![0.0; rows * self.policy.width()], vec![0.0; rows]);
        let mut workspace = self.policy.network.workspace();
        self.policy.forward(&mut workspace, &seen, &mut policy, &mut values);
        (policy, values)
    }
}
