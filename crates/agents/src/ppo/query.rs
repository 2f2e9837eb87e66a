//! Queries of policy and value, for previews and heat maps.

use super::learner::Ppo;
use super::normalize::reward_scale;
use super::sample::{self, SampleKey, SampleScratch};
use vivarium_envs::{ActionSpace, World};
use vivarium_kernels::simd;

/// Policy and value of a batch of observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyAndValue {
    /// Policy output. Discrete actions: probabilities `[rows, n]`. Continuous action: mean, in the environment's unit,
    /// `[rows, 1]`.
    pub policy: Vec<f32>,
    /// Value estimates `[rows]`: expected discounted returns, in units of the unnormalized reward.
    pub values: Vec<f32>,
}

/// Action selection rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionSelection {
    /// The most probable action.
    Greedy,
    /// Sampled from the policy, as in training. A row's sample depends on seed, step and row alone.
    Sampled {
        /// Seed of the samples.
        seed: u64,
        /// Step index of the samples; each step has its own random numbers.
        step: u32,
    },
}

impl<W: World> Ppo<W> {
    /// Evaluates the present policy and value function for unnormalized observations `[rows, observation]`.
    #[must_use]
    pub fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        let (mut policy, mut values) = self.forward(observations);
        match W::ACTIONS {
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
    /// environment's format.
    #[must_use]
    pub fn act(&self, observations: &[f32], choice: ActionSelection) -> Vec<f32> {
        let (policy, values) = self.forward(observations);
        let rows = values.len();
        let (mut actions, mut commands) = (vec![0.0; rows], vec![0.0; rows]);
        match choice {
            ActionSelection::Greedy => sample::greedy(W::ACTIONS, &policy, &mut actions),
            ActionSelection::Sampled { seed, step } => sample::draw(
                simd::level(),
                W::ACTIONS,
                &policy,
                self.policy.log_std(),
                SampleKey { seed, step, first_env: 0 },
                &mut SampleScratch::default(),
                &mut actions,
                &mut vec![0.0; rows],
            ),
        }
        sample::commands(W::ACTIONS, &actions, &mut commands);
        commands
    }

    fn forward(&self, observations: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let rows = observations.len() / W::OBSERVATION_LEN;
        let mut seen = observations[..rows * W::OBSERVATION_LEN].to_vec();
        self.policy.scaling.apply(&mut seen);
        let (mut policy, mut values) = (vec![0.0; rows * self.policy.width()], vec![0.0; rows]);
        let mut workspace = self.policy.network.workspace();
        self.policy.forward(&mut workspace, &seen, &mut policy, &mut values);
        (policy, values)
    }
}
