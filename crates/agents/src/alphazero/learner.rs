//! The AlphaZero learner. [`ReplayLearner`] is the learning half: replay buffer, gradient steps, generations and
//! promotion matches. [`AlphaZero`] adds the self-play games, whose samples it trains on.
//!
//! A self-play round is one decision in every game and the gradient steps that are due. A generation is a fixed number
//! of self-play samples.

use super::config::AlphaZeroConfig;
use super::forward::Clock;
use super::game::SelfPlayGame;
use super::network::AlphaZeroNetwork;
use super::promotion::{PromotionMatch, promotes};
use super::replay::{Replay, SelfPlaySamples};
use super::report::{AlphaZeroCounters, Report, SelfPlayTally};
use super::run_setup::{check, rng_stream};
use super::self_play::{RoundSettings, SelfPlayWorker};
use super::self_play_batch::BatchWindow;
use super::update::{AlphaZeroUpdater, LossSums, Updates};
use crate::error::LearnerError;
use crate::players::MatchScore;
use std::collections::BTreeMap;
use std::ops::Deref;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_learn::Advance;

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

/// Kind of work done by a call of [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaZeroWork {
    /// Decisions in self-play games, and gradient steps.
    SelfPlay,
    /// Promotion match of the newest network against the best network, the network promoted last.
    Match,
}

/// Learner of AlphaZero without self-play: trains on the samples that it receives.
///
/// The weights are a function of config, seed, and the samples in the order in which they were
/// added between gradient steps.
pub struct ReplayLearner<G: SelfPlayGame> {
    pub(super) config: AlphaZeroConfig,
    pub(super) seed: u64,
    pub(super) updater: AlphaZeroUpdater,
    /// The network that plays the self-play games. Its weights are the EMA of the trained weights.
    pub(super) newest: AlphaZeroNetwork<G>,
    /// Number of gradient steps of the run when the weights of `newest` were last copied from the EMA.
    pub(super) newest_updates: u64,
    /// The best network: the network that was promoted last. Before the first promotion, the initial network.
    pub(super) best: AlphaZeroNetwork<G>,
    pub(super) counters: AlphaZeroCounters,
    pub(super) replay: Replay<G>,
    /// Number of samples that gradient steps still have to draw to reach the replay ratio: new samples × replay ratio
    /// − samples drawn.
    due: f64,
    /// Value of `counters.samples`, the number of self-play samples of the run, at the start of the current
    /// generation.
    pub(super) begun_at: u64,
    tally: SelfPlayTally,
    pub(super) phase: AlphaZeroPhase<G>,
    /// Batches of each [`SelfPlay`](super::SelfPlay) that were added, by its seed.
    pub(super) added_batches: BTreeMap<u64, BatchWindow>,
}

/// Phase of training, self-play or promotion match, which selects the work of the next call of
/// [`advance`](vivarium_learn::Learner::advance).
pub(super) enum AlphaZeroPhase<G: SelfPlayGame> {
    /// Self-play and training: one decision in every game, and the gradient steps that are due.
    SelfPlay,
    /// Promotion match in progress, with the report of the finished generation, to which the score is added after the
    /// match.
    Match(Box<(PromotionMatch<G>, Report)>),
}

impl<G: SelfPlayGame> ReplayLearner<G> {
    /// Creates a learner with randomly initialized weights and an empty replay buffer.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config.
    pub fn new(config: AlphaZeroConfig, seed: u64) -> Result<Self, LearnerError> {
        check::<G>(&config)?;
        let newest = AlphaZeroNetwork::new(config.size(), rng::derive(seed, rng_stream::WEIGHTS))?;
        Ok(Self {
            best: newest.clone(),
            replay: Replay::new(config.replay_capacity as usize),
            counters: AlphaZeroCounters::default(),
            due: 0.0,
            begun_at: 0,
            tally: SelfPlayTally::default(),
            newest_updates: 0,
            phase: AlphaZeroPhase::SelfPlay,
            added_batches: BTreeMap::new(),
            updater: AlphaZeroUpdater::new(&config, &newest)?,
            config,
            seed,
            newest,
        })
    }

    /// Returns the hyperparameters.
    pub fn config(&self) -> &AlphaZeroConfig {
        &self.config
    }

    /// Returns the seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the counters of the run, such as its number of samples and of gradient steps.
    pub fn counters(&self) -> AlphaZeroCounters {
        self.counters
    }

    /// Returns the number of trainable parameters of the network.
    pub fn parameter_count(&self) -> usize {
        self.newest.parameter_count()
    }

    /// Returns the network that plays the self-play games. Its weights are the EMA of the trained weights.
    pub fn newest(&self) -> &AlphaZeroNetwork<G> {
        &self.newest
    }

    /// Returns the number of gradient steps that [`newest`](Self::newest) was trained for. The number is lower than
    /// `updates` in [`counters`](Self::counters) while a GPU trains and its weights have not been read back.
    pub fn newest_updates(&self) -> u64 {
        self.newest_updates
    }

    /// Returns the best network: the network that was promoted last. Before the first promotion, the initial network.
    pub fn best(&self) -> &AlphaZeroNetwork<G> {
        &self.best
    }

    /// Returns the number of gradient steps of the run so far, including the self-play round in progress.
    pub fn updates(&self) -> u64 {
        self.counters.updates + self.updater.made
    }

    /// Returns the seed of the random numbers that draw the samples of a minibatch.
    pub(super) fn sample_seed(&self) -> u64 {
        rng::derive(self.seed, rng_stream::SAMPLES)
    }

    /// Adds the samples of finished games to the replay buffer, and their statistics to the counters.
    pub(super) fn add(&mut self, finished: &SelfPlaySamples<G>) {
        let Self { config, counters, replay, tally: sum, .. } = self;
        for (sample, policy) in finished.iter() {
            replay.push(*sample, policy);
        }
        self.due += finished.len() as f64 * f64::from(config.replay_ratio);
        counters.samples += finished.len() as u64;
        let tally = finished.tally;
        // A new game replaces each finished game.
        counters.begun += tally.games as u64;
        counters.games += tally.games as u64;
        counters.decisions += tally.decisions as u64;
        counters.simulations += tally.simulations as u64;
        counters.lookahead_states += tally.lookahead_states as u64;
        *sum += tally;
    }

    /// Returns the number of gradient steps in the next self-play round, so that the replay ratio is reached. If many
    /// games end in the same round, the number is limited to twice the steps that two samples per game require.
    pub(super) fn steps(&self) -> u64 {
        let config = &self.config;
        let rows = u64::from(config.minibatch);
        // Training starts once the replay buffer holds two minibatches, or is full, to avoid overfitting to few games.
        if (self.replay.len() as u64) < (2 * rows).min(config.replay_capacity.into()) {
            return 0;
        }
        // Each game adds up to two samples per round: a decision and the chance node before it.
        let samples = 2.0 * f64::from(config.workers * config.games) * f64::from(config.replay_ratio);
        let most = (2.0 * samples / rows as f64).ceil();
        (self.due / rows as f64).min(most) as u64
    }

    /// Adds the gradient steps of a self-play round to the counters. Returns whether there were any.
    pub(super) fn end_steps(&mut self) -> Result<bool, LearnerError> {
        let Self { config, updater, counters, .. } = self;
        let steps = std::mem::take(&mut updater.made);
        self.due -= steps as f64 * f64::from(config.minibatch);
        counters.updates += steps;
        counters.learned += steps * u64::from(config.minibatch);
        std::mem::replace(&mut updater.outcome, Ok(()))?;
        Ok(steps > 0)
    }

    /// Copies the EMA of the trained weights to the newest network.
    pub(super) fn follow_average(&mut self) {
        self.newest.write(self.updater.average.weights());
        self.newest_updates = self.counters.updates;
    }

    /// Returns whether self-play has produced all samples of the current generation, `config.generation` samples.
    pub(super) fn generation_is_over(&self) -> bool {
        self.counters.samples - self.begun_at >= u64::from(self.config.generation)
    }

    /// Ends the current generation if it has enough samples. Returns its report, or `None` if the generation
    /// continues or if a promotion match starts first.
    pub(super) fn end_generation(&mut self) -> Option<Report> {
        if !self.generation_is_over() {
            return None;
        }
        let Self { config, counters, .. } = self;
        self.begun_at = counters.samples;
        counters.generations += 1;
        let sums = std::mem::take(&mut self.updater.sums);
        let tally = std::mem::take(&mut self.tally);
        let per_game = |sum: f64| (tally.games > 0.0).then(|| sum / tally.games);
        let LossSums { rows, policies, policy_loss, value_loss, gradient_norm, updates } = sums;
        let report = Report {
            counters: *counters,
            games: tally.games as u64,
            points_mean: per_game(tally.points),
            length_mean: per_game(tally.lengths),
            policy_loss: policy_loss / policies.max(1) as f64,
            value_loss: value_loss / rows.max(1) as f64,
            gradient_norm: gradient_norm / updates.max(1) as f64,
            learning_rate: f64::from(config.learning_rate_at(counters.samples)),
            score: None,
            time: tally.breakdown(),
        };
        match u64::from(config.match_every) {
            0 => self.best.write(self.newest.weights()),
            every if counters.generations.is_multiple_of(every) => {
                let seed = rng::derive(self.seed, rng_stream::MATCH);
                // Each match has its own dice.
                let seed = rng::derive(seed, counters.generations as u32);
                self.phase = AlphaZeroPhase::Match(Box::new((
                    PromotionMatch::new(config, &self.newest, seed),
                    report,
                )));
                return None;
            }
            _ => {}
        }
        Some(report)
    }

    /// Makes one decision in every game of the promotion match, and ends the match after the last decision. Returns
    /// the report of the generation after the match. Returns `None` if no match is in progress.
    pub(super) fn advance_match(
        &mut self,
        cpu: &Cpu,
    ) -> Result<Option<Advance<AlphaZeroWork, Report>>, LearnerError> {
        let AlphaZeroPhase::Match(in_progress) = &mut self.phase else { return Ok(None) };
        let score = in_progress.0.advance(cpu, &self.newest, &self.best)?;
        let report = score.and_then(|score| self.end_match(score));
        Ok(Some(Advance::of(AlphaZeroWork::Match, report)))
    }

    /// Ends a promotion match: promotes the newest network if its mean points per game exceed `match_margin`, and
    /// returns to self-play.
    fn end_match(&mut self, score: MatchScore) -> Option<Report> {
        if promotes(&score, self.config.match_margin) {
            self.best.write(self.newest.weights());
            self.counters.promotions += 1;
        }
        match std::mem::replace(&mut self.phase, AlphaZeroPhase::SelfPlay) {
            AlphaZeroPhase::Match(over) => {
                Some(Report { counters: self.counters, score: Some(score), ..over.1 })
            }
            AlphaZeroPhase::SelfPlay => None,
        }
    }
}
