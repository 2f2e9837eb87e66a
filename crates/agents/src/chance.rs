//! Sampling of chance events, such as dice rolls.

use vivarium_mcts::Game;

/// Samples the outcome of the chance event in `state`, a chance node, by inverse transform sampling. `draw` is a
/// uniform random number in [0, 1). Returns the index of the outcome.
pub(crate) fn outcome<G: Game>(state: &G, scratch: &mut G::Scratch, draw: f32) -> usize {
    let (mut left, mut found, mut last) = (draw, None, 0);
    state.branches(scratch, |branch, probability| {
        last = branch;
        left -= probability;
        if left < 0.0 && found.is_none() {
            found = Some(branch);
        }
    });
    // Rounding can make the sum of the probabilities less than 1; the last outcome then takes the remainder.
    found.unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::State;

    #[test]
    fn evenly_spaced_numbers_fall_on_outcomes_in_their_proportions() {
        let mut counts = std::collections::BTreeMap::<usize, u32>::new();
        for place in 0..1500 {
            let outcome = outcome(&State::START, &mut Default::default(), (place as f32 + 0.5) / 1500.0);
            *counts.entry(outcome).or_default() += 1;
        }
        // The opening roll has unequal dice: 15 equally likely outcomes.
        assert_eq!(counts.len(), 15);
        assert!(counts.values().all(|count| (99..=101).contains(count)), "{counts:?}");
        assert_eq!(outcome(&State::START, &mut Default::default(), 1.0), *counts.keys().last().unwrap());
    }
}
