//! A learner's state as named tensors, to save and to restore.
//!
//! Games under way and the replay are no part of it: whoever goes on from a state begins other games, and fills a replay of
//! its own with them.

use super::config::AlphaZeroConfig;
use super::error::AlphaZeroError;
use super::game::Learnable;
use super::learner::AlphaZero;
use super::network::Network;
use super::report::Counters;
use vivarium_graph::{Saved, Tensor, Values, tensors_of};

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
const BEST: &str = "best";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";
const COUNTERS: &str = "counters";

impl<G: Learnable> AlphaZero<G> {
    /// What the learner has learnt, and what it needs to go on.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let specs = self.newest.parameters().specs();
        let mut tensors = Vec::new();
        for (group, flat) in [
            (WEIGHTS, self.trainer.network.parameters().flat()),
            (AVERAGE, &self.trainer.average),
            (BEST, self.best.parameters().flat()),
            (FIRST_MOMENT, &self.trainer.first_moment),
            (SECOND_MOMENT, &self.trainer.second_moment),
        ] {
            tensors.extend(tensors_of(group, specs, flat));
        }
        let counters = self.counters.numbers().to_vec();
        tensors.push(Tensor {
            name: COUNTERS.to_owned(),
            shape: vec![counters.len()],
            values: Values::U64(counters),
        });
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
    /// [`AlphaZeroError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: AlphaZeroConfig, seed: u64, tensors: &[Tensor]) -> Result<Self, AlphaZeroError> {
        let mut learner = Self::new(config, seed)?;
        let specs = learner.newest.parameters().specs().to_vec();
        let (saved, len) = (Saved(tensors), learner.newest.parameters().flat().len());
        let flat = |group| saved.flat(group, &specs, len);
        let (weights, average, best) = (flat(WEIGHTS)?, flat(AVERAGE)?, flat(BEST)?);
        learner.trainer.first_moment.copy_from_slice(&flat(FIRST_MOMENT)?);
        learner.trainer.second_moment.copy_from_slice(&flat(SECOND_MOMENT)?);
        learner.counters = Counters::of(*saved.find(COUNTERS)?.counters()?);
        learner.trainer.network.change(|to| to.flat_mut().copy_from_slice(&weights));
        learner.trainer.average.copy_from_slice(&average);
        learner.newest.change(|to| to.flat_mut().copy_from_slice(&average));
        learner.best.change(|to| to.flat_mut().copy_from_slice(&best));
        learner.begin_games();
        Ok(learner)
    }

    /// Goes on from the best network of another learner of the same size, such as one that ships with the page, as if
    /// it had just been initialised to it. Totals stay.
    ///
    /// # Errors
    /// [`AlphaZeroError::State`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt_best(&mut self, tensors: &[Tensor]) -> Result<(), AlphaZeroError> {
        let network = read(&self.newest, tensors, BEST)?;
        let weights = network.parameters().flat();
        self.trainer.first_moment.fill(0.0);
        self.trainer.second_moment.fill(0.0);
        self.trainer.average.copy_from_slice(weights);
        self.trainer.network.copy_from(&network);
        self.newest.copy_from(&network);
        self.best.copy_from(&network);
        Ok(())
    }
}

/// The tensors of a file that holds this network and nothing else.
#[must_use]
pub fn network_alone<G: Learnable>(network: &Network<G>) -> Vec<Tensor> {
    tensors_of(BEST, network.parameters().specs(), network.parameters().flat()).collect()
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
/// [`AlphaZeroError::State`] naming the tensor that is missing or does not fit.
pub fn read_player<G: Learnable>(
    like: &Network<G>,
    tensors: &[Tensor],
) -> Result<(Network<G>, Source), AlphaZeroError> {
    let saved = Saved(tensors);
    let source = match tensors.iter().any(|tensor| tensor.name == COUNTERS) {
        true => Source::of(Counters::of(*saved.find(COUNTERS)?.counters()?)),
        false => Source::Alone,
    };
    let group = if source == Source::Newest { AVERAGE } else { BEST };
    Ok((read(like, tensors, group)?, source))
}

/// The network in a group of tensors, of the size of another one.
fn read<G: Learnable>(
    like: &Network<G>,
    tensors: &[Tensor],
    group: &str,
) -> Result<Network<G>, AlphaZeroError> {
    let parameters = like.parameters();
    let weights = Saved(tensors).flat(group, parameters.specs(), parameters.flat().len())?;
    let mut network = like.clone();
    network.change(|to| to.flat_mut().copy_from_slice(&weights));
    Ok(network)
}

impl Counters {
    /// All of them, in the order in which they are saved.
    fn numbers(self) -> [u64; 10] {
        let Self {
            begun,
            games,
            decisions,
            simulations,
            looked,
            samples,
            learnt,
            updates,
            generations,
            promotions,
        } = self;
        [begun, games, decisions, simulations, looked, samples, learnt, updates, generations, promotions]
    }

    fn of(numbers: [u64; 10]) -> Self {
        let [begun, games, decisions, simulations, looked, samples, learnt, updates, generations, promotions] =
            numbers;
        Self {
            begun,
            games,
            decisions,
            simulations,
            looked,
            samples,
            learnt,
            updates,
            generations,
            promotions,
        }
    }
}
