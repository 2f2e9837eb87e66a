//! Tests of rollouts with exactly solved bear-offs, and with the network of the program.

use super::*;
use vivarium_envs::backgammon::BearOff;
use vivarium_envs::backgammon::doubling::TwoSidedBearOff;

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

fn play(threads: usize, candidates: &[RolloutCandidate], trials: u32) -> Vec<Vec<TrialResult>> {
    let settings = TrialSettings { trials, seed: 3, truncation: None };
    let stop = AtomicBool::new(false);
    trials::play(&Cpu::new(threads), candidates, settings, &stop, || TableEvaluator, || {})
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
        let trials = play(2, &[RolloutCandidate { position, is_opponent: false }], 1296);
        let estimate = CandidateEstimate::of(&trials[0]);
        let [win, error] = [estimate.probabilities[0].mean, estimate.probabilities[0].error.unwrap()];
        assert!((win - exact).abs() < 3.0 * error, "{xgid}: {win} ± {error}, exact {exact}");
        assert!((estimate.equity.mean - (2.0 * win - 1.0)).abs() < 1e-9, "{estimate:?}");
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
    let candidates = BEAR_OFFS.map(|xgid| RolloutCandidate { position: position(xgid), is_opponent: true });
    let alone = play(1, &candidates, 100);
    assert_eq!(alone, play(2, &candidates, 100));
    assert_eq!(alone[0].len(), 100);
    // A longer rollout begins with the same trials.
    assert_eq!(alone[1], play(3, &candidates, 150)[1][..100]);
}

#[test]
fn the_results_of_the_opponent_are_the_opposite() {
    let position = position(BEAR_OFFS[0]);
    let [mine, theirs] =
        [false, true].map(|is_opponent| play(1, &[RolloutCandidate { position, is_opponent }], 36));
    for (mine, theirs) in mine[0].iter().zip(&theirs[0]) {
        assert!((mine.adjusted[0] + theirs.adjusted[0] - 1.0).abs() < 1e-12);
        assert_eq!(mine.opposite(), *theirs);
    }
}

#[test]
fn a_truncated_trial_ends_with_the_evaluation() {
    let candidate = RolloutCandidate { position: position(BEAR_OFFS[2]), is_opponent: false };
    let settings = TrialSettings { trials: 1296, seed: 3, truncation: Some(1) };
    let stop = AtomicBool::new(false);
    let results = trials::play(&Cpu::new(1), &[candidate], settings, &stop, || TableEvaluator, || {});
    // After one turn, the adjusted outcome is the mean over the 21 rolls in each trial.
    let estimate = CandidateEstimate::of(&results[0]);
    assert!(estimate.equity.error.unwrap() < 1e-6, "{estimate:?}");
    let exact = TwoSidedBearOff::win_probability(&candidate.position).unwrap();
    assert!((estimate.probabilities[0].mean - exact).abs() < 0.01, "{estimate:?} {exact}");
}

#[test]
fn a_stop_ends_the_rollout() {
    let candidate = RolloutCandidate { position: position(BEAR_OFFS[0]), is_opponent: false };
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
            trials::play(&Cpu::new(threads), &[candidate], settings, &stop, || TableEvaluator, stop_after_21);
        assert!((least..1000).contains(&results[0].len()), "{threads} threads: {}", results[0].len());
        assert_eq!(results[0], complete[0][..results[0].len()]);
    }
}

#[test]
fn plays_are_ranked_by_equity_with_paired_differences() {
    // 4-1 in a bear-off.
    let before = position(BEAR_OFFS[0]);
    let (plays, candidates) = candidates(&before, Some(Roll::new(4, 1).unwrap()), 3, &mut TableEvaluator);
    assert_eq!((plays.len(), candidates.len()), (3, 3));
    let rollout = Rollout::new(plays, &play(1, &candidates, 216));
    assert!(rollout.estimates.is_sorted_by(|a, b| a.equity.mean >= b.equity.mean));
    assert_eq!((rollout.losses[0].mean, rollout.trials), (0.0, 216));
    for (estimate, loss) in rollout.estimates.iter().zip(&rollout.losses) {
        let difference = rollout.estimates[0].equity.mean - estimate.equity.mean;
        assert!((loss.mean - difference).abs() < 1e-12);
    }
}
