//! What the policy would do and what it expects: for heat maps and for whoever shows it at work.

use super::learner::Ppo;
use super::normalize::reward_scale;
use super::sample::{self, Draw, Scratch};
use vivarium_envs::{ActionSpace, World};
use vivarium_kernels::simd;

/// The policy and the value of some observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beliefs {
    /// Discrete actions: their probabilities `[rows, n]`. A number as action: the mean, in the world's unit, `[rows, 1]`.
    pub policy: Vec<f32>,
    /// Expected discounted return, in the world's rewards, `[rows]`.
    pub values: Vec<f32>,
}

/// How to choose an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The most probable one.
    Greedy,
    /// Drawn from the policy, as in training; a row's draw depends on seed, step and row alone.
    Drawn {
        /// Seed of the draws.
        seed: u64,
        /// Which draw of every row.
        step: u32,
    },
}

impl<W: World> Ppo<W> {
    /// What the newest policy and value network say of observations `[rows, observation]`, as the world gives them.
    #[must_use]
    pub fn beliefs(&self, observations: &[f32]) -> Beliefs {
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
        Beliefs { policy, values }
    }

    /// Actions for observations `[rows, observation]`, as the world takes them.
    #[must_use]
    pub fn act(&self, observations: &[f32], choice: Choice) -> Vec<f32> {
        let (policy, values) = self.forward(observations);
        let rows = values.len();
        let (mut actions, mut commands) = (vec![0.0; rows], vec![0.0; rows]);
        match choice {
            Choice::Greedy => sample::greedy(W::ACTIONS, &policy, &mut actions),
            Choice::Drawn { seed, step } => sample::draw(
                simd::level(),
                W::ACTIONS,
                &policy,
                self.policy.log_std(),
                Draw { seed, step, first_lane: 0 },
                &mut Scratch::default(),
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
