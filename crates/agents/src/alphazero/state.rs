//! Saving and restoring a learner as named tensors.
//!
//! The games in progress and the replay buffer are not saved: a restored learner starts new games with an empty replay
//! buffer.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
use super::learner::AlphaZero;
use super::network::AlphaZeroNetwork;
use super::report::AlphaZeroCounters;
use super::update::AlphaZeroUpdater;
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor, TensorData};

/// Names of the tensor groups of a checkpoint. Each group has one tensor per parameter of the network.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
const BEST: &str = "best";
const COUNTERS: &str = "counters";

impl<G: SelfPlayGame> AlphaZero<G> {
    /// Returns the tensors of a checkpoint: weights, EMA, best network, optimizer moments and counters.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let AlphaZeroUpdater { network, trainer, average, .. } = &self.updater;
        let mut tensors: Vec<Tensor> = network.tensors(WEIGHTS).collect();
        tensors.extend(average.tensors(network, AVERAGE).chain(self.best.tensors(BEST)));
        tensors.extend(trainer.tensors(network));
        tensors.push(Tensor::flat(COUNTERS, TensorData::U64(self.counters.numbers().to_vec())));
        tensors
    }

    /// Returns the tensors of the best network, which take a quarter of the size of [`save`](Self::save).
    #[must_use]
    pub fn save_best(&self) -> Vec<Tensor> {
        network_tensors(&self.best)
    }

    /// Returns the network for inference: the network promoted last, or the newest network before the first promotion.
    pub fn player(&self) -> &AlphaZeroNetwork<G> {
        match NetworkSource::of(self.counters) {
            NetworkSource::Newest => &self.newest,
            NetworkSource::Promoted | NetworkSource::Alone => &self.best,
        }
    }

    /// Restores a learner. Config and seed must be those of the saved run, except for live fields. The learner starts
    /// new games.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid field.
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
        learner.restart_games();
        Ok(learner)
    }

    /// Replaces the weights by the best network of a saved learner of the same size, such as a pretrained network, and
    /// resets the optimizer. The counters are unchanged.
    ///
    /// # Errors
    /// [`LearnerError::State`] naming the tensor that is missing or has the wrong shape; nothing is changed in that
    /// case.
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

/// Returns the tensors of a file that contains only this network.
#[must_use]
pub fn network_tensors<G: SelfPlayGame>(network: &AlphaZeroNetwork<G>) -> Vec<Tensor> {
    network.tensors(BEST).collect()
}

/// Origin of the network with which a saved learner, or a file that contains only a network, plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkSource {
    /// The network that was promoted last.
    Promoted,
    /// The newest network, because no network has been promoted yet.
    Newest,
    /// A file that contains only a network, without training state.
    Alone,
}

impl NetworkSource {
    /// Returns the lowercase name of the network's origin.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Newest => "newest",
            Self::Alone => "alone",
        }
    }

    /// Returns the origin of the network that a saved learner with these counters plays with.
    fn of(counters: AlphaZeroCounters) -> Self {
        if counters.promotions == 0 { Self::Newest } else { Self::Promoted }
    }
}

/// Reads the network that plays from saved tensors, and returns it with its origin. `like` is a network of the same
/// size.
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
