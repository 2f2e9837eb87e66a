//! Generalized advantage estimation (Schulman et al. 2015, "High-dimensional continuous control using generalized
//! advantage estimation"), with episodes that end and episodes that are cut off kept apart.
//!
//! Arrays are `[step][lane]`. With δₜ = rₜ + γ·v'ₜ − vₜ, the advantage is Aₜ = δₜ + γλ·Aₜ₊₁ while the episode goes on,
//! and Aₜ = δₜ on its last step. v'ₜ is the value of the state that the step led to: the next row of `values` while the
//! episode goes on, 0 where it terminated, the value of its final observation where it was cut off by the time limit.

/// What generalized advantage estimation reads, for `lanes` lanes over `rewards.len() / lanes` steps.
pub struct Trajectory<'a> {
    /// Lanes.
    pub lanes: usize,
    /// γ.
    pub discount: f32,
    /// λ.
    pub lambda: f32,
    /// `[steps][lanes]`.
    pub rewards: &'a [f32],
    /// Values of the states acted in, `[steps][lanes]`, and one more row for the states after the last step.
    pub values: &'a [f32],
    /// `[steps][lanes]`: 1 while the episode goes on after the step, 0 where it terminated or was cut off.
    pub continues: &'a [f32],
    /// `[steps][lanes]`: the value of the final observation where the step was cut off, 0 everywhere else.
    pub final_values: &'a [f32],
}

/// Writes advantages and their sums with the values (the value network's targets), both `[steps][lanes]`.
///
/// `carry` is scratch for one number a lane.
pub fn estimate(trajectory: &Trajectory, carry: &mut [f32], advantages: &mut [f32], returns: &mut [f32]) {
    let &Trajectory { lanes, discount, lambda, rewards, values, continues, final_values } = trajectory;
    let decay = discount * lambda;
    let carry = &mut carry[..lanes];
    carry.fill(0.0);
    for step in (0..rewards.len() / lanes).rev() {
        let row = step * lanes..(step + 1) * lanes;
        let next_values = &values[row.end..row.end + lanes];
        let values = &values[row.clone()];
        let rewards = &rewards[row.clone()];
        let continues = &continues[row.clone()];
        let final_values = &final_values[row.clone()];
        let advantages = &mut advantages[row.clone()];
        let returns = &mut returns[row];
        for lane in 0..lanes {
            let next_value = continues[lane] * next_values[lane] + final_values[lane];
            let delta = rewards[lane] + discount * next_value - values[lane];
            carry[lane] = delta + decay * continues[lane] * carry[lane];
            advantages[lane] = carry[lane];
            returns[lane] = carry[lane] + values[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a step left its episode.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Outcome {
        /// It goes on.
        Continues,
        /// It ended by the world's rules: nothing more is to be earned.
        Terminated,
        /// It was cut off by the time limit: more would have been earned.
        Truncated,
    }

    /// A small generator for test inputs.
    struct Inputs(u64);

    impl Inputs {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as f64 / (1u64 << 31) as f64
        }
    }

    /// The definition: Aₜ = Σₖ (γλ)ᵏ δₜ₊ₖ up to the end of the episode, lane by lane in f64.
    fn reference(
        steps: usize,
        lanes: usize,
        (gamma, lambda): (f64, f64),
        rewards: &[f32],
        values: &[f32],
        outcomes: &[Outcome],
        final_values: &[f32],
    ) -> Vec<f64> {
        let at = |array: &[f32], step: usize, lane: usize| f64::from(array[step * lanes + lane]);
        let delta = |step: usize, lane: usize| {
            let next = match outcomes[step * lanes + lane] {
                Outcome::Continues => at(values, step + 1, lane),
                Outcome::Terminated => 0.0,
                Outcome::Truncated => at(final_values, step, lane),
            };
            at(rewards, step, lane) + gamma * next - at(values, step, lane)
        };
        let mut advantages = vec![0.0; steps * lanes];
        for start in 0..steps {
            for lane in 0..lanes {
                let mut weight = 1.0;
                for step in start..steps {
                    advantages[start * lanes + lane] += weight * delta(step, lane);
                    if outcomes[step * lanes + lane] != Outcome::Continues {
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
        let mut inputs = Inputs(7);
        for (steps, lanes, gamma, lambda) in
            [(1, 1, 0.9, 0.8), (17, 5, 0.99, 0.95), (64, 33, 1.0, 1.0), (9, 4, 0.9, 0.0)]
        {
            let mut draw = |n: usize| (0..n).map(|_| inputs.next() as f32 * 4.0 - 2.0).collect::<Vec<_>>();
            let rewards = draw(steps * lanes);
            let values = draw((steps + 1) * lanes);
            let ends = draw(steps * lanes);
            let mut final_values = draw(steps * lanes);
            let outcomes: Vec<_> = ends
                .iter()
                .map(|&end| match end {
                    e if e > 1.6 => Outcome::Terminated,
                    e if e < -1.6 => Outcome::Truncated,
                    _ => Outcome::Continues,
                })
                .collect();
            for (value, outcome) in final_values.iter_mut().zip(&outcomes) {
                if *outcome != Outcome::Truncated {
                    *value = 0.0;
                }
            }
            let continues: Vec<f32> =
                outcomes.iter().map(|&o| if o == Outcome::Continues { 1.0 } else { 0.0 }).collect();
            let expected = reference(
                steps,
                lanes,
                (f64::from(gamma as f32), f64::from(lambda as f32)),
                &rewards,
                &values,
                &outcomes,
                &final_values,
            );
            let mut carry = vec![f32::NAN; lanes];
            let mut advantages = vec![0.0; steps * lanes];
            let mut returns = vec![0.0; steps * lanes];
            let trajectory = Trajectory {
                lanes,
                discount: gamma as f32,
                lambda: lambda as f32,
                rewards: &rewards,
                values: &values,
                continues: &continues,
                final_values: &final_values,
            };
            estimate(&trajectory, &mut carry, &mut advantages, &mut returns);
            for i in 0..steps * lanes {
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
    fn a_cut_off_episode_is_worth_more_than_a_terminated_one() {
        let trajectory = |final_value: &'static [f32]| Trajectory {
            lanes: 1,
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
