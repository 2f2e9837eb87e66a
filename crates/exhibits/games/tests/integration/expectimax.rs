//! Values of the expectimax search, compared with an enumeration of all rolls and plays.

use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::doubling::{EquityContext, MatchEquityTable, better_first};
use vivarium_envs::backgammon::{Outcome, Plays, Position, Roll, State, TurnPhase, Xgid};
use vivarium_exhibit_games::advice::{Adviser, Expectimax, StopSignal};
use vivarium_exhibit_games::read_playing_network;

const NETWORK: &[u8] = include_bytes!("../../../../../www/src/assets/networks/backgammon.safetensors");

/// Contact positions with a roll.
const POSITIONS: [&str; 4] = [
    // Opening for money, and a bar position at a match score, in which the opponent owns the doubling cube.
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "XGID=-b----E-C---eD---c-e----BA:1:-1:1:42:1:3:0:5:10",
    // Bear-offs: against an anchor, with the doubling cube of the player, and against a checker on the bar in the Crawford game.
    "XGID=-bBCBA-----------------b--:1:1:1:21:0:0:0:0:10",
    "XGID=aAAB---------------bbc----:0:0:1:61:3:4:1:5:10",
];

/// Evaluation of a position after a play: cubeless probabilities and equity of the player who makes the play.
type Evaluation = ([f32; 5], f64);

/// Filter of plays: maximum number, and maximum distance to the best play.
#[derive(Clone, Copy)]
struct Filter {
    most: usize,
    within: f64,
}

/// No filter.
const ALL: Filter = Filter { most: usize::MAX, within: f64::INFINITY };
/// Filter of the plays inside the tree, as documented.
const TREE: Filter = Filter { most: 3, within: 0.12 };

/// Reference implementation, which enumerates the 36 dice and all plays.
struct Reference {
    player: NetworkPlayer<State, Arc<AlphaZeroNetwork<State>>>,
    filter: Filter,
}

impl Reference {
    /// Returns all plays of a roll as positions after them, from the view of the opponent, evaluated by the network, the best first.
    fn plays(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Vec<(Position, Evaluation)> {
        let mut plays = Plays::new();
        plays.generate(position, roll);
        let state = State { position: *position, phase: TurnPhase::Play(roll), player: 0 };
        let turns = self.player.evaluated_turns(&state);
        let evaluated = plays.iter().map(|play| {
            let after = play.after.mirrored();
            let probabilities = match after.outcome() {
                Some(outcome) => Outcome::opposite(outcome.probabilities()),
                None => turns.iter().find(|turn| turn.state.position == after).unwrap().heads,
            };
            (after, (probabilities, context.equity_after_play(&after, probabilities)))
        });
        let mut evaluated: Vec<_> = evaluated.collect();
        sort(&mut evaluated);
        evaluated
    }

    /// Returns the evaluation of a position after a play at a search depth of `plies`.
    fn after_play(
        &mut self,
        after: &Position,
        plies: u8,
        network: Evaluation,
        context: EquityContext<'_>,
    ) -> Evaluation {
        if plies == 0 || after.outcome().is_some() {
            return network;
        }
        let (probabilities, _) = self.before_roll(after, plies, context.opponent());
        let probabilities = Outcome::opposite(probabilities);
        (probabilities, context.equity_after_play(after, probabilities))
    }

    /// Returns the means of probabilities and equity over the 36 dice of the player on roll, each with the best play at `plies` − 1.
    fn before_roll(&mut self, position: &Position, plies: u8, context: EquityContext<'_>) -> Evaluation {
        let (mut probabilities, mut equity) = ([0.0; 5], 0.0);
        for (one, other) in (1..=6).flat_map(|one| (1..=6).map(move |other| (one, other))) {
            let mut plays = self.plays(position, Roll::new(one, other).unwrap(), context);
            let best = plays[0].1.1;
            let Filter { most, within } = self.filter;
            // A search at 0 plies compares all plays.
            if plies > 1 {
                plays.retain(|(_, (_, equity))| best - equity <= within);
                plays.truncate(most);
            }
            for (after, evaluation) in &mut plays {
                *evaluation = self.after_play(after, plies - 1, *evaluation, context);
            }
            sort(&mut plays);
            let (best, best_equity) = plays[0].1;
            probabilities
                .iter_mut()
                .zip(best)
                .for_each(|(sum, probability)| *sum += f64::from(probability) / 36.0);
            equity += best_equity / 36.0;
        }
        (probabilities.map(|probability| probability as f32), equity)
    }
}

fn sort(plays: &mut [(Position, Evaluation)]) {
    plays.sort_by(|(_, (mine, equity)), (_, (other, other_equity))| {
        better_first((*equity, *mine), (*other_equity, *other))
    });
}

fn network() -> Arc<AlphaZeroNetwork<State>> {
    Arc::new(read_playing_network(NETWORK).unwrap().1)
}

fn assert_equal(found: Evaluation, expected: Evaluation, name: &str) {
    let differences =
        found.0.iter().zip(expected.0).map(|(found, expected)| f64::from((found - expected).abs()));
    let most = differences.fold((found.1 - expected.1).abs(), f64::max);
    assert!(most < 2e-5, "{name}: {found:?} instead of {expected:?}");
}

/// Compares the best `plays` plays of a roll, and the evaluation before the roll, with the enumeration with a filter.
fn check(plies: u8, xgid: &str, plays: usize, filter: Filter) {
    let Xgid { position, state, .. } = Xgid::parse(xgid).unwrap();
    let table = MatchEquityTable::computed();
    let context = EquityContext::new(&state, table).unwrap();
    let roll = state.roll.unwrap();
    let mut search = Expectimax::new(network(), plies, StopSignal::default()).unwrap();
    let mut reference = Reference { player: NetworkPlayer::new(network(), 0).unwrap(), filter };
    let advice = search.advise(&position, roll, context).unwrap();
    let by_network = reference.plays(&position, roll, context);
    assert_eq!(advice.len(), by_network.len());
    let searched: Vec<_> = advice.iter().filter(|advice| advice.searched).take(plays).collect();
    assert!(!searched.is_empty() && searched.is_sorted_by(|a, b| a.equity >= b.equity), "{xgid}");
    for advice in searched {
        let after = advice.play.after.mirrored();
        let (_, network) = by_network.iter().find(|(other, _)| *other == after).unwrap();
        let expected = reference.after_play(&after, plies, *network, context);
        let name = format!("{xgid} at {plies}: {}", advice.play.notation(&position));
        assert_equal((advice.probabilities, advice.equity), expected, &name);
    }
    let expected = reference.before_roll(&position, plies, context);
    let found = search.probabilities_before_roll(&position, context).unwrap();
    let mean = search.mean_equity(&position, context).unwrap();
    assert_equal((found, mean), expected, &format!("{xgid} at {plies} before the roll"));
}

#[test]
fn one_ply_is_the_mean_over_all_rolls_of_the_best_reply() {
    for xgid in POSITIONS {
        check(1, xgid, usize::MAX, ALL);
    }
}

#[test]
fn two_plies_are_the_enumeration_of_the_plays_that_the_filter_selects() {
    for xgid in POSITIONS {
        check(2, xgid, 2, TREE);
    }
}

/// The filter inside the tree does not change equities much: an enumeration of all plays of two rolls.
#[test]
fn the_filter_changes_the_equities_of_two_plies_little() {
    let table = MatchEquityTable::computed();
    for xgid in &POSITIONS[2..] {
        let Xgid { position, state, .. } = Xgid::parse(xgid).unwrap();
        let context = EquityContext::new(&state, table).unwrap();
        let mut search = Expectimax::new(network(), 2, StopSignal::default()).unwrap();
        let mut reference = Reference { player: NetworkPlayer::new(network(), 0).unwrap(), filter: ALL };
        for advice in search.advise(&position, state.roll.unwrap(), context).unwrap().iter().take(2) {
            let after = advice.play.after.mirrored();
            let (_, expected) =
                reference.after_play(&after, 2, (advice.probabilities, advice.equity), context);
            let difference = advice.equity - expected;
            println!("{xgid}, {}: {:+.3} by the filter", advice.play.notation(&position), difference);
            assert!(difference.abs() < 0.01, "{xgid}: {difference}");
        }
    }
}
