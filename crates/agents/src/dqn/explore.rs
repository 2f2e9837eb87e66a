//! ε-greedy exploration.

use vivarium_kernels::rng;

/// Returns the index of the largest value; ties go to the lowest index.
#[must_use]
pub fn best(values: &[f32]) -> usize {
    (1..values.len()).fold(0, |best, action| if values[action] > values[best] { action } else { best })
}

/// Selects an ε-greedy action for each row of action values `[rows, count]`. Sets `drawn` of a row to whether its
/// action was drawn at random. A row's random numbers depend on (seed, row, tick) alone; `tick` is the index of the
/// environment step.
pub(crate) fn choose(
    values: &[f32],
    count: usize,
    epsilon: f32,
    seed: u64,
    tick: u32,
    actions: &mut [u8],
    drawn: &mut [bool],
) {
    let rows = values.chunks_exact(count).zip(actions.iter_mut().zip(drawn));
    for (row, (values, (action, drawn))) in rows.enumerate() {
        let [chance, which] = rng::block(seed, row as u32, tick);
        *drawn = rng::uniform(chance) < epsilon;
        *action = match *drawn {
            true => ((u64::from(which) * count as u64) >> 32) as u8,
            false => best(values) as u8,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_actions_have_frequency_epsilon_and_are_uniform() {
        let values = [0.0, 2.0, 1.0, 2.0].repeat(10_000);
        let (mut actions, mut drawn) = (vec![0; 10_000], vec![false; 10_000]);
        choose(&values, 4, 0.4, 1, 2, &mut actions, &mut drawn);
        let count = |action| actions.iter().filter(|&&a| a == action).count();
        assert!((3_800..4_200).contains(&drawn.iter().filter(|&&drawn| drawn).count()));
        assert!([0, 2, 3].into_iter().all(|action| (900..1_100).contains(&count(action))));
        assert!(actions.iter().zip(&drawn).all(|(&action, &drawn)| drawn || action == 1));
        choose(&values, 4, 0.0, 1, 2, &mut actions, &mut drawn);
        assert!(actions.iter().all(|&action| action == 1) && !drawn.contains(&true));
    }
}
