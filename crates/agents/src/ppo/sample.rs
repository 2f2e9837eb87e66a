//! Selection of actions from the outputs of the actor: sampled or greedy.
//!
//! Actions have the format of the loss: the index of a discrete action, or a continuous action divided by the largest
//! action. A sample depends on (seed, step, environment) alone.

use vivarium_envs::ActionSpace;
use vivarium_kernels::{Level, math, rng};

/// ½·ln(2π), a term of the log density of a Gaussian. τ is 2π.
pub(crate) const HALF_LN_TAU: f32 = 0.918_938_5;

/// Seed and indices that determine the random numbers of a batch of sampled actions.
#[derive(Clone, Copy)]
pub(crate) struct SampleKey {
    /// Seed of the random numbers from which actions are sampled.
    pub seed: u64,
    /// Index of the environment step for which actions are sampled. Each step has its own random numbers.
    pub step: u32,
    /// Index of the environment of the first action. Must be even, because two environments share a block of random
    /// numbers.
    pub first_env: u32,
}

/// Scratch memory of [`draw`], which samples a batch of actions.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleScratch {
    noise: Vec<f32>,
    probabilities: Vec<f32>,
}

/// Samples an action for each environment. Writes the actions to `actions` and their log probabilities to
/// `log_probabilities`.
///
/// `policy` holds log probabilities `[rows, n]` of discrete actions, or the means `[rows, 1]` of Gaussians with log
/// standard deviation `log_std`; each row is for one environment. `from` determines the random numbers.
pub(crate) fn draw(
    level: Level,
    space: ActionSpace,
    policy: &[f32],
    log_std: f32,
    from: SampleKey,
    scratch: &mut SampleScratch,
    actions: &mut [f32],
    log_probabilities: &mut [f32],
) {
    let SampleScratch { noise, probabilities } = scratch;
    noise.resize(actions.len(), 0.0);
    let first_step = from.first_env / 2;
    match space {
        ActionSpace::Discrete(n) => {
            rng::fill_uniform(level, from.seed, from.step, first_step, noise);
            probabilities.clear();
            probabilities.extend_from_slice(policy);
            math::exp_in_place(level, probabilities);
            for (row, (probabilities, &uniform)) in probabilities.chunks_exact(n).zip(&*noise).enumerate() {
                // Inverse transform sampling: the action is the number of cumulative probabilities that do not exceed
                // the uniform random number. The last action takes the rounding error of the sum.
                let (mut sum, mut action) = (0.0, 0);
                for probability in &probabilities[..n - 1] {
                    sum += probability;
                    action += usize::from(sum <= uniform);
                }
                actions[row] = action as f32;
                log_probabilities[row] = policy[row * n + action];
            }
        }
        ActionSpace::Box { .. } => {
            rng::fill_normal(level, from.seed, from.step, first_step, noise);
            let std = log_std.exp();
            for (row, &z) in noise.iter().enumerate() {
                actions[row] = policy[row] + std * z;
                log_probabilities[row] = -0.5 * z * z - log_std - HALF_LN_TAU;
            }
        }
    }
}

/// Writes the most probable action for each environment to `actions`. `policy` holds log probabilities `[rows, n]` of
/// discrete actions, or means `[rows, 1]` of Gaussians.
pub(crate) fn greedy(space: ActionSpace, policy: &[f32], actions: &mut [f32]) {
    match space {
        ActionSpace::Discrete(n) => {
            for (row, action) in policy.chunks_exact(n).zip(actions) {
                let best = (1..n).fold(0, |best, index| if row[index] > row[best] { index } else { best });
                *action = best as f32;
            }
        }
        ActionSpace::Box { .. } => actions.copy_from_slice(policy),
    }
}

/// Converts actions from the format of the loss to the format of the environment: multiplies continuous actions by
/// the largest action.
pub(crate) fn commands(space: ActionSpace, actions: &[f32], commands: &mut [f32]) {
    match space {
        ActionSpace::Discrete(_) => commands.copy_from_slice(actions),
        ActionSpace::Box { high, .. } => {
            for (command, action) in commands.iter_mut().zip(actions) {
                *command = action * high;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd;

    fn drawn(space: ActionSpace, row: &[f32], log_std: f32, rows: usize) -> (Vec<f32>, Vec<f32>) {
        let policy: Vec<f32> = row.iter().copied().cycle().take(row.len() * rows).collect();
        let (mut actions, mut log_probabilities) = (vec![0.0; rows], vec![0.0; rows]);
        let from = SampleKey { seed: 3, step: 9, first_env: 0 };
        let mut scratch = SampleScratch::default();
        draw(
            simd::level(),
            space,
            &policy,
            log_std,
            from,
            &mut scratch,
            &mut actions,
            &mut log_probabilities,
        );
        (actions, log_probabilities)
    }

    #[test]
    fn categorical_draws_have_the_policies_frequencies() {
        let probabilities = [0.5f32, 0.2, 0.3];
        let logs = probabilities.map(f32::ln);
        let (actions, log_probabilities) = drawn(ActionSpace::Discrete(3), &logs, 0.0, 30_000);
        for (action, probability) in probabilities.iter().enumerate() {
            let count = actions.iter().filter(|&&a| a == action as f32).count();
            assert!((count as f32 / 30_000.0 - probability).abs() < 0.01, "{action}: {count}");
        }
        for (action, log_probability) in actions.iter().zip(&log_probabilities) {
            assert_eq!(*log_probability, logs[*action as usize]);
        }
        // An action of probability 1 is always selected.
        let (actions, _) = drawn(ActionSpace::Discrete(2), &[0.0, -200.0], 0.0, 1000);
        assert!(actions.iter().all(|&action| action == 0.0));
    }

    #[test]
    fn gaussian_draws_have_the_policies_moments_and_density() {
        let (mean, std) = (0.7f32, 0.25f32);
        let (actions, log_probabilities) =
            drawn(ActionSpace::Box { low: -2.0, high: 2.0 }, &[mean], std.ln(), 30_000);
        let average = actions.iter().sum::<f32>() / 30_000.0;
        let variance = actions.iter().map(|a| (a - mean).powi(2)).sum::<f32>() / 30_000.0;
        assert!(
            (average - mean).abs() < 0.01 && (variance.sqrt() - std).abs() < 0.01,
            "{average} {variance}"
        );
        for (action, log_probability) in actions.iter().zip(&log_probabilities) {
            let density =
                (-0.5 * ((action - mean) / std).powi(2)).exp() / (std * std::f32::consts::TAU.sqrt());
            assert!((log_probability - density.ln()).abs() < 1e-3, "{log_probability} {}", density.ln());
        }
        let mut command = [0.0];
        commands(ActionSpace::Box { low: -2.0, high: 2.0 }, &[0.5], &mut command);
        assert_eq!(command, [1.0]);
    }

    #[test]
    fn samples_do_not_depend_on_the_division_into_blocks() {
        let policy = [0.1f32; 24];
        let space = ActionSpace::Box { low: -1.0, high: 1.0 };
        let part = |first_env: u32, rows: usize| {
            let (mut actions, mut log_probabilities) = (vec![0.0; rows], vec![0.0; rows]);
            let from = SampleKey { seed: 5, step: 70, first_env };
            let mut scratch = SampleScratch::default();
            draw(
                simd::level(),
                space,
                &policy[..rows],
                0.0,
                from,
                &mut scratch,
                &mut actions,
                &mut log_probabilities,
            );
            actions
        };
        assert_eq!([part(0, 10), part(10, 14)].concat(), part(0, 24));
    }

    #[test]
    fn greedy_selects_the_first_most_probable_action() {
        let mut actions = [0.0; 3];
        greedy(ActionSpace::Discrete(3), &[0.1, 0.3, 0.2, 0.5, 0.5, 0.5, 0.0, 0.1, 0.9], &mut actions);
        assert_eq!(actions, [1.0, 0.0, 2.0]);
    }
}
