//! Self-play and learning in separate processes, which exchange weights and batches of samples: [`SelfPlay`] plays,
//! [`ReplayLearner`] learns.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
use super::learner::{AlphaZeroPhase, AlphaZeroWork, ReplayLearner};
use super::network::AlphaZeroNetwork;
use super::replay::SelfPlaySamples;
use super::report::{AlphaZeroCounters, Report};
use super::run_setup::{check, rng_stream};
use super::self_play::{RoundSettings, SelfPlayWorker};
use super::self_play_batch::{BatchWindow, SelfPlayBatch};
use super::update::Updates;
use crate::error::LearnerError;
use std::collections::BTreeMap;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_learn::Advance;

/// Self-play apart from learning, for a process that receives weights and returns samples.
///
/// The results are a function of config, seed, and the weights of each self-play round (one decision in every game).
pub struct SelfPlay<G: SelfPlayGame> {
    config: AlphaZeroConfig,
    seed: u64,
    network: AlphaZeroNetwork<G>,
    /// Counters of the run to which the games belong, as of the last weights.
    counters: AlphaZeroCounters,
    workers: Vec<SelfPlayWorker<G>>,
    finished: SelfPlaySamples<G>,
    /// Number of batches that were returned.
    batches: u64,
}

impl<G: SelfPlayGame> SelfPlay<G> {
    /// Creates new games, played by a network with random initial weights until [`set_weights`](Self::set_weights).
    /// `seed` determines dice, noise and sampled moves; every `SelfPlay` of a run needs a seed of its own.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config.
    pub fn new(config: AlphaZeroConfig, seed: u64) -> Result<Self, LearnerError> {
        check::<G>(&config)?;
        let network = AlphaZeroNetwork::new(config.size(), rng::derive(seed, rng_stream::WEIGHTS))?;
        Ok(Self {
            workers: SelfPlayWorker::all(&config, &network, seed, 0),
            config,
            seed,
            network,
            counters: AlphaZeroCounters::default(),
            finished: SelfPlaySamples::default(),
            batches: 0,
        })
    }

    /// Returns the length of the network's weights, padding between parameters included.
    pub fn weights_len(&self) -> usize {
        self.network.weights().len()
    }

    /// Replaces the weights of the network, also for the games in progress. `games` and `samples` are the progress of
    /// the run, on which the share of searched moves and λ of the value targets depend.
    ///
    /// # Panics
    /// If the length of `weights` is not [`weights_len`](Self::weights_len).
    pub fn set_weights(&mut self, weights: &[f32], games: u64, samples: u64) {
        self.network.write(weights);
        self.counters = AlphaZeroCounters { games, samples, ..AlphaZeroCounters::default() };
    }

    /// Makes one decision in every game. Returns the samples of the games that have finished since the last batch.
    ///
    /// # Errors
    /// [`LearnerError::Search`] if a tree search failed.
    pub fn round(&mut self, cpu: &Cpu) -> Result<&SelfPlaySamples<G>, LearnerError> {
        let Self { config, network, counters, workers, finished, .. } = self;
        let settings = RoundSettings::new(config, counters, None);
        cpu.for_each(workers, |_, worker| worker.round(network, settings));
        for worker in workers {
            finished.append(worker.end_round()?);
        }
        Ok(finished)
    }

    /// Removes and returns the samples of the games that have finished since the last batch.
    pub fn take_batch(&mut self) -> SelfPlayBatch<G> {
        let number = self.batches;
        self.batches += 1;
        SelfPlayBatch { seed: self.seed, number, samples: std::mem::take(&mut self.finished) }
    }
}

impl<G: SelfPlayGame> ReplayLearner<G> {
    /// Adds a batch of self-play from another process. Returns `false`, and ignores the batch, if the batch was added
    /// before, or [`BatchWindow`] no longer contains its number.
    pub fn add_batch(&mut self, batch: &SelfPlayBatch<G>) -> bool {
        let is_new = self.added_batches.entry(batch.seed).or_default().add(batch.number);
        if is_new {
            self.add(&batch.samples);
        }
        is_new
    }

    /// Returns which batches of each [`SelfPlay`] were added, by its seed. They are not part of
    /// [`save`](Self::save).
    pub fn added_batches(&self) -> &BTreeMap<u64, BatchWindow> {
        &self.added_batches
    }

    /// Restores the [`added_batches`](Self::added_batches).
    pub fn set_added_batches(&mut self, added_batches: BTreeMap<u64, BatchWindow>) {
        self.added_batches = added_batches;
    }

    /// Does a bounded amount of work: the gradient steps of a self-play round if they are due; otherwise, if the
    /// generation has all its samples, ends the generation, or makes one decision in every game of its promotion match.
    /// Returns [`Advance::Waiting`] if more samples are required.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] if training diverged, and errors of promotion matches.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Advance<AlphaZeroWork, Report>, LearnerError> {
        if let Some(advance) = self.advance_match(cpu)? {
            return Ok(advance);
        }
        if self.learn(cpu)? {
            return Ok(Advance::Unfinished(AlphaZeroWork::SelfPlay));
        }
        Ok(match self.end_generation() {
            Some(report) => Advance::Finished(report),
            None if matches!(self.phase, AlphaZeroPhase::Match(_)) => {
                Advance::Unfinished(AlphaZeroWork::Match)
            }
            None => Advance::Waiting,
        })
    }

    /// Takes the gradient steps that are due, at most the steps of one self-play round. Returns whether any were due.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] if training diverged.
    pub fn learn(&mut self, cpu: &Cpu) -> Result<bool, LearnerError> {
        let steps = self.steps();
        let (first, seed) = (self.updates(), self.sample_seed());
        let Self { config, updater, replay, counters, .. } = self;
        let updates = Updates { config, replay, seed, samples: counters.samples };
        updater.learn(cpu, &updates, first, steps);
        let has_learned = self.end_steps()?;
        if has_learned {
            self.follow_average();
        }
        Ok(has_learned)
    }
}
