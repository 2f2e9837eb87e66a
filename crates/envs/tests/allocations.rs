//! Backgammon plays and actions are generated without allocation. A separate test binary, since all allocations of the
//! process are counted.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_envs::backgammon::{Dice, LegalActions, Plays, State};

/// A single test, because concurrent tests would count each other's allocations.
#[test]
fn games_are_played_without_allocation() {
    let (mut plays, mut actions) = (Plays::new(), LegalActions::new());
    let (decisions, allocated) = counted(|| {
        let mut decisions = 0;
        for game in 0..100 {
            let dice = Dice { seed: 3, game };
            let mut state = State::START.rolled(dice.opening().1);
            let mut turn = 0;
            while state.outcome().is_none() {
                if state.rolls().next().is_some() {
                    turn += 1;
                    let roll = dice.roll(turn);
                    plays.generate(&state.position, roll);
                    assert!(!plays.is_empty());
                    state = state.rolled(roll);
                } else {
                    state.actions(&mut actions);
                    state = state.after(actions[state.hash() as usize % actions.len()]);
                    decisions += 1;
                }
            }
        }
        decisions
    });
    assert!(decisions > 1000);
    assert_eq!(allocated.count, 0, "allocations in {decisions} decisions");
}
