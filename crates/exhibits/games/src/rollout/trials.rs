//! Trials of all candidates of a rollout, in parallel on all CPU threads.

use super::candidate::RolloutCandidate;
use super::dice::TrialDice;
use super::evaluator::PositionEvaluator;
use super::trial::{TrialPlayer, TrialResult};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use vivarium_graph::Cpu;

/// Number, seed and truncation of the trials.
#[derive(Clone, Copy, Debug)]
pub struct TrialSettings {
    /// Number of trials.
    pub trials: u32,
    /// Random seed of the dice.
    pub seed: u64,
    /// Number of turns after which a trial ends with an evaluation; `None` plays to the end of the game.
    pub truncation: Option<u32>,
}

/// Plays trials of all candidates with equal dice. Returns the results by candidate and trial. The results do not depend on
/// the number of threads. After a stop: the trials before the first one that is incomplete.
///
/// `evaluator` creates the evaluator of a thread; `finished` is called after each trial of all candidates.
pub fn play_trials<E: PositionEvaluator>(
    cpu: &Cpu,
    candidates: &[RolloutCandidate<'_>],
    settings: TrialSettings,
    stop: &AtomicBool,
    evaluator: impl Fn() -> E,
    finished: impl Fn() + Sync,
) -> Vec<Vec<TrialResult>> {
    let count = cpu.threads().min(settings.trials as usize).max(1);
    let mut players: Vec<_> =
        (0..count).map(|_| TrialPlayer::new(evaluator(), settings.truncation)).collect();
    let next = AtomicU32::new(0);
    let results = Mutex::new(vec![None; settings.trials as usize]);
    cpu.for_each(&mut players, |_, player| {
        loop {
            let trial = next.fetch_add(1, Ordering::Relaxed);
            if trial >= settings.trials {
                return;
            }
            let dice = TrialDice::new(settings.seed, trial);
            let Some(result) = player.play_all(candidates, dice, stop) else { return };
            results.lock().expect("no thread has panicked")[trial as usize] = Some(result);
            finished();
        }
    });
    let results = results.into_inner().expect("no thread has panicked");
    let mut by_candidate = vec![Vec::new(); candidates.len()];
    for results in results.into_iter().map_while(|results| results) {
        by_candidate.iter_mut().zip(results).for_each(|(trials, result)| trials.push(result));
    }
    by_candidate
}
