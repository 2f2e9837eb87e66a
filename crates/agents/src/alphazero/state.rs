//! A learner's state as named tensors, to save and to restore.
//!
//! Games under way and the replay are no part of it: whoever goes on from a state begins other games, and fills a replay of
//! its own with them.

use super::config::AlphaZeroConfig;
use super::game::Learnable;
use super::learner::AlphaZero;
use super::network::Network;
use super::report::Counters;
use super::update::Updater;
use crate::error::LearnerError;
use vivarium_graph::{Saved, Tensor, Values};

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
const BEST: &str = "best";
const COUNTERS: &str = "counters";

impl<G: Learnable> AlphaZero<G> {
    /// What the learner has learned, and what it needs to go on.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let Updater { network, trainer, average, .. } = &self.updater;
        let mut tensors: Vec<Tensor> = network.tensors(WEIGHTS).collect();
        tensors.extend(average.tensors(network, AVERAGE).chain(self.best.tensors(BEST)));
        tensors.extend(trainer.tensors(network));
        tensors.push(Tensor::flat(COUNTERS, Values::U64(self.counters.numbers().to_vec())));
        tensors
    }

    /// The best network alone, for whoever only plays: a quarter of what [`save`](Self::save) gives.
    #[must_use]
    pub fn save_best(&self) -> Vec<Tensor> {
        network_alone(&self.best)
    }

    /// The network that plays: the one promoted last, or the newest before any was.
    pub fn player(&self) -> &Network<G> {
        match Source::of(self.counters) {
            Source::Newest => &self.newest,
            Source::Promoted | Source::Alone => &self.best,
        }
    }

    /// A learner in a saved state. Config and seed must be those that it was saved under (live fields may differ). It
    /// begins other games than those that were under way then.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: AlphaZeroConfig, seed: u64, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, seed)?;
        let (saved, Self { updater, newest, best, .. }) = (Saved(tensors), &mut learner);
        let Updater { network, trainer, average, .. } = updater;
        network.read(&saved, WEIGHTS)?;
        average.read(network, &saved, AVERAGE)?;
        trainer.read(network, &saved)?;
        newest.write(average.weights());
        best.read(&saved, BEST)?;
        learner.counters = Counters::of(*saved.find(COUNTERS)?.counters()?);
        learner.newest_updates = learner.counters.updates;
        learner.begin_games();
        Ok(learner)
    }

    /// Goes on from the best network of another learner of the same size, such as one that ships with the page, as if
    /// it had just been initialized to it. Totals stay.
    ///
    /// # Errors
    /// [`LearnerError::State`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt_best(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        self.newest.read(&Saved(tensors), BEST)?;
        let weights = self.newest.weights();
        self.updater.network.write(weights);
        self.updater.average.write(weights);
        self.updater.trainer.forget_moments();
        self.best.write(weights);
        Ok(())
    }
}

/// The tensors of a file that holds this network and nothing else.
#[must_use]
pub fn network_alone<G: Learnable>(network: &Network<G>) -> Vec<Tensor> {
    network.tensors(BEST).collect()
}

/// Which of a learner's networks plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The one that won the last promotion match.
    Promoted,
    /// The newest: no match has been won yet, and the best network is still the initial one.
    Newest,
    /// The network of a file that holds nothing else.
    Alone,
}

impl Source {
    /// A word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Newest => "newest",
            Self::Alone => "alone",
        }
    }

    /// The one that plays for a learner with these totals.
    fn of(counters: Counters) -> Self {
        if counters.promotions == 0 { Self::Newest } else { Self::Promoted }
    }
}

/// The network that plays for the tensors that a learner saved, and which it is. `like` is another network of its size.
///
/// # Errors
/// [`LearnerError::State`] naming the tensor that is missing or does not fit.
pub fn read_player<G: Learnable>(
    like: &Network<G>,
    tensors: &[Tensor],
) -> Result<(Network<G>, Source), LearnerError> {
    let saved = Saved(tensors);
    let source = match tensors.iter().any(|tensor| tensor.name == COUNTERS) {
        true => Source::of(Counters::of(*saved.find(COUNTERS)?.counters()?)),
        false => Source::Alone,
    };
    let group = if source == Source::Newest { AVERAGE } else { BEST };
    let mut network = like.clone();
    network.read(&saved, group)?;
    Ok((network, source))
}
