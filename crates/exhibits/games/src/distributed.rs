//! Self-play and learning of AlphaZero in separate processes, for a game that is chosen at run time.
//!
//! [`self_play`] plays games with given weights and returns their samples as bytes. [`replay_learner`] trains on such
//! samples and returns weights. The checkpoints of the learner are checkpoints of the experiment.

use crate::checkpoint::ROLLBACKS;
use crate::entries::{least_weights, read, row, schema};
use crate::rules::TableGame;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use vivarium_agents::alphazero::{
    AlphaZeroCounters, BatchWindow, ReplayLearner, SampleError, SelfPlay, SelfPlayBatch,
};
use vivarium_agents::{Advance, each_game};
use vivarium_config::shorten;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{self, Header, TensorData, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// Checkpoint header field: seeds of self-play in other processes, each with the two numbers of a [`BatchWindow`].
const ADDED_BATCHES: &str = "added_batches";

/// Samples of finished self-play games as bytes, with their numbers.
pub struct SerializedBatch {
    /// Bytes for [`AnyReplayLearner::add`].
    pub bytes: Vec<u8>,
    /// Number of games.
    pub games: u64,
    /// Number of samples.
    pub samples: usize,
}

/// Self-play of a game that is chosen at run time; see [`SelfPlay`].
pub trait AnySelfPlay: Send {
    /// Returns the length of the network's weights, padding between parameters included.
    fn weights_len(&self) -> usize;

    /// Replaces the weights of the network. `games` and `samples` are the progress of the run; see
    /// [`SelfPlay::set_weights`].
    ///
    /// # Panics
    /// If the length of `weights` is not [`weights_len`](Self::weights_len).
    fn set_weights(&mut self, weights: &[f32], games: u64, samples: u64);

    /// Makes one decision in every game. Returns the number of samples since the last batch.
    ///
    /// # Errors
    /// [`LabError`] if a tree search failed.
    fn round(&mut self, cpu: &Cpu) -> Result<usize, LabError>;

    /// Removes and returns the samples of the games that have finished since the last batch.
    fn take_batch(&mut self) -> SerializedBatch;
}

impl<G: TableGame> AnySelfPlay for SelfPlay<G> {
    fn weights_len(&self) -> usize {
        self.weights_len()
    }

    fn set_weights(&mut self, weights: &[f32], games: u64, samples: u64) {
        self.set_weights(weights, games, samples);
    }

    fn round(&mut self, cpu: &Cpu) -> Result<usize, LabError> {
        Ok(self.round(cpu)?.len())
    }

    fn take_batch(&mut self) -> SerializedBatch {
        let batch = self.take_batch();
        let (games, samples) = (batch.samples.games(), batch.samples.len());
        SerializedBatch { bytes: batch.to_bytes(), games, samples }
    }
}

/// Learner without self-play of a game that is chosen at run time; see [`ReplayLearner`].
pub trait AnyReplayLearner: Send {
    /// Returns the name of the game.
    fn name(&self) -> &'static str;

    /// Returns the complete config.
    fn config(&self) -> &Value;

    /// Returns the seed of all random numbers.
    fn seed(&self) -> u64;

    /// Returns the counters of the run.
    fn counters(&self) -> AlphaZeroCounters;

    /// Returns the weights for self-play: the exponential moving average of the trained weights.
    fn weights(&self) -> &[f32];

    /// Adds the samples of a [`SerializedBatch`]. Returns `false`, and ignores the samples, if this batch was added
    /// before; see [`ReplayLearner::add_batch`].
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the bytes are not samples of this game.
    fn add(&mut self, batch: &[u8]) -> Result<bool, LabError>;

    /// Does a bounded amount of work; see [`ReplayLearner::advance`]. Returns the metric row of a finished generation,
    /// or [`Advance::Waiting`] if more samples are required.
    ///
    /// # Errors
    /// [`LabError::Diverged`] if training diverged.
    fn advance(&mut self, cpu: &Cpu) -> Result<Advance<(), MetricRow>, LabError>;

    /// Returns the state as a checkpoint of the experiment, without the replay buffer.
    fn save(&self) -> Vec<u8>;
}

/// Learner without self-play, with the config of its experiment.
struct DistributedLearner<G: TableGame> {
    config: Value,
    learner: ReplayLearner<G>,
}

impl<G: TableGame> DistributedLearner<G> {
    fn open(bytes: &[u8]) -> Result<Self, LabError> {
        let (header, mut found) = checkpoint::read(bytes)?;
        let config = schema::<G>().config_of(&header)?;
        let learner_config = read(&config)?;
        found.check_min_values(least_weights(learner_config.size()))?;
        let like = ReplayLearner::<G>::new(learner_config.clone(), header.seed)?;
        let tensors = found.take_like(&like.save())?;
        let mut learner = ReplayLearner::restore(learner_config, header.seed, &tensors)?;
        let added = &header.more[ADDED_BATCHES];
        if !added.is_null() {
            let added = BTreeMap::<u64, (u64, u64)>::deserialize(added);
            let added = added.map_err(|error| LabError::checkpoint(format!("{ADDED_BATCHES}: {error}")))?;
            let windows = added.into_iter().map(|(seed, (end, mask))| (seed, BatchWindow { end, mask }));
            learner.set_added_batches(windows.collect());
        }
        Ok(Self { config, learner })
    }
}

impl<G: TableGame> AnyReplayLearner for DistributedLearner<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn config(&self) -> &Value {
        &self.config
    }

    fn seed(&self) -> u64 {
        self.learner.seed()
    }

    fn counters(&self) -> AlphaZeroCounters {
        self.learner.counters()
    }

    fn weights(&self) -> &[f32] {
        self.learner.newest().weights()
    }

    fn add(&mut self, batch: &[u8]) -> Result<bool, LabError> {
        let refuse = |error: SampleError| {
            LabError::invalid("samples", format!("{} bytes", batch.len()), error.to_string())
        };
        Ok(self.learner.add_batch(&SelfPlayBatch::from_bytes(batch).map_err(refuse)?))
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Advance<(), MetricRow>, LabError> {
        Ok(match self.learner.advance(cpu)? {
            Advance::Waiting => Advance::Waiting,
            Advance::Unfinished(_) => Advance::Unfinished(()),
            Advance::Finished(report) => Advance::Finished(row(&report)),
        })
    }

    fn save(&self) -> Vec<u8> {
        let windows = self.learner.added_batches().iter();
        let added: BTreeMap<_, _> = windows.map(|(seed, window)| (seed, (window.end, window.mask))).collect();
        let mut tensors = self.learner.save();
        tensors.push(flat(ROLLBACKS, TensorData::U64(vec![0])));
        let header = Header {
            experiment: G::NAME.into(),
            config: self.config.clone(),
            seed: self.learner.seed(),
            steps: self.learner.counters().decisions,
            more: json!({ ADDED_BATCHES: added }),
        };
        checkpoint::write(&header, &tensors)
    }
}

type SelfPlayResult = Result<Box<dyn AnySelfPlay>, LabError>;
type ReplayLearnerResult = Result<Box<dyn AnyReplayLearner>, LabError>;

/// Constructors of the two halves for one game.
struct DistributedGame {
    name: &'static str,
    self_play: fn(&Value, u64) -> SelfPlayResult,
    learner: fn(&Value, u64) -> ReplayLearnerResult,
    open: fn(&[u8]) -> ReplayLearnerResult,
}

fn entry<G: TableGame>() -> DistributedGame {
    DistributedGame {
        name: G::NAME,
        self_play: |given, seed| {
            let config = read(&schema::<G>().configure(given)?)?;
            Ok(Box::new(SelfPlay::<G>::new(config, seed)?))
        },
        learner: |given, seed| {
            let config = schema::<G>().configure(given)?;
            let learner = ReplayLearner::<G>::new(read(&config)?, seed)?;
            Ok(Box::new(DistributedLearner { config, learner }))
        },
        open: |bytes| Ok(Box::new(DistributedLearner::<G>::open(bytes).map_err(LabError::in_checkpoint)?)),
    }
}

/// Returns the constructors for the game `name`; if there is no such game, the error that `refuse` creates from the
/// names of the games.
fn game(name: &str, refuse: impl FnOnce(String) -> LabError) -> Result<DistributedGame, LabError> {
    let games = each_game!(entry());
    let names = games.each_ref().map(|game| game.name).join(" or ");
    games.into_iter().find(|game| game.name == name).ok_or_else(|| refuse(names))
}

fn named_game(name: &str) -> Result<DistributedGame, LabError> {
    let refuse =
        |names| LabError::invalid("game", format!("{:?}", shorten(name)), format!("allowed is {names}"));
    game(name, refuse)
}

/// Creates self-play of the game `name`, from config fields that differ from the defaults. Every self-play of a run
/// needs a seed of its own.
///
/// # Errors
/// [`LabError::Invalid`] for an unknown game, or an invalid config field.
pub fn self_play(name: &str, config: &Value, seed: u64) -> SelfPlayResult {
    (named_game(name)?.self_play)(config, seed)
}

/// Creates a learner without self-play of the game `name`, from config fields that differ from the defaults.
///
/// # Errors
/// [`LabError::Invalid`] for an unknown game, or an invalid config field.
pub fn replay_learner(name: &str, config: &Value, seed: u64) -> ReplayLearnerResult {
    (named_game(name)?.learner)(config, seed)
}

/// Restores a learner without self-play from a checkpoint of the experiment.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid or belongs to another experiment.
pub fn open_replay_learner(bytes: &[u8]) -> ReplayLearnerResult {
    let name = checkpoint::read_header(bytes)?.experiment;
    let refuse =
        |names| LabError::checkpoint(format!("it belongs to {name}; a checkpoint of {names} is required"));
    (game(&name, refuse)?.open)(bytes)
}
