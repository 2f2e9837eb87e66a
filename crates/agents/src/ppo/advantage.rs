//! Generalized advantage estimation, GAE(λ) (Schulman et al. 2015, ["High-Dimensional Continuous Control Using
//! Generalized Advantage Estimation"](https://arxiv.org/abs/1506.02438)), with terminated and truncated episodes
//! treated separately.
//!
//! Arrays are `[step][env]`. With δₜ = rₜ + γ·v'ₜ − vₜ, the advantage is Aₜ = δₜ + γλ·Aₜ₊₁, and Aₜ = δₜ on the last
//! step of an episode. v'ₜ is the value of the next state: the next row of `values` within an episode, 0 after a
//! terminal state, and the value of the final observation after a truncation.

/// Inputs of generalized advantage estimation, from a rollout of `num_envs` environments over `rewards.len() /
/// num_envs` steps.
pub struct Trajectory<'a> {
    /// Number of environments in the rollout.
    pub num_envs: usize,
    /// Discount factor γ of future rewards.
    pub discount: f32,
    /// Weighting factor λ of GAE: 0 yields one-step temporal-difference errors, 1 yields Monte Carlo returns.
    pub lambda: f32,
    /// Reward of each step, `[steps][num_envs]`.
    pub rewards: &'a [f32],
    /// Value estimate of the state before each step, `[steps + 1][num_envs]`. The last row holds the values of the
    /// states after the last step.
    pub values: &'a [f32],
    /// `[steps][num_envs]`: 0 if the step ended its episode, otherwise 1.
    pub continues: &'a [f32],
    /// `[steps][num_envs]`: value estimate of the final observation if the step ended its episode by the time limit,
    /// otherwise 0.
    pub final_values: &'a [f32],
}

/// Computes the advantages and the returns of a rollout, both `[steps][num_envs]`. The return is advantage + value
/// estimate, the target of the value function.
///
/// `carry` is scratch memory, `[num_envs]`.
pub fn estimate(trajectory: &Trajectory, carry: &mut [f32], advantages: &mut [f32], returns: &mut [f32]) {
    let &Trajectory { num_envs, discount, lambda, rewards, values, continues, final_values } = trajectory;
    let decay = discount * lambda;
    let carry = &mut carry[..num_envs];
    carry.fill(0.0);
    for step in (0..rewards.len() / num_envs).rev() {
        let row = step * num_envs..(step + 1) * num_envs;
        let next_values = &values[row.end..row.end + num_envs];
        let values = &values[row.clone()];
        let rewards = &rewards[row.clone()];
        let continues = &continues[row.clone()];
        let final_values = &final_values[row.clone()];
        let advantages = &mut advantages[row.clone()];
        let returns = &mut returns[row];
        for env in 0..num_envs {
            let next_value = continues[env] * next_values[env] + final_values[env];
            let delta = rewards[env] + discount * next_value - values[env];
            carry[env] = delta + decay * continues[env] * carry[env];
            advantages[env] = carry[env];
            returns[env] = carry[env] + values[env];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a step of the tested rollout ends its episode, and why.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum StepOutcome {
        /// The episode continues after the step.
        Continues,
        /// The step reached a terminal state.
        Terminated,
        /// The step reached the time limit.
        Truncated,
    }

    /// Linear congruential generator that draws the inputs of the test.
    struct TestNumbers(u64);

    impl TestNumbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as f64 / (1u64 << 31) as f64
        }
    }

    /// Reference implementation of GAE by its definition, in `f64`: Aₜ = Σₖ (γλ)ᵏ δₜ₊ₖ up to the end of the episode,
    /// per environment.
    fn reference(
        steps: usize,
        num_envs: usize,
        (gamma, lambda): (f64, f64),
        rewards: &[f32],
        values: &[f32],
        outcomes: &[StepOutcome],
        final_values: &[f32],
    ) -> Vec<f64> {
        let at = |array: &[f32], step: usize, env: usize| f64::from(array[step * num_envs + env]);
        let delta = |step: usize, env: usize| {
            let next = match outcomes[step * num_envs + env] {
                StepOutcome::Continues => at(values, step + 1, env),
                StepOutcome::Terminated => 0.0,
                StepOutcome::Truncated => at(final_values, step, env),
            };
            at(rewards, step, env) + gamma * next - at(values, step, env)
        };
        let mut advantages = vec![0.0; steps * num_envs];
        for start in 0..steps {
            for env in 0..num_envs {
                let mut weight = 1.0;
                for step in start..steps {
                    advantages[start * num_envs + env] += weight * delta(step, env);
                    if outcomes[step * num_envs + env] != StepOutcome::Continues {
                        break;
                    }
                    weight *= gamma * lambda;
                }
            }
        }
        advantages
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut inputs = TestNumbers(7);
        for (steps, num_envs, gamma, lambda) in
            [(1, 1, 0.9, 0.8), (17, 5, 0.99, 0.95), (64, 33, 1.0, 1.0), (9, 4, 0.9, 0.0)]
        {
            let mut draw = |n: usize| (0..n).map(|_| inputs.next() as f32 * 4.0 - 2.0).collect::<Vec<_>>();
            let rewards = draw(steps * num_envs);
            let values = draw((steps + 1) * num_envs);
            let ends = draw(steps * num_envs);
            let mut final_values = draw(steps * num_envs);
            let outcomes: Vec<_> = ends
                .iter()
                .map(|&end| match end {
                    e if e > 1.6 => StepOutcome::Terminated,
                    e if e < -1.6 => StepOutcome::Truncated,
                    _ => StepOutcome::Continues,
                })
                .collect();
            for (value, outcome) in final_values.iter_mut().zip(&outcomes) {
                if *outcome != StepOutcome::Truncated {
                    *value = 0.0;
                }
            }
            let continues: Vec<f32> =
                outcomes.iter().map(|&o| if o == StepOutcome::Continues { 1.0 } else { 0.0 }).collect();
            let expected = reference(
                steps,
                num_envs,
                (f64::from(gamma as f32), f64::from(lambda as f32)),
                &rewards,
                &values,
                &outcomes,
                &final_values,
            );
            let mut carry = vec![f32::NAN; num_envs];
            let mut advantages = vec![0.0; steps * num_envs];
            let mut returns = vec![0.0; steps * num_envs];
            let trajectory = Trajectory {
                num_envs,
                discount: gamma as f32,
                lambda: lambda as f32,
                rewards: &rewards,
                values: &values,
                continues: &continues,
                final_values: &final_values,
            };
            estimate(&trajectory, &mut carry, &mut advantages, &mut returns);
            for i in 0..steps * num_envs {
                assert!(
                    (f64::from(advantages[i]) - expected[i]).abs() < 2e-4,
                    "{i}: {} {}",
                    advantages[i],
                    expected[i]
                );
                assert!((returns[i] - advantages[i] - values[i]).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn a_truncated_episode_is_bootstrapped() {
        let trajectory = |final_value: &'static [f32]| Trajectory {
            num_envs: 1,
            discount: 0.5,
            lambda: 1.0,
            rewards: &[1.0],
            values: &[2.0, 100.0],
            continues: &[0.0],
            final_values: final_value,
        };
        let advantage = |final_value| {
            let (mut advantage, mut returns) = ([0.0], [0.0]);
            estimate(&trajectory(final_value), &mut [0.0], &mut advantage, &mut returns);
            advantage[0]
        };
        assert_eq!(advantage(&[0.0]), -1.0);
        assert_eq!(advantage(&[8.0]), 3.0);
    }
}
