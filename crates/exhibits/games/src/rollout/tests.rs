//! Tests of rollouts with exactly solved bear-offs, and with the network of the program.

use super::roll_plays::RollPlays;
use super::*;
use crate::protocol::{RolledPlay, RolledPosition};
use std::sync::atomic::{AtomicBool, Ordering};
use vivarium_envs::backgammon::doubling::{
    CUBE_LIFE, DoublingContext, DoublingDecision, DoublingMethod, EquityContext, MatchEquityTable,
    TwoSidedBearOff,
};
use vivarium_envs::backgammon::{BearOff, DoublingCubeOwner, Match, Plays, Position, Roll, Xgid};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Permutation;

/// Evaluator with the one-sided bear-off table. Trials go to the end of the game.
struct TableEvaluator;

impl PositionEvaluator for TableEvaluator {
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Probabilities> {
        let win = |position| BearOff::without_gammons().win_probability(position).unwrap() as f32;
        positions.iter().map(|position| [win(position), 0.0, 0.0, 0.0, 0.0]).collect()
    }

    fn end(&self, _: &Position) -> Option<Probabilities> {
        None
    }
}

fn position(xgid: &str) -> Position {
    Xgid::parse(xgid).unwrap().position
}

fn play(threads: usize, candidates: &[RolloutCandidate<'_>], trials: u32) -> Vec<Vec<TrialResult>> {
    let settings = TrialSettings { trials, seed: 3, truncation: None };
    let stop = AtomicBool::new(false);
    play_trials(&Cpu::new(threads), candidates, settings, &stop, || TableEvaluator, || {})
}

fn candidate(position: Position, is_opponent: bool) -> RolloutCandidate<'static> {
    RolloutCandidate { position, context: EquityContext::CUBELESS_MONEY, is_opponent, is_doubled: false }
}

const BEAR_OFFS: [&str; 4] = [
    "XGID=--B-AB-------------aaab---:0:0:1:00:0:0:0:0:10",
    "XGID=-A-BBA--------------ba-aa-:0:0:1:00:0:0:0:0:10",
    "XGID=---AABB------------ba--b--:0:0:1:00:0:0:0:0:10",
    "XGID=-BBB----------------aabb--:0:0:1:00:0:0:0:0:10",
];

#[test]
fn exactly_solved_bearoffs_are_within_three_standard_errors() {
    for xgid in BEAR_OFFS {
        let position = position(xgid);
        let exact = TwoSidedBearOff::win_probability(&position).unwrap();
        let trials = play(2, &[candidate(position, false)], 1296);
        let estimate = CandidateEstimate::of(&trials[0]);
        let [win, error] = [estimate.probabilities[0].mean, estimate.probabilities[0].error.unwrap()];
        assert!((win - exact).abs() < 3.0 * error, "{xgid}: {win} ± {error}, exact {exact}");
        assert!((estimate.cubeless.mean - (2.0 * win - 1.0)).abs() < 1e-9, "{estimate:?}");
        let ratio = estimate.variance_ratio.unwrap();
        println!("{xgid}: {win:.5} ± {error:.5}, exact {exact:.5}, variance ratio {ratio:.1}");
        assert!(ratio > 10.0, "{xgid}: {ratio}");
        // The outcome without luck adjustment has the same mean.
        let outcome = Estimate::of(trials[0].iter().map(|trial| trial.outcome[0]));
        assert!((outcome.mean - exact).abs() < 3.0 * outcome.error.unwrap(), "{outcome:?}");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let candidates = BEAR_OFFS.map(|xgid| candidate(position(xgid), true));
    let alone = play(1, &candidates, 100);
    assert_eq!(alone, play(2, &candidates, 100));
    assert_eq!(alone[0].len(), 100);
    // A longer rollout begins with the same trials.
    assert_eq!(alone[1], play(3, &candidates, 150)[1][..100]);
}

#[test]
fn the_results_of_the_opponent_are_the_opposite() {
    let position = position(BEAR_OFFS[0]);
    let [mine, theirs] = [false, true].map(|is_opponent| play(1, &[candidate(position, is_opponent)], 36));
    for (mine, theirs) in mine[0].iter().zip(&theirs[0]) {
        assert!((mine.adjusted[0] + theirs.adjusted[0] - 1.0).abs() < 1e-12);
        assert_eq!(mine.equity, -theirs.equity);
        assert_eq!(mine.opposite(), *theirs);
    }
}

#[test]
fn a_truncated_trial_ends_with_the_evaluation() {
    let candidate = candidate(position(BEAR_OFFS[2]), false);
    let settings = TrialSettings { trials: 1296, seed: 3, truncation: Some(1) };
    let stop = AtomicBool::new(false);
    let results = play_trials(&Cpu::new(1), &[candidate], settings, &stop, || TableEvaluator, || {});
    // After one turn, the adjusted outcome is the mean over the 21 rolls in each trial.
    let estimate = CandidateEstimate::of(&results[0]);
    assert!(estimate.cubeless.error.unwrap() < 1e-6, "{estimate:?}");
    let exact = TwoSidedBearOff::win_probability(&candidate.position).unwrap();
    assert!((estimate.probabilities[0].mean - exact).abs() < 0.01, "{estimate:?} {exact}");
}

#[test]
fn a_stop_ends_the_rollout() {
    let candidate = candidate(position(BEAR_OFFS[0]), false);
    let settings = TrialSettings { trials: 1000, seed: 3, truncation: None };
    let complete = play(1, &[candidate], 1000);
    // One thread has played the 21 trials in order. The first trials of two threads may be incomplete.
    for (threads, least) in [(1, 21), (2, 0)] {
        let stop = AtomicBool::new(false);
        let finished = std::sync::atomic::AtomicU32::new(0);
        let stop_after_21 = || {
            if finished.fetch_add(1, Ordering::Relaxed) == 20 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let results =
            play_trials(&Cpu::new(threads), &[candidate], settings, &stop, || TableEvaluator, stop_after_21);
        assert!((least..1000).contains(&results[0].len()), "{threads} threads: {}", results[0].len());
        assert_eq!(results[0], complete[0][..results[0].len()]);
    }
}

#[test]
fn plays_are_ranked_by_equity_with_paired_differences() {
    // 4-1 in a bear-off.
    let before = position(BEAR_OFFS[0]);
    let (plays, candidates) = candidates(
        &before,
        Some(Roll::new(4, 1).unwrap()),
        EquityContext::CUBELESS_MONEY,
        3,
        &[],
        &mut TableEvaluator,
    );
    assert_eq!((plays.len(), candidates.len()), (3, 3));
    let rollout = RolloutSummary::new(plays, &play(1, &candidates, 216), EquityContext::CUBELESS_MONEY);
    assert!(rollout.estimates.is_sorted_by(|a, b| a.equity.mean >= b.equity.mean));
    assert_eq!((rollout.losses[0].mean, rollout.trials), (0.0, 216));
    for (estimate, loss) in rollout.estimates.iter().zip(&rollout.losses) {
        let difference = rollout.estimates[0].equity.mean - estimate.equity.mean;
        assert!((loss.mean - difference).abs() < 1e-12);
    }
}

/// Match in which the doubling cube can be turned twice.
const LONGER: Match = Match { length: 7, score: [4, 3], ..Match::MONEY };

/// Match in which both players need two points: a take ends the use of the doubling cube.
const TWO_AWAY: Match = Match { length: 5, score: [3, 3], ..Match::MONEY };

/// Returns the trials of a position before the roll: without a double, and after double and take.
fn before_roll(position: Position, context: &DoublingContext, trials: u32) -> [Vec<TrialResult>; 2] {
    let (_, candidates) = candidates(&position, None, context.equity_context(), 0, &[], &mut TableEvaluator);
    play(2, &candidates, trials).try_into().unwrap()
}

#[test]
fn doubling_decisions_are_within_three_standard_errors_of_exact_ones() {
    let context = DoublingContext::new(&TWO_AWAY).unwrap();
    for xgid in BEAR_OFFS {
        let position = position(xgid);
        let [no_double, double_take] = &before_roll(position, &context, 1296);
        let (exact, method) = DoublingDecision::of_position(&position, [0.0; 5], &context);
        assert_eq!(method, DoublingMethod::Exact);
        // Without a double, the players of the trials double by Janowski's formula, which is inaccurate in bear-offs.
        for (trials, expected, tolerance) in
            [(no_double, exact.no_double, 0.02), (double_take, exact.double_take, 0.0)]
        {
            let Estimate { mean, error } = CandidateEstimate::of(trials).equity;
            let error = error.unwrap();
            println!("{xgid}: {mean:.5} ± {error:.5}, expected {expected:.5}");
            let limit = 3.0 * error + tolerance;
            assert!(error > 0.0 && (mean - expected).abs() < limit, "{xgid}: {mean} ± {error}, {expected}");
        }
        // A rollout has the exact decision of a bear-off, also as its equity.
        let results = [no_double.clone(), double_take.clone()];
        let mut rollout = RolloutSummary::new(Vec::new(), &results, context.equity_context());
        rollout.decide(&position, &results, Ok(context.clone()), false);
        let Some(Ok(RolloutDoubling { decided, errors })) = rollout.doubling else { panic!("no decision") };
        assert_eq!((decided.decision, errors), (exact, DoublingErrors::default()));
        let best = exact.no_double.max(exact.double());
        assert_eq!(rollout.estimates[0].equity, Estimate { mean: best, error: None });
        rollout.decide(&position, &results, Ok(context.clone()), true);
        assert_eq!(rollout.estimates[0].equity.mean, exact.double(), "an offered double");
    }
}

/// Returns the value of the player on roll, if both players play and double as in a trial, by all rolls to the end of the game.
/// `decides`: whether the player on roll may double now.
fn value_by_all_rolls(position: &Position, context: EquityContext<'_>, decides: bool) -> f64 {
    if let Some(outcome) = position.outcome() {
        return context.value(position, outcome.probabilities());
    }
    let rolls = RollPlays::new(position, &mut Plays::new(), &mut TableEvaluator);
    let weight = |roll: Roll| f64::from(roll.permutations()) / 36.0;
    if decides && context.may_double() {
        let win: f64 = (Roll::ALL.into_iter().zip(rolls.best(context)))
            .map(|(roll, play)| weight(roll) * f64::from(play.probabilities[0]))
            .sum();
        let probabilities = [win as f32, 0.0, 0.0, 0.0, 0.0];
        let no_double = context.value_without_double(probabilities, CUBE_LIFE);
        let double_take = context.doubled().value_without_double(probabilities, CUBE_LIFE);
        if no_double < double_take.min(context.won()) {
            let is_take = double_take <= context.won();
            return if is_take {
                value_by_all_rolls(position, context.doubled(), false)
            } else {
                context.won()
            };
        }
    }
    let after = |(roll, play): (Roll, roll_plays::BestPlay)| {
        weight(roll) * context.opposite(value_by_all_rolls(&play.after, context.opponent(), true))
    };
    Roll::ALL.into_iter().zip(rolls.best(context)).map(after).sum()
}

#[test]
fn equities_with_doubles_are_within_three_standard_errors_of_those_by_all_rolls() {
    let redoubled = Match {
        doubling_cube_exponent: 1,
        doubling_cube_owner: DoublingCubeOwner::Player(0),
        ..Match::MONEY
    };
    for xgid in [
        "XGID=-----B---------------b----:0:0:1:00:0:0:0:0:10",
        "XGID=----B-A-------------b-----:0:0:1:00:0:0:0:0:10",
    ] {
        let position = position(xgid);
        for state in [Match::MONEY, LONGER, redoubled] {
            let context = DoublingContext::new(&state).unwrap();
            let own = context.equity_context();
            let [no_double, double_take] = before_roll(position, &context, 1296);
            let after_play = RolloutCandidate { context: own, ..candidate(position, true) };
            let after_play = play(1, &[after_play], 1296).remove(0);
            let values = [
                (no_double, value_by_all_rolls(&position, own, false), 1.0),
                (double_take, value_by_all_rolls(&position, own.doubled(), false), 1.0),
                // The opponent of the player on roll, who may double.
                (after_play, value_by_all_rolls(&position, own, true), -1.0),
            ];
            for (trials, value, sign) in values {
                let Estimate { mean, error } = CandidateEstimate::of(&trials).equity;
                let (expected, error) = (sign * own.equity(value), error.unwrap());
                println!("{xgid}, {} points: {mean:.5} ± {error:.5}, expected {expected:.5}", state.length);
                assert!((mean - expected).abs() < 3.0 * error + 1e-6, "{mean} ± {error}, {expected}");
            }
        }
    }
}

#[test]
fn standard_errors_of_doubling_decisions_agree_with_the_spread_over_seeds() {
    const SEEDS: usize = 100;
    const TRIALS: usize = 36;
    let position = Position::START;
    for state in [Match { without_jacoby: true, ..Match::MONEY }, LONGER] {
        let context = DoublingContext::new(&state).unwrap();
        let own = context.equity_context();
        let (_, candidates) = candidates(&position, None, own, 0, &[], &mut GammonEvaluator);
        let rollout = |seed| {
            let settings = TrialSettings { trials: TRIALS as u32, seed, truncation: Some(6) };
            let stop = AtomicBool::new(false);
            let results = play_trials(&Cpu::new(2), &candidates, settings, &stop, || GammonEvaluator, || {});
            let [no_double, double_take] = results.try_into().unwrap();
            no_double.into_iter().zip(double_take).collect()
        };
        let by_seed: Vec<Vec<(TrialResult, TrialResult)>> = (0..SEEDS as u64).map(rollout).collect();
        let all = by_seed.concat();
        let order = Permutation::new(1, 0, all.len());
        let shuffled: Vec<_> = (0..all.len()).map(|at| all[order.at(at as u32) as usize]).collect();
        let random: Vec<Vec<_>> = shuffled.chunks(TRIALS).map(<[_]>::to_vec).collect();
        // Stratified first rolls reduce the spread over the seeds, but not over random groups of all trials.
        for (groups, range) in [(&by_seed, 0.7..1.0), (&random, 0.85..1.15)] {
            let decide = |trials: &Vec<(TrialResult, TrialResult)>| {
                let (no_double, double_take): (Vec<_>, Vec<_>) = trials.iter().copied().unzip();
                RolloutDoubling::new(&position, [&no_double, &double_take], &context)
            };
            let decisions: Vec<_> = groups.iter().map(decide).collect();
            let actions: [fn(&DoublingDecision) -> f64; 3] = [
                |decision| decision.no_double,
                |decision| decision.double_take,
                |decision| decision.double() - decision.no_double,
            ];
            let error = |doubling: &RolloutDoubling, at: usize| {
                let DoublingErrors { no_double, double_take, doubling } = doubling.errors;
                [no_double, double_take, doubling][at].unwrap()
            };
            for (at, action) in actions.into_iter().enumerate() {
                let equities = decisions.iter().map(|doubling| action(&doubling.decided.decision));
                let spread = Estimate::of(equities).error.unwrap() * (SEEDS as f64).sqrt();
                let squares = decisions.iter().map(|doubling| error(doubling, at).powi(2));
                let error = Estimate::of(squares).mean.sqrt();
                println!(
                    "{} points, action {at}: spread {spread:.5}, standard error {error:.5}",
                    state.length
                );
                assert!(range.contains(&(spread / error)), "action {at}: {spread} {error}");
            }
        }
    }
}

/// Evaluator of an opening roll: a point 2 of the player who has moved wins fewer games and more gammons.
struct GammonEvaluator;

impl PositionEvaluator for GammonEvaluator {
    fn evaluate(&mut self, positions: &[Position]) -> Vec<Probabilities> {
        let evaluate = |position: &Position| {
            let has_moved = position.theirs();
            // Probabilities of the opponent, who is on roll.
            if has_moved.count(2) > 1 { [0.47, 0.10, 0.0, 0.25, 0.0] } else { [0.44, 0.10, 0.0, 0.12, 0.0] }
        };
        positions.iter().map(evaluate).collect()
    }

    fn end(&self, _: &Position) -> Option<Probabilities> {
        None
    }
}

#[test]
fn plays_depend_on_the_score() {
    let last_game = Match { length: 5, score: [4, 4], ..Match::MONEY };
    let context = EquityContext::new(&last_game, MatchEquityTable::computed()).unwrap();
    let makes_point = |context| {
        let (plays, _) = candidates(
            &Position::START,
            Some(Roll::new(6, 4).unwrap()),
            context,
            1,
            &[],
            &mut GammonEvaluator,
        );
        plays[0] == "8/2 6/2"
    };
    assert!(makes_point(EquityContext::CUBELESS_MONEY) && !makes_point(context));

    // Both players choose by the score, also inside a trial: one turn wins most games at the last score.
    let settings = TrialSettings { trials: 36, seed: 3, truncation: Some(1) };
    let stop = AtomicBool::new(false);
    let win = |context| {
        let start = RolloutCandidate { context, ..candidate(Position::START, false) };
        let results = play_trials(&Cpu::new(1), &[start], settings, &stop, || GammonEvaluator, || {});
        let rollout = RolloutSummary::new(Vec::new(), &results, context);
        let estimate = rollout.estimates[0];
        (estimate, rollout.match_winning_probability(&estimate.equity))
    };
    let (money, none) = win(EquityContext::CUBELESS_MONEY);
    assert_eq!(none, None);
    assert!((money.equity.mean - money.cubeless.mean).abs() < 1e-6, "{money:?}");
    let (last, mwc) = win(context);
    let [money, win] = [money, last].map(|estimate| estimate.probabilities[0].mean);
    assert!((win - 0.56).abs() < 1e-6 && money < win, "{money} {win}");
    // Gammons do not count in the last game.
    assert!((last.equity.mean - (2.0 * win - 1.0)).abs() < 1e-6, "{last:?}");
    assert!((mwc.unwrap().mean - win).abs() < 1e-6, "{mwc:?}");
}

#[test]
fn a_stepwise_rollout_has_the_estimates_of_all_threads() {
    let before = position(BEAR_OFFS[0]);
    let roll = Roll::new(4, 1).unwrap();
    let state = Match { roll: Some(roll), ..Match::MONEY };
    let context = EquityContext::new(&state, MatchEquityTable::computed()).unwrap();
    let mut legal = Plays::new();
    legal.generate(&before, roll);
    let selected = *legal.iter().last().unwrap();
    let (plays, candidates) =
        candidates(&before, state.roll, context, 2, std::slice::from_ref(&selected), &mut TableEvaluator);
    assert!(plays.contains(&selected.notation(&before)), "{plays:?}");
    let summary = RolloutSummary::new(plays, &play(2, &candidates, 72), context);

    let settings =
        StepwiseSettings { most: 2, selected: &[selected], truncation: None, is_cubeless: false, seed: 3 };
    let new = |state, settings| StepwiseRollout::new(TableEvaluator, before, state, settings);
    let mut rollout = new(state, settings).unwrap();
    assert_eq!((rollout.document().trials, rollout.document().plays.len()), (0, 0));
    rollout.advance(30);
    rollout.advance(42);
    let document = rollout.document();
    assert_eq!((document.trials, document.doubling), (72, None));
    assert_eq!(document.plays.iter().map(|play| play.play.clone()).collect::<Vec<_>>(), summary.plays);
    for ((play, estimate), loss) in document.plays.iter().zip(&summary.estimates).zip(&summary.losses) {
        assert_eq!((play.equity.mean, play.equity.error), (estimate.equity.mean, estimate.equity.error));
        assert_eq!((play.loss.mean, play.loss.error), (loss.mean, loss.error));
    }

    // Before the roll, the document has the doubling decision.
    let mut rollout = new(Match::MONEY, settings).unwrap();
    rollout.advance(36);
    let RolledPosition { plays, doubling, .. } = rollout.document();
    let context = DoublingContext::new(&Match::MONEY).unwrap();
    let [no_double, double_take] = &before_roll(before, &context, 36);
    let RolloutDoubling { decided, .. } = RolloutDoubling::new(&before, [no_double, double_take], &context);
    let doubling = doubling.unwrap();
    assert_eq!((plays.len(), doubling.best), (0, decided.best(false)));
    assert_eq!(doubling.double_take.mean, decided.decision.double_take);

    let long = Match { length: 2000, ..Match::MONEY };
    let error = new(long, settings).err().unwrap();
    assert!(error.starts_with("no equity at this score"), "{error}");

    // Cubeless equities of a single game.
    let mut rollout = new(state, StepwiseSettings { is_cubeless: true, ..settings }).unwrap();
    rollout.advance(36);
    for RolledPlay { equity, probabilities, .. } in rollout.document().plays {
        assert!((equity.mean - (2.0 * probabilities[0] - 1.0)).abs() < 1e-6);
    }
}
