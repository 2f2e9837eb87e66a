//! Compares the network inputs of backgammon states with a slow second implementation of the encoding.

use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::{BAR, Dice, LegalActions, Position, Roll, State, TurnPhase};
use vivarium_kernels::rng::Stream;

/// Returns states of all turn phases from random games.
pub fn states(games: u32) -> Vec<State> {
    let mut random = Stream::new(5, 0);
    let (mut actions, mut states) = (LegalActions::new(), Vec::new());
    for game in 0..games {
        let dice = Dice { seed: 3, game };
        let mut state = State::START;
        for turn in 1.. {
            states.push(state);
            if state.outcome().is_some() {
                break;
            }
            state.actions(&mut actions);
            state = match state.phase {
                TurnPhase::Opening => state.rolled(dice.opening().1),
                TurnPhase::Roll => state.rolled(dice.roll(turn)),
                _ => state.after(actions[random.below(actions.len() as u32) as usize]),
            };
        }
    }
    states
}

/// Returns the network inputs of one player. `mine` and `theirs` are the numbers of checkers of both players per
/// point, each in its player's own numbering.
fn side(mine: [u8; 26], theirs: [u8; 26]) -> Vec<f32> {
    let flag = f32::from;
    let mut row = Vec::new();
    for count in &mine[1..25] {
        row.push(flag(*count == 1));
        row.extend([2, 3, 4, 5].map(|least| flag(*count >= least)));
        row.push((f32::from(*count) - 5.0).max(0.0) / 5.0);
    }
    row.extend([1, 2, 3].map(|least| flag(mine[25] >= least)));
    row.push((f32::from(mine[25]) - 3.0).max(0.0) / 3.0);
    row.extend((1..=15).map(|least| flag(mine[0] >= least)));
    // One-hot pattern of made points among six; the lowest bit is the first point.
    let pattern = |first: usize| -> Vec<f32> {
        let made = |point: usize| point <= 24 && mine[point] >= 2;
        let number: usize = (0..6).map(|bit| usize::from(made(first + bit)) << bit).sum();
        (0..64).map(|pattern| flag(pattern == number)).collect()
    };
    row.extend(pattern(1));
    let rearmost = (1..=25).rev().find(|&place| theirs[place] > 0).unwrap_or(0);
    row.extend(pattern(26 - rearmost));
    for distance in 1..=11 {
        // Point p is the opponent's point 25 − p. A checker that can hit a blot there is `distance` pips behind it.
        let shot = |point: &usize| {
            mine[*point] == 1 && theirs.get(25 - point + distance).is_some_and(|&count| count > 0)
        };
        row.push((1..=24).filter(shot).count() as f32);
    }
    row.push((1..=25).map(|place| place as f32 * f32::from(mine[place])).sum::<f32>() / 100.0);
    row
}

/// Returns the network inputs of one die: for each source, whether a checker can move by the die, and whether the move
/// hits a blot.
fn die(position: &Position, die: u8) -> Vec<f32> {
    let (mine, theirs) = (position.mine().counts(), position.theirs().counts());
    let (mut moves, mut hits) = (vec![0.0; 25], vec![0.0; 25]);
    let all_home = mine[7..].iter().all(|&count| count == 0);
    for from in 1..=25 {
        if mine[from] == 0 || (from < 25 && mine[25] > 0) {
            continue;
        }
        let die = usize::from(die);
        if from > die {
            let opponents = theirs[25 - (from - die)];
            moves[from - 1] = f32::from(opponents < 2);
            hits[from - 1] = f32::from(opponents == 1);
        } else {
            let rearmost = mine[from + 1..].iter().all(|&count| count == 0);
            moves[from - 1] = f32::from(all_home && (from == die || rearmost));
        }
    }
    [moves, hits].concat()
}

fn reference(state: &State) -> Vec<f32> {
    let (mine, theirs) = (state.position.mine().counts(), state.position.theirs().counts());
    let (roll, rest) = match state.phase {
        TurnPhase::Opening | TurnPhase::Roll => (None, false),
        TurnPhase::Play(roll) => (Some(roll), false),
        TurnPhase::SecondHalf(roll) => (Some(roll), true),
    };
    let mut row = [side(mine, theirs), side(theirs, mine)].concat();
    row.extend(Roll::ALL.map(|each| f32::from(roll == Some(each))));
    row.extend([f32::from(rest), f32::from(roll.is_none())]);
    match roll {
        Some(roll) => row.extend([roll.high(), roll.low()].map(|each| die(&state.position, each)).concat()),
        None => row.extend([0.0; 100]),
    }
    let rearmost = |counts: [u8; 26]| (1..=25).rev().find(|&place| counts[place] > 0).unwrap_or(0);
    row.push(f32::from(rearmost(mine) + rearmost(theirs) > 24));
    let pips = |counts: [u8; 26]| (1..=25).map(|place| place as f32 * f32::from(counts[place])).sum::<f32>();
    row.push((pips(theirs) - pips(mine)) / 50.0);
    row
}

#[test]
fn encoding_agrees_with_the_slow_one() {
    let states = states(60);
    let (mut bars, mut offs, mut rests, mut shots) = (0, 0, 0, 0.0);
    for state in &states {
        // `encode` must overwrite all elements of the row.
        let mut row = vec![f32::NAN; State::INPUTS];
        state.encode(&mut row);
        assert_eq!(row, reference(state), "{state:?}");
        bars += usize::from(state.position.mine().count(BAR) > 0);
        offs += usize::from(state.position.theirs().count(0) > 0);
        rests += usize::from(matches!(state.phase, TurnPhase::SecondHalf(_)));
        shots += row[291..302].iter().sum::<f32>();
    }
    assert!(bars > 100 && offs > 100 && rests > 100 && shots > 1000.0, "{bars} {offs} {rests} {shots}");
}

#[test]
fn encoding_is_symmetric_in_the_players() {
    for state in states(5) {
        let rows = [0, 1].map(|player| {
            let mut row = vec![0.0; State::INPUTS];
            State { player, ..state }.encode(&mut row);
            row
        });
        assert_eq!(rows[0], rows[1], "who is called player 0 does not matter");

        // Before the roll, the other player's view has the sides swapped.
        let mine = State { phase: TurnPhase::Roll, ..state };
        let theirs = State { position: state.position.mirrored(), ..mine };
        let (mut here, mut there) = (vec![0.0; State::INPUTS], vec![0.0; State::INPUTS]);
        mine.encode(&mut here);
        theirs.encode(&mut there);
        assert_eq!((&here[..303], &here[303..606]), (&there[303..606], &there[..303]));
        assert_eq!(here[606..State::INPUTS - 1], there[606..State::INPUTS - 1]);
        assert_eq!(here[State::INPUTS - 1], -there[State::INPUTS - 1], "the lead is the other's lag");
    }
}

#[test]
fn encoding_of_the_initial_state() {
    let mut row = vec![0.0; State::INPUTS];
    State::START.encode(&mut row);
    // Each side occupies the points 6, 8, 13 and 24. The six point is the only made point of the home board, and of the
    // six points in front of the opponent's rearmost checkers.
    let active = row.iter().filter(|&&number| number != 0.0).count();
    assert!(active < 60, "{active} of {} numbers", State::INPUTS);
    assert_eq!(row[303 - 1], 1.67, "pips");
}

#[test]
fn outcome_heads_flip_with_the_player() {
    for points in [-3, -2, -1, 1, 2, 3] {
        let value = points as f32;
        let mut heads = [0.5; 5];
        State::outcome_heads(value, &mut heads);
        assert_eq!(State::equity(&heads), value);
        let mut others = [0.5; 5];
        State::outcome_heads(-value, &mut others);
        State::flip_heads(&mut heads);
        assert_eq!(heads, others);
    }
    let mut probabilities = [0.625, 0.25, 0.0625, 0.125, 0.03125];
    let equity = State::equity(&probabilities);
    State::flip_heads(&mut probabilities);
    assert_eq!(probabilities, [0.375, 0.125, 0.03125, 0.25, 0.0625]);
    assert_eq!(State::equity(&probabilities), -equity);
}

#[test]
fn set_equity_gives_the_requested_equity() {
    let set_equity = |equity| {
        let mut heads = [0.5, 0.25, 0.0, 0.125, 0.0];
        State::set_equity(&mut heads, equity);
        heads
    };
    assert_eq!(set_equity(0.125), [0.5, 0.25, 0.0, 0.125, 0.0]);
    assert_eq!(set_equity(0.625), [0.75, 0.25, 0.0, 0.125, 0.0]);
    assert_eq!(set_equity(-0.125), [0.375, 0.25, 0.0, 0.125, 0.0]);
    assert_eq!((set_equity(3.0)[0], set_equity(-3.0)[0]), (1.0, 0.25), "as near as wins can make it");
}
