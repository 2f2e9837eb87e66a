//! ε-greedy exploration.

use vivarium_kernels::rng;

/// Returns the index of the largest of `values`; ties go to the lowest index.
#[must_use]
pub fn best(values: &[f32]) -> usize {
    (1..values.len()).fold(0, |best, action| if values[action] > values[best] { action } else { best })
}

/// Selects an ε-greedy action for each environment. `values` holds the action values `[rows, count]`, one row per
/// environment. Sets `nongreedy` to whether the value of the action is less than the largest value, so a random
/// action may be greedy. The random numbers of a row depend on (seed, row, tick) alone; `tick` is the index of the
/// environment step.
pub(crate) fn choose(
    values: &[f32],
    count: usize,
    epsilon: f32,
    seed: u64,
    tick: u32,
    actions: &mut [u8],
    nongreedy: &mut [bool],
) {
    let rows = values.chunks_exact(count).zip(actions.iter_mut().zip(nongreedy));
    for (row, (values, (action, nongreedy))) in rows.enumerate() {
        let [chance, which] = rng::block(seed, row as u32, tick);
        let greedy = best(values);
        let chosen = match rng::uniform(chance) < epsilon {
            true => ((u64::from(which) * count as u64) >> 32) as usize,
            false => greedy,
        };
        *nongreedy = values[chosen] < values[greedy];
        *action = chosen as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_actions_have_frequency_epsilon_and_are_uniform() {
        let values = [0.0, 2.0, 1.0, 2.0].repeat(10_000);
        let (mut actions, mut nongreedy) = (vec![0; 10_000], vec![false; 10_000]);
        choose(&values, 4, 0.4, 1, 2, &mut actions, &mut nongreedy);
        let count = |action| actions.iter().filter(|&&a| a == action).count();
        assert!([0, 2, 3].into_iter().all(|action| (900..1_100).contains(&count(action))));
        choose(&values, 4, 0.0, 1, 2, &mut actions, &mut nongreedy);
        assert!(actions.iter().all(|&action| action == 1) && !nongreedy.contains(&true));
    }

    /// In Watkins's Q(λ), an action of the largest value counts as greedy, even if it was chosen at random (Sutton and
    /// Barto, 1st edition, figure 7.14).
    #[test]
    fn a_random_action_of_the_largest_value_is_greedy() {
        let values = [0.0, 2.0, 1.0, 2.0].repeat(10_000);
        let (mut actions, mut nongreedy) = (vec![0; 10_000], vec![false; 10_000]);
        choose(&values, 4, 1.0, 1, 2, &mut actions, &mut nongreedy);
        for (action, nongreedy) in actions.into_iter().zip(nongreedy) {
            assert_eq!(nongreedy, [0, 2].contains(&action), "{action}");
        }
    }
}
