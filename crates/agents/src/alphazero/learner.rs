//! The AlphaZero learner: self-play and learning in one process. A self-play round is one decision in every game and
//! the gradient steps that are due. A generation is a fixed number of self-play samples.

use super::config::AlphaZeroConfig;
use super::forward::Clock;
use super::game::SelfPlayGame;
use super::replay_learner::ReplayLearner;
use super::self_play::{RoundSettings, SelfPlayWorker};
use super::update::{AlphaZeroUpdater, Updates};
use crate::error::LearnerError;
use std::ops::Deref;
use vivarium_graph::Cpu;

/// AlphaZero learner for the game `G`; see the [module](super) for the algorithm.
///
/// A run is a function of config and seed: it does not depend on the number of threads or on the amount of work per
/// call of [`advance`](vivarium_learn::Learner::advance). Different SIMD levels differ by rounding.
pub struct AlphaZero<G: SelfPlayGame> {
    /// Replay buffer, gradient steps, generations and promotion matches.
    pub(super) learning: ReplayLearner<G>,
    pub(super) workers: Vec<SelfPlayWorker<G>>,
    /// Number of gradient steps that remain in the current self-play round (one decision in every game, and the due
    /// gradient steps); `None` before the round has started.
    pub(super) steps_left: Option<u64>,
    pub(super) clock: Option<Clock>,
}

/// Job of one thread: one decision in every game of a worker, or gradient steps.
enum WorkerJob<'a, G: SelfPlayGame> {
    Play(&'a mut SelfPlayWorker<G>),
    Learn(&'a mut AlphaZeroUpdater),
}

impl<G: SelfPlayGame> AlphaZero<G> {
    /// Creates a learner with randomly initialized weights, new games and an empty replay buffer.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config.
    pub fn new(config: AlphaZeroConfig, seed: u64) -> Result<Self, LearnerError> {
        Ok(Self::of(ReplayLearner::new(config, seed)?))
    }

    /// Creates a learner with new self-play games, whose game indices have not been used before.
    pub(super) fn of(mut learning: ReplayLearner<G>) -> Self {
        let ReplayLearner { config, seed, newest, counters, .. } = &mut learning;
        let workers = SelfPlayWorker::all(config, newest, *seed, counters.begun as u32);
        counters.begun += u64::from(config.workers * config.games);
        Self { learning, workers, steps_left: None, clock: None }
    }

    /// Iterates over the current states of all self-play games, ordered by worker.
    pub fn games(&self) -> impl Iterator<Item = &G> {
        self.workers.iter().flat_map(SelfPlayWorker::states)
    }

    /// Sets the clock for the time measurements in reports, a function that returns seconds. The clock does not
    /// influence training.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
    }

    /// Continues the current self-play round (one decision in every game, and the due gradient steps): each thread
    /// makes one decision in every game of a worker, or takes gradient steps. Returns whether the round is over.
    pub(super) fn play_and_learn(&mut self, cpu: &Cpu) -> Result<bool, LearnerError> {
        let (threads, left) = (cpu.threads(), self.begin_round());
        // A thread without a worker trains while the other threads play. If every thread has a worker, the gradient
        // steps follow the games, one per call, so that calls stay short.
        let steps = match self.is_played() {
            true => left.min(1),
            false if threads > self.workers.len() => left,
            false => 0,
        };
        self.steps_left = Some(left - steps);
        self.work(cpu, threads, steps);
        let is_over = self.is_played() && self.steps_left == Some(0);
        let has_ended = is_over || self.updater.outcome.is_err();
        if has_ended && self.end_round()? {
            self.learning.follow_average();
        }
        Ok(is_over)
    }

    /// Starts a self-play round (one decision in every game, and the due gradient steps) unless a round is in
    /// progress. Returns the number of gradient steps that remain in the round.
    pub(super) fn begin_round(&mut self) -> u64 {
        let steps = self.steps_left.unwrap_or_else(|| self.steps());
        *self.steps_left.insert(steps)
    }

    /// Returns whether every game has made its decision of the current self-play round (one decision in every game).
    /// If so, only gradient steps remain.
    pub fn is_played(&self) -> bool {
        self.workers.iter().all(SelfPlayWorker::is_done)
    }

    /// Makes one decision in every game of up to `threads` self-play workers. In parallel, takes `steps` gradient
    /// steps.
    fn work(&mut self, cpu: &Cpu, threads: usize, steps: u64) {
        let (first, seed) = (self.updates(), self.sample_seed());
        let Self { learning, workers, clock, .. } = self;
        let ReplayLearner { config, updater, newest, counters, replay, .. } = learning;
        let settings = RoundSettings::new(config, counters, *clock);
        let updates = Updates { config, replay, seed, samples: counters.samples };
        // Self-play uses the weights from the start of the round, so self-play and training can run in any order.
        let learning = (steps > 0).then_some(WorkerJob::Learn(updater));
        let playing = workers.iter_mut().filter(|worker| !worker.is_done()).take(threads);
        let mut jobs: Vec<_> = playing.map(WorkerJob::Play).chain(learning).collect();
        cpu.for_each(&mut jobs, |_, job| match job {
            WorkerJob::Play(worker) => worker.round(newest, settings),
            WorkerJob::Learn(updater) => updater.learn(cpu, &updates, first, steps),
        });
    }

    /// Ends a self-play round (one decision in every game, and the due gradient steps): moves the samples of finished
    /// games to the replay buffer, and adds the gradient steps of the round to the counters. Returns whether the
    /// round had gradient steps.
    pub(super) fn end_round(&mut self) -> Result<bool, LearnerError> {
        self.steps_left = None;
        let has_learned = self.learning.end_steps()?;
        for worker in &mut self.workers {
            let finished = worker.end_round()?;
            self.learning.add(finished);
            finished.clear();
        }
        Ok(has_learned)
    }
}

impl<G: SelfPlayGame> Deref for AlphaZero<G> {
    type Target = ReplayLearner<G>;

    fn deref(&self) -> &ReplayLearner<G> {
        &self.learning
    }
}
