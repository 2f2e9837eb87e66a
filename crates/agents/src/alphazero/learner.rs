//! The AlphaZero learner: its state, rounds of self-play and gradient steps, generations and promotion matches.

use super::config::AlphaZeroConfig;
use super::forward::Clock;
use super::game::SelfPlayGame;
use super::network::AlphaZeroNetwork;
use super::promotion::{PromotionMatch, promotes};
use super::replay::Replay;
use super::report::{AlphaZeroCounters, Report, SelfPlayTally};
use super::self_play::{RoundSettings, SelfPlayWorker};
use super::update::{AlphaZeroUpdater, LossSums, Updates};
use crate::error::LearnerError;
use crate::players::MatchScore;
use vivarium_config::Config;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_learn::Advance;
use vivarium_mcts::{Tree, TreeLimits};

/// Stream numbers for seed derivation, one for each use of random numbers.
mod rng_stream {
    pub const WEIGHTS: u32 = 20;
    pub const SELF_PLAY: u32 = 21;
    pub const SAMPLES: u32 = 22;
    pub const MATCH: u32 = 23;
}

/// Upper bound of the memory of all search trees, in bytes.
const MAX_TREE_BYTES: u64 = 2 << 30;

/// AlphaZero for the game `G`; see the [module](super) for the algorithm.
///
/// A run is a function of config and seed: it does not depend on the number of threads or on the amount of work per
/// call of [`advance`](vivarium_learn::Learner::advance). Different SIMD levels differ by rounding.
pub struct AlphaZero<G: SelfPlayGame> {
    pub(crate) config: AlphaZeroConfig,
    pub(crate) seed: u64,
    pub(crate) updater: AlphaZeroUpdater,
    /// The network of self-play: the EMA of the trained weights.
    pub(crate) newest: AlphaZeroNetwork<G>,
    /// Number of gradient steps that `newest` was trained for.
    pub(super) newest_updates: u64,
    /// The network that was promoted last; before the first promotion, the initial network.
    pub(crate) best: AlphaZeroNetwork<G>,
    pub(crate) counters: AlphaZeroCounters,
    pub(super) workers: Vec<SelfPlayWorker<G>>,
    pub(super) replay: Replay<G>,
    /// Number of samples still to be drawn for training: new samples × replay ratio − samples drawn.
    due: f64,
    /// Number of samples of the run, `counters.samples`, at the start of the current generation.
    begun_at: u64,
    tally: SelfPlayTally,
    /// Number of gradient steps that remain in the current round; `None` before the round has started.
    pub(super) steps_left: Option<u64>,
    pub(super) phase: AlphaZeroPhase<G>,
    pub(super) clock: Option<Clock>,
}

/// Phase of the learner, which selects the work of the next call of [`advance`](vivarium_learn::Learner::advance).
pub(super) enum AlphaZeroPhase<G: SelfPlayGame> {
    /// Self-play: one decision in every game, and the gradient steps that are due.
    SelfPlay,
    /// Promotion match, with the report of the generation. The score is added when the match is over.
    Match(Box<(PromotionMatch<G>, Report)>),
}

/// Work of one thread: a worker's self-play round, or gradient steps.
enum WorkerJob<'a, G: SelfPlayGame> {
    Play(&'a mut SelfPlayWorker<G>),
    Learn(&'a mut AlphaZeroUpdater),
}

/// Kind of work done by a call of [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaZeroWork {
    /// Self-play and gradient steps.
    SelfPlay,
    /// Promotion match of the newest network against the best network.
    Match,
}

impl<G: SelfPlayGame> AlphaZero<G> {
    /// Creates a learner with freshly initialized weights.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config.
    pub fn new(config: AlphaZeroConfig, seed: u64) -> Result<Self, LearnerError> {
        check::<G>(&config)?;
        let newest = AlphaZeroNetwork::new(config.size(), rng::derive(seed, rng_stream::WEIGHTS))?;
        let mut learner = Self {
            best: newest.clone(),
            replay: Replay::new(config.replay_capacity as usize),
            counters: AlphaZeroCounters::default(),
            workers: Vec::new(),
            due: 0.0,
            begun_at: 0,
            tally: SelfPlayTally::default(),
            steps_left: None,
            newest_updates: 0,
            phase: AlphaZeroPhase::SelfPlay,
            clock: None,
            updater: AlphaZeroUpdater::new(&config, &newest)?,
            config,
            seed,
            newest,
        };
        learner.restart_games();
        Ok(learner)
    }

    /// Replaces all games by new ones, with game indices that have not been used before, and restarts the current
    /// generation.
    pub(crate) fn restart_games(&mut self) {
        let Self { config, newest, counters, seed, .. } = self;
        let seed = rng::derive(*seed, rng_stream::SELF_PLAY);
        let worker = |number| SelfPlayWorker::new(config, newest, seed, number, counters.begun as u32);
        self.workers = (0..config.workers).map(worker).collect();
        self.begun_at = counters.samples;
        self.counters.begun += u64::from(self.config.workers * self.config.games);
    }

    /// Returns the counters of the run, such as the number of samples and gradient steps.
    pub fn counters(&self) -> AlphaZeroCounters {
        self.counters
    }

    /// Returns the number of parameters of the network.
    pub fn parameter_count(&self) -> usize {
        self.newest.parameter_count()
    }

    /// Returns the network of self-play: the EMA of the trained weights.
    pub fn newest(&self) -> &AlphaZeroNetwork<G> {
        &self.newest
    }

    /// Returns the number of gradient steps that [`newest`](Self::newest) was trained for. It is lower than
    /// [`counters`](Self::counters) reports while the results of a GPU have not been read back.
    pub fn newest_updates(&self) -> u64 {
        self.newest_updates
    }

    /// Returns the network that was promoted last; before the first promotion, the initial network.
    pub fn best(&self) -> &AlphaZeroNetwork<G> {
        &self.best
    }

    /// Iterates over the current states of all self-play games, worker by worker.
    pub fn games(&self) -> impl Iterator<Item = &G> {
        self.workers.iter().flat_map(SelfPlayWorker::states)
    }

    /// Sets the clock for the time measurements in reports; it returns seconds. The clock does not influence training.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
    }

    /// Continues the current round: each thread makes one decision in every game of a worker, or does gradient steps.
    /// Returns whether the round is over.
    pub(super) fn play_and_learn(&mut self, cpu: &Cpu) -> Result<bool, LearnerError> {
        let (threads, left) = (cpu.threads(), self.begin_round());
        // A spare thread trains while the others play. Without a spare thread, gradient steps follow the games, one per
        // call, so that calls stay short.
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
            self.newest.write(self.updater.average.weights());
            self.newest_updates = self.counters.updates;
        }
        Ok(is_over)
    }

    /// Starts a round unless one is in progress. Returns the number of remaining gradient steps of the round.
    pub(super) fn begin_round(&mut self) -> u64 {
        let steps = self.steps_left.unwrap_or_else(|| self.steps());
        *self.steps_left.insert(steps)
    }

    /// Returns the number of gradient steps of the run, including the current round.
    pub fn updates(&self) -> u64 {
        self.counters.updates + self.updater.made
    }

    /// Returns whether every game has made its decision of this round; if so, only gradient steps remain.
    pub fn is_played(&self) -> bool {
        self.workers.iter().all(SelfPlayWorker::is_done)
    }

    /// Returns the seed for drawing minibatches.
    pub(super) fn sample_seed(&self) -> u64 {
        rng::derive(self.seed, rng_stream::SAMPLES)
    }

    /// Makes one decision in every game of `threads` workers, and does `steps` gradient steps in parallel.
    fn work(&mut self, cpu: &Cpu, threads: usize, steps: u64) {
        let seed = self.sample_seed();
        let Self { config, updater, newest, workers, counters, replay, clock, .. } = self;
        let settings = RoundSettings::new(config, counters, *clock);
        let updates = Updates { config, replay, seed, samples: counters.samples };
        let first = counters.updates + updater.made;
        // Self-play uses the weights from the start of the round, so self-play and training can run in any order.
        let learning = (steps > 0).then_some(WorkerJob::Learn(updater));
        let playing = workers.iter_mut().filter(|worker| !worker.is_done()).take(threads);
        let mut jobs: Vec<_> = playing.map(WorkerJob::Play).chain(learning).collect();
        cpu.for_each(&mut jobs, |_, job| match job {
            WorkerJob::Play(worker) => worker.round(newest, settings),
            WorkerJob::Learn(updater) => updater.learn(cpu, &updates, first, steps),
        });
    }

    /// Returns the number of gradient steps that are due. The number is at most twice the average per round, even if
    /// many games end together.
    fn steps(&self) -> u64 {
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

    /// Ends a round. Moves the samples of finished games to the replay buffer, and adds the round's gradient steps to
    /// the counters. Returns whether the round had gradient steps.
    pub(super) fn end_round(&mut self) -> Result<bool, LearnerError> {
        let Self { config, updater, counters, .. } = self;
        self.steps_left = None;
        let steps = std::mem::take(&mut updater.made);
        self.due -= steps as f64 * f64::from(config.minibatch);
        counters.updates += steps;
        counters.learned += steps * u64::from(config.minibatch);
        std::mem::replace(&mut updater.outcome, Ok(()))?;
        self.collect_samples()?;
        Ok(steps > 0)
    }

    /// Moves the samples of finished games to the replay buffer, and adds the workers' tallies to the counters.
    fn collect_samples(&mut self) -> Result<(), LearnerError> {
        let Self { config, workers, counters, replay, .. } = self;
        for worker in workers {
            std::mem::replace(&mut worker.outcome, Ok(()))?;
            let samples = worker.hand_over(replay);
            self.due += samples as f64 * f64::from(config.replay_ratio);
            counters.samples += samples as u64;
            let tally = std::mem::take(&mut worker.tally);
            counters.begun += tally.games as u64;
            counters.games += tally.games as u64;
            counters.decisions += tally.decisions as u64;
            counters.simulations += tally.simulations as u64;
            counters.lookahead_states += tally.lookahead_states as u64;
            self.tally += tally;
        }
        Ok(())
    }

    /// Returns whether the current generation has enough samples.
    pub(super) fn generation_is_over(&self) -> bool {
        self.counters.samples - self.begun_at >= u64::from(self.config.generation)
    }

    /// Ends the current generation if it has enough samples. Returns the report, or `None` if the generation continues
    /// or a promotion match was started.
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

    /// Makes one decision in every game of the promotion match. Returns `None` if no match is in progress.
    pub(super) fn advance_match(
        &mut self,
        cpu: &Cpu,
    ) -> Result<Option<Advance<AlphaZeroWork, Report>>, LearnerError> {
        let AlphaZeroPhase::Match(in_progress) = &mut self.phase else { return Ok(None) };
        let score = in_progress.0.advance(cpu, &self.newest, &self.best)?;
        let report = score.and_then(|score| self.end_match(score));
        Ok(Some(Advance::of(AlphaZeroWork::Match, report)))
    }

    /// Promotes the newest network if it won the match by more than the margin, and returns to self-play.
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

/// Returns an error if a config field is invalid, or if the search trees exceed [`MAX_TREE_BYTES`].
pub(super) fn check<G: SelfPlayGame>(config: &AlphaZeroConfig) -> Result<(), LearnerError> {
    config.check()?;
    let games = u64::from(config.workers * config.games);
    let bytes = games * Tree::<G>::bytes(TreeLimits::for_simulations::<G>(config.simulations));
    if config.search_share > 0.0 && bytes > MAX_TREE_BYTES {
        let [needed, most] = [bytes, MAX_TREE_BYTES].map(|bytes| bytes >> 20);
        let allowed = format!(
            "the search trees of {games} games need {needed} MiB (limit {most} MiB); reduce simulations, workers or games"
        );
        return Err(config.refused("simulations", allowed).into());
    }
    Ok(())
}
