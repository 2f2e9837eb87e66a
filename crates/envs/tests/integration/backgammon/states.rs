//! Tests of backgammon as a game of the tree search: states, actions and rolls.

use super::{positions::Positions, slow};
use vivarium_envs::backgammon::{ACTIONS, Action, LegalActions, Position, Roll, State, TurnPhase};
use vivarium_kernels::rng::Stream;

/// Returns, for each legal action, the next state and its board from the view of the player who moved. Asserts that no
/// two actions lead to the same board.
fn boards(state: &State, actions: &mut LegalActions) -> Vec<(State, slow::Board)> {
    state.actions(actions);
    let after = |&action: &Action| {
        let next = state.after(action);
        let handed_over = next.player != state.player;
        assert_eq!(handed_over, next.phase == TurnPhase::Roll);
        let seen = if handed_over { next.position.mirrored() } else { next.position };
        (next, slow::Board::of(&seen))
    };
    let boards: Vec<_> = actions.iter().map(after).collect();
    let mut distinct: Vec<_> = boards.iter().map(|(_, board)| *board).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), boards.len(), "two actions lead to one position");
    boards
}

#[test]
fn actions_lead_to_the_plays_of_the_slow_generator() {
    let mut positions = Positions::new(12, 0);
    let mut actions = LegalActions::new();
    let mut three = 0;
    for _ in 0..50_000 {
        let (position, roll) = positions.next();
        let state = State { position, phase: TurnPhase::Play(roll), player: 1 };
        let mut reached = Vec::new();
        for (next, board) in boards(&state, &mut actions) {
            if let TurnPhase::SecondHalf(rest) = next.phase {
                assert_eq!((rest, roll.is_double()), (roll, true));
                let mut second = LegalActions::new();
                let halves = boards(&next, &mut second);
                three += usize::from(second.iter().any(|action| action.sources()[1] == 0));
                reached.extend(halves.into_iter().map(|(last, board)| {
                    assert_eq!((last.phase, last.player), (TurnPhase::Roll, 0));
                    board
                }));
            } else {
                reached.push(board);
            }
        }
        reached.sort_unstable();
        reached.dedup();
        assert_eq!(reached, slow::plays(&position, roll), "{roll} in {position:?}");
    }
    assert!(three > 0, "no double ended after an odd number of moves");
}

#[test]
fn actions_are_numbers_of_sources() {
    for index in 0..ACTIONS {
        let action = Action::new(index).unwrap();
        assert_eq!((action.index(), action.sources()), (index, [index / 26, index % 26]));
    }
    assert_eq!(Action::new(ACTIONS), None);
    let state = State::START.rolled(Roll::new(3, 1).unwrap());
    let mut actions = LegalActions::new();
    state.actions(&mut actions);
    let five_point = Action::new(8 * 26 + 6).unwrap();
    assert!(actions.contains(&five_point));
    assert_eq!(state.after(five_point).position.id(), "sGfwATDgc/ABMA");
}

#[test]
fn roll_probabilities_sum_to_one() {
    let sum = |state: State| state.rolls().map(|(_, probability)| probability).sum::<f32>();
    assert!((sum(State::START) - 1.0).abs() < 1e-6);
    assert_eq!(State::START.rolls().count(), 15);
    let later = State { phase: TurnPhase::Roll, ..State::START };
    assert!((sum(later) - 1.0).abs() < 1e-6);
    assert_eq!(later.rolls().count(), 21);
    assert_eq!(later.rolled(Roll::ALL[0]).rolls().count(), 0);
    let mut actions = LegalActions::new();
    later.actions(&mut actions);
    assert_eq!(actions.len(), 0);
}

#[test]
fn random_games_end_with_points_for_one_player() {
    let mut random = Stream::new(9, 0);
    let (mut actions, mut points) = (LegalActions::new(), [0; 7]);
    for _ in 0..300 {
        let mut state = State::START;
        let outcome = loop {
            if let Some(outcome) = state.outcome() {
                break outcome;
            }
            let rolls: Vec<_> = state.rolls().map(|(roll, _)| roll).collect();
            state = if rolls.is_empty() {
                state.actions(&mut actions);
                state.after(actions[random.below(actions.len() as u32) as usize])
            } else {
                state.rolled(rolls[random.below(rolls.len() as u32) as usize])
            };
        };
        points[(outcome.points() + 3) as usize] += 1;
    }
    // The player who has borne off all checkers has just ended the turn.
    assert_eq!(points[4..], [0; 3]);
    assert!(points[..3].iter().all(|&count| count > 0), "{points:?}");
}

#[test]
fn hashes_distinguish_positions_and_phases() {
    let mut positions = Positions::new(13, 0);
    let mut seen = std::collections::HashMap::new();
    for _ in 0..50_000 {
        let (position, roll) = positions.next();
        for phase in [TurnPhase::Opening, TurnPhase::Roll, TurnPhase::Play(roll), TurnPhase::SecondHalf(roll)]
        {
            let state = State { position, phase, player: 0 };
            let other = seen.insert(state.hash(), (position, phase));
            assert!(
                other.is_none_or(|other| other == (position, phase)),
                "one hash of two states: {state:?}"
            );
            assert_eq!(state.hash(), State { player: 1, ..state }.hash());
        }
    }
    assert!(seen.len() > 100_000);
    assert_ne!(Position::START.hash(), 0);
}

#[test]
fn moves_of_an_action_lead_where_it_leads() {
    let (mut random, mut actions, mut halves) = (Stream::new(6, 0), LegalActions::new(), 0);
    for _ in 0..20 {
        let mut state = State::START;
        while state.outcome().is_none() {
            if let (TurnPhase::Opening | TurnPhase::Roll, roll) =
                (state.phase, Roll::ALL[random.below(21) as usize])
            {
                state = state.rolled(roll);
                continue;
            }
            state.actions(&mut actions);
            let action = actions[random.below(actions.len() as u32) as usize];
            let after = state.after(action);
            let mut turn = [state.position.mine().counts(), state.position.theirs().counts()];
            for one in state.moves(action).iter() {
                let [from, to] = [one.from, one.to()].map(usize::from);
                turn[0][from] -= 1;
                turn[0][to] += 1;
                if to > 0 && turn[1][25 - to] == 1 {
                    turn[1][25 - to] = 0;
                    turn[1][25] += 1;
                }
            }
            let same = after.player == state.player;
            halves += u32::from(same);
            let seen = if same { after.position } else { after.position.mirrored() };
            assert_eq!([seen.mine().counts(), seen.theirs().counts()], turn, "{state:?} {action:?}");
            state = after;
        }
    }
    assert!(halves > 20);
    assert!(State::START.moves(actions[0]).is_empty());
}
