//! Backgammon states that random plays reach from the initial state.

use crate::chance::outcome;
use vivarium_envs::backgammon::{LegalActions, State};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Game;

/// Maximum number of random turns.
const MOST_TURNS: u32 = 4;

/// Returns the state before a roll after one to four turns of random dice and random legal plays.
pub fn state(random: &mut Stream) -> State {
    let turns = 1 + random.below(MOST_TURNS);
    (0..turns).fold(State::START, |state, _| after_random_turn(state, random))
}

/// Rolls the dice, and plays a legal action, drawn uniformly; both halves if the roll is a double.
fn after_random_turn(before: State, random: &mut Stream) -> State {
    let mut actions = LegalActions::new();
    let roll = outcome(&before, &mut actions, random.uniform());
    let mut state = Game::after(&before, roll);
    loop {
        state.actions(&mut actions);
        if actions.is_empty() {
            return state;
        }
        state = state.after(actions[random.below(actions.len() as u32) as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use vivarium_envs::backgammon::{Roll, TurnPhase};

    #[test]
    fn states_vary_and_precede_a_roll() {
        let mut random = Stream::new(1, 0);
        let states: Vec<_> = (0..1000).map(|_| state(&mut random)).collect();
        assert!(states.iter().all(|state| state.phase == TurnPhase::Roll && state.outcome().is_none()));
        let different: HashSet<_> = states.iter().map(State::hash).collect();
        assert!(different.len() > 500, "{} different states", different.len());
    }

    #[test]
    fn the_rarest_play_of_an_opening_roll_is_among_the_states() {
        // 13/11 6/5 of 2-1, which a greedy player avoids: one of 15 actions or fewer, after one of 15 rolls.
        let rolled = State::START.rolled(Roll::new(2, 1).unwrap());
        let mut actions = LegalActions::new();
        rolled.actions(&mut actions);
        let slot = actions.iter().map(|&action| rolled.after(action));
        let slot = slot.into_iter().find(|after| {
            let theirs = after.position.theirs();
            (theirs.count(5), theirs.count(11), theirs.count(6), theirs.count(13)) == (1, 1, 4, 4)
        });
        let slot = slot.expect("a legal play").hash();
        let mut random = Stream::new(2, 0);
        assert!((0..5000).any(|_| state(&mut random).hash() == slot));
    }
}
