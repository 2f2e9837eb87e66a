//! Checkpoints of an AlphaZero learner as named tensors.
//!
//! The games in progress and the replay buffer are not saved: a restored learner starts new games with an empty
//! replay buffer.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
use super::learner::{AlphaZero, ReplayLearner};
use super::network::AlphaZeroNetwork;
use super::report::AlphaZeroCounters;
use super::update::AlphaZeroUpdater;
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor, TensorData};

/// Name prefix of the checkpoint tensors that hold the trained weights, one tensor per network parameter.
const WEIGHTS: &str = "weights";
/// Name prefix of the checkpoint tensors that hold the EMA of the weights, one tensor per network parameter.
const AVERAGE: &str = "average";
/// Name prefix of the checkpoint tensors that hold the best network, one tensor per network parameter.
const BEST: &str = "best";
/// Name of the checkpoint tensor that holds the counters of the run.
const COUNTERS: &str = "counters";

impl<G: SelfPlayGame> ReplayLearner<G> {
    /// Returns the complete state of the learner as named tensors: weights, EMA, best network, optimizer moments and
    /// counters.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let AlphaZeroUpdater { network, trainer, average, .. } = &self.updater;
        let mut tensors: Vec<Tensor> = network.tensors(WEIGHTS).collect();
        tensors.extend(average.tensors(network, AVERAGE).chain(self.best.tensors(BEST)));
        tensors.extend(trainer.tensors(network));
        tensors.push(Tensor::flat(COUNTERS, TensorData::U64(self.counters.numbers().to_vec())));
        tensors
    }

    /// Returns the weights of the best network as named tensors, about a quarter of the data of [`save`](Self::save).
    #[must_use]
    pub fn save_best(&self) -> Vec<Tensor> {
        network_tensors(&self.best)
    }

    /// Returns the network that should play against others: the network promoted last, or the newest network before
    /// the first promotion.
    pub fn player(&self) -> &AlphaZeroNetwork<G> {
        match NetworkSource::of(self.counters) {
            NetworkSource::Newest => &self.newest,
            NetworkSource::Promoted | NetworkSource::Alone => &self.best,
        }
    }

    /// Restores a learner from the tensors of [`save`](Self::save). Config and seed must equal the config and
    /// seed of the saved learner, except for live config fields, which may change during a run.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
    pub fn restore(config: AlphaZeroConfig, seed: u64, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, seed)?;
        let (saved, Self { updater, newest, best, .. }) = (SavedTensors(tensors), &mut learner);
        let AlphaZeroUpdater { network, trainer, average, .. } = updater;
        network.read(&saved, WEIGHTS)?;
        average.read(network, &saved, AVERAGE)?;
        trainer.read(network, &saved)?;
        newest.write(average.weights());
        best.read(&saved, BEST)?;
        learner.counters = AlphaZeroCounters::of(*saved.find(COUNTERS)?.counters()?);
        learner.newest_updates = learner.counters.updates;
        learner.begun_at = learner.counters.samples;
        Ok(learner)
    }

    /// Replaces the weights of all networks of the learner by the best network in `tensors`, for example a pretrained
    /// network, and resets the optimizer. The counters are unchanged.
    ///
    /// # Errors
    /// [`LearnerError::State`] naming the tensor that is missing or has the wrong shape; the learner is unchanged
    /// then.
    pub fn adopt_best(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        self.newest.read(&SavedTensors(tensors), BEST)?;
        let weights = self.newest.weights();
        self.updater.network.write(weights);
        self.updater.average.write(weights);
        self.updater.trainer.reset_moments();
        self.best.write(weights);
        Ok(())
    }
}

impl<G: SelfPlayGame> AlphaZero<G> {
    /// Restores a learner as [`ReplayLearner::restore`] does. The learner starts new games.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
    pub fn restore(config: AlphaZeroConfig, seed: u64, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        Ok(Self::of(ReplayLearner::restore(config, seed, tensors)?))
    }

    /// Replaces the weights as [`ReplayLearner::adopt_best`] does.
    ///
    /// # Errors
    /// [`LearnerError::State`] naming the tensor that is missing or has the wrong shape; the learner is unchanged
    /// then.
    pub fn adopt_best(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        self.learning.adopt_best(tensors)
    }
}

/// Returns the weights of `network` as named tensors, for a file without training state.
#[must_use]
pub fn network_tensors<G: SelfPlayGame>(network: &AlphaZeroNetwork<G>) -> Vec<Tensor> {
    network.tensors(BEST).collect()
}

/// Origin of a network that was read from a file by [`read_network`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkSource {
    /// The network that the saved learner promoted last.
    Promoted,
    /// The newest network of the saved learner, which has not promoted a network yet.
    Newest,
    /// The only network of a file without training state.
    Alone,
}

impl NetworkSource {
    /// Returns the name of the origin: `promoted`, `newest` or `alone`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Newest => "newest",
            Self::Alone => "alone",
        }
    }

    /// Returns the origin of the network that a saved learner provides for play: the network promoted last, or the
    /// newest network if `counters` has no promotion.
    fn of(counters: AlphaZeroCounters) -> Self {
        if counters.promotions == 0 { Self::Newest } else { Self::Promoted }
    }
}

/// Reads a network for play from the tensors of a saved learner or of a single network. Returns the network and its
/// origin. `like` is any network of the size of the network to read.
///
/// # Errors
/// [`LearnerError::State`] naming the tensor that is missing or has the wrong shape.
pub fn read_network<G: SelfPlayGame>(
    like: &AlphaZeroNetwork<G>,
    tensors: &[Tensor],
) -> Result<(AlphaZeroNetwork<G>, NetworkSource), LearnerError> {
    let saved = SavedTensors(tensors);
    let source = match tensors.iter().any(|tensor| tensor.name == COUNTERS) {
        true => NetworkSource::of(AlphaZeroCounters::of(*saved.find(COUNTERS)?.counters()?)),
        false => NetworkSource::Alone,
    };
    let group = if source == NetworkSource::Newest { AVERAGE } else { BEST };
    let mut network = like.clone();
    network.read(&saved, group)?;
    Ok((network, source))
}
