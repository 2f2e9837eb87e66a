//! The learner: self-play and gradient steps side by side, a slice at a time, and now and then a match.

use super::config::AlphaZeroConfig;
use super::forward::Clock;
use super::game::Learnable;
use super::network::Network;
use super::promotion::{PromotionMatch, promotes};
use super::replay::Replay;
use super::report::{Counters, Report, Tally};
use super::self_play::{Rules, Worker, limits};
use super::update::{Sums, Updater, Updates};
use crate::error::LearnerError;
use crate::players::Score;
use vivarium_config::Config;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_mcts::Tree;

/// Purposes of random numbers: each draws from a seed of its own.
mod purpose {
    pub const WEIGHTS: u32 = 20;
    pub const SELF_PLAY: u32 = 21;
    pub const SAMPLES: u32 = 22;
    pub const MATCH: u32 = 23;
}

/// The most memory that the search trees of all games may take.
const MOST_TREE_BYTES: u64 = 2 << 30;

/// AlphaZero in the game `G` (Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go
/// through self-play", 2018).
///
/// A run depends on config and seed alone, not on the number of threads or on how often it is looked at. (Between
/// SIMD levels it differs by rounding.)
pub struct AlphaZero<G: Learnable> {
    pub(crate) config: AlphaZeroConfig,
    pub(crate) seed: u64,
    pub(crate) updater: Updater,
    /// What plays: the average of the updater's weights.
    pub(crate) newest: Network<G>,
    /// Gradient steps after which it was what it is.
    pub(super) newest_updates: u64,
    /// What won the last match.
    pub(crate) best: Network<G>,
    pub(crate) counters: Counters,
    pub(super) workers: Vec<Worker<G>>,
    pub(super) replay: Replay<G>,
    /// Samples that are still to be learned from.
    due: f64,
    /// Samples made when the present generation began.
    begun_at: u64,
    tally: Tally,
    /// Gradient steps that are left of the round under way; `None` before it has begun.
    pub(super) steps_left: Option<u64>,
    phase: Phase<G>,
    pub(super) clock: Option<Clock>,
}

/// What the next slice does.
enum Phase<G: Learnable> {
    /// A decision of every game, and the gradient steps that are due.
    SelfPlay,
    /// A decision of every game of a match; then this report is complete.
    Match(Box<(PromotionMatch<G>, Report)>),
}

/// What one core does at a time.
enum Job<'a, G: Learnable> {
    Play(&'a mut Worker<G>),
    Learn(&'a mut Updater),
}

/// What a slice of work did.
pub type Slice = vivarium_learn::Slice<Work, Report>;

/// Parts of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Games of self-play, and gradient steps.
    SelfPlay,
    /// A match of the newest network against the best.
    Match,
}

impl<G: Learnable> AlphaZero<G> {
    /// A learner that knows nothing yet.
    ///
    /// # Errors
    /// [`LearnerError`] naming the field of the config that is not acceptable.
    pub fn new(config: AlphaZeroConfig, seed: u64) -> Result<Self, LearnerError> {
        check::<G>(&config)?;
        let newest = Network::new(config.size(), rng::derive(seed, purpose::WEIGHTS))?;
        let mut learner = Self {
            best: newest.clone(),
            replay: Replay::new(config.replay as usize),
            counters: Counters::default(),
            workers: Vec::new(),
            due: 0.0,
            begun_at: 0,
            tally: Tally::default(),
            steps_left: None,
            newest_updates: 0,
            phase: Phase::SelfPlay,
            clock: None,
            updater: Updater::new(&config, &newest)?,
            config,
            seed,
            newest,
        };
        learner.begin_games();
        Ok(learner)
    }

    /// Begins all games and a generation anew, the games with numbers that none had before.
    pub(crate) fn begin_games(&mut self) {
        let Self { config, newest, counters, seed, .. } = self;
        let seed = rng::derive(*seed, purpose::SELF_PLAY);
        let worker = |number| Worker::new(config, newest, seed, number, counters.begun as u32);
        self.workers = (0..config.workers).map(worker).collect();
        self.begun_at = counters.samples;
        self.counters.begun += u64::from(self.config.workers * self.config.games);
    }

    /// The config in use.
    pub fn config(&self) -> &AlphaZeroConfig {
        &self.config
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Totals so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How many numbers the network learns.
    pub fn parameter_count(&self) -> usize {
        self.newest.parameter_count()
    }

    /// The network that plays against itself.
    pub fn newest(&self) -> &Network<G> {
        &self.newest
    }

    /// The gradient steps that [`newest`](Self::newest) has learned by: fewer than [`counters`](Self::counters) says where a
    /// GPU has taken some that have not come back.
    pub fn newest_updates(&self) -> u64 {
        self.newest_updates
    }

    /// The network that won the last match; the first one before any.
    pub fn best(&self) -> &Network<G> {
        &self.best
    }

    /// The states of the games of self-play that are under way, worker by worker.
    pub fn games(&self) -> impl Iterator<Item = &G> {
        self.workers.iter().flat_map(Worker::states)
    }

    /// Lends the learner a clock in seconds, so that reports say where the time goes. It decides nothing by it.
    pub fn set_clock(&mut self, clock: Option<Clock>) {
        self.clock = clock;
    }

    /// Takes over another config that differs in live fields alone, from the next slice on.
    ///
    /// # Errors
    /// [`LearnerError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: AlphaZeroConfig) -> Result<(), LearnerError> {
        check::<G>(&config)?;
        Ok(self.config.change(config)?)
    }

    /// What the next slice will do.
    pub fn next_work(&self) -> Work {
        match self.phase {
            Phase::SelfPlay => Work::SelfPlay,
            Phase::Match(_) => Work::Match,
        }
    }

    /// Does one bounded slice of work: what the threads do once, of a decision in every game and of what is to be learned
    /// by then; or a decision in every game of a match.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged, [`LearnerError::Search`] where there is no memory for the
    /// searches.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Slice, LearnerError> {
        match &mut self.phase {
            Phase::SelfPlay => {
                let over = self.play_and_learn(cpu)?;
                let report = if over { self.end_generation() } else { None };
                Ok(Slice { work: Work::SelfPlay, report })
            }
            Phase::Match(under_way) => {
                let score = under_way.0.advance(cpu, &self.newest, &self.best)?;
                Ok(Slice { work: Work::Match, report: score.and_then(|score| self.end_match(score)) })
            }
        }
    }

    /// Advances until a generation is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn iterate(&mut self, cpu: &Cpu) -> Result<Report, LearnerError> {
        loop {
            if let Some(report) = self.advance(cpu)?.report {
                return Ok(report);
            }
        }
    }

    /// Goes on with a round by what the threads do once, and returns whether it is over: a decision in every game, and
    /// the gradient steps that were due.
    fn play_and_learn(&mut self, cpu: &Cpu) -> Result<bool, LearnerError> {
        let (threads, left) = (cpu.threads(), self.begin_round());
        // Learning goes on beside the games where there is a thread for it. On fewer it follows them, a step at a time,
        // so that no slice is long.
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

    /// Begins a round unless one is under way; returns how many gradient steps are left of it.
    pub(super) fn begin_round(&mut self) -> u64 {
        let steps = self.steps_left.unwrap_or_else(|| self.steps());
        *self.steps_left.insert(steps)
    }

    /// Gradient steps so far, those of the round that is under way among them.
    pub fn updates(&self) -> u64 {
        self.counters.updates + self.updater.made
    }

    /// Whether every game has moved on in this round, so that what is left of it are gradient steps.
    pub fn is_played(&self) -> bool {
        self.workers.iter().all(Worker::is_done)
    }

    /// What gradient steps draw their samples from.
    pub(super) fn sample_seed(&self) -> u64 {
        rng::derive(self.seed, purpose::SAMPLES)
    }

    /// A decision in every game of as many workers as there are threads, and so many gradient steps.
    fn work(&mut self, cpu: &Cpu, threads: usize, steps: u64) {
        let seed = self.sample_seed();
        let Self { config, updater, newest, workers, counters, replay, clock, .. } = self;
        let rules = Rules::new(config, counters, *clock);
        let updates = Updates { config, replay, seed, samples: counters.samples };
        let first = counters.updates + updater.made;
        // The games are played with the weights that the round began with: neither waits for the other, and it does not
        // matter which comes first.
        let learning = (steps > 0).then_some(Job::Learn(updater));
        let playing = workers.iter_mut().filter(|worker| !worker.is_done()).take(threads);
        let mut jobs: Vec<_> = playing.map(Job::Play).chain(learning).collect();
        cpu.for_each(&mut jobs, |_, job| match job {
            Job::Play(worker) => worker.round(newest, rules),
            Job::Learn(updater) => updater.learn(cpu, &updates, first, steps),
        });
    }

    /// How many gradient steps are due: of many at once, for games that ended together, as many as a slice is worth
    /// twice over.
    fn steps(&self) -> u64 {
        let config = &self.config;
        let rows = u64::from(config.minibatch);
        // Few samples of a handful of games would be learned by heart. There are never more than there is room for.
        if (self.replay.len() as u64) < (2 * rows).min(config.replay.into()) {
            return 0;
        }
        // A decision and the state before its dice in every game.
        let samples = 2.0 * f64::from(config.workers * config.games) * f64::from(config.replay_ratio);
        let most = (2.0 * samples / rows as f64).ceil();
        (self.due / rows as f64).min(most) as u64
    }

    /// Ends a round: takes over what its games and its gradient steps came to. Returns whether there were such steps.
    pub(super) fn end_round(&mut self) -> Result<bool, LearnerError> {
        let Self { config, updater, counters, .. } = self;
        self.steps_left = None;
        let steps = std::mem::take(&mut updater.made);
        self.due -= steps as f64 * f64::from(config.minibatch);
        counters.updates += steps;
        counters.learned += steps * u64::from(config.minibatch);
        std::mem::replace(&mut updater.outcome, Ok(()))?;
        self.harvest()?;
        Ok(steps > 0)
    }

    /// Takes over the samples of games that ended.
    fn harvest(&mut self) -> Result<(), LearnerError> {
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
            counters.looked += tally.looked as u64;
            self.tally += tally;
        }
        Ok(())
    }

    /// Whether enough samples were made for a generation.
    pub(super) fn generation_is_over(&self) -> bool {
        self.counters.samples - self.begun_at >= u64::from(self.config.generation)
    }

    /// The report of a generation that is over, or begins the match that belongs to it.
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
        let Sums { rows, policies, policy_loss, value_loss, gradient_norm, updates } = sums;
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
                let seed = rng::derive(self.seed, purpose::MATCH);
                // Other dice each time.
                let seed = rng::derive(seed, counters.generations as u32);
                self.phase =
                    Phase::Match(Box::new((PromotionMatch::new(config, &self.newest, seed), report)));
                return None;
            }
            _ => {}
        }
        Some(report)
    }

    /// Takes the newest network for the best if the match says so, and goes back to self-play.
    fn end_match(&mut self, score: Score) -> Option<Report> {
        if promotes(&score, self.config.match_margin) {
            self.best.write(self.newest.weights());
            self.counters.promotions += 1;
        }
        match std::mem::replace(&mut self.phase, Phase::SelfPlay) {
            Phase::Match(over) => Some(Report { counters: self.counters, score: Some(score), ..over.1 }),
            Phase::SelfPlay => None,
        }
    }
}

/// Checks the fields, and that the searches' memory is within what is allowed.
fn check<G: Learnable>(config: &AlphaZeroConfig) -> Result<(), LearnerError> {
    config.check()?;
    let games = u64::from(config.workers * config.games);
    let bytes = games * Tree::<G>::bytes(limits::<G>(config.simulations));
    if config.search_share > 0.0 && bytes > MOST_TREE_BYTES {
        let [needed, most] = [bytes, MOST_TREE_BYTES].map(|bytes| bytes >> 20);
        let allowed =
            format!("the trees of {games} games would take {needed} MiB; all of them may take {most} MiB");
        return Err(config.refused("simulations", allowed).into());
    }
    Ok(())
}
