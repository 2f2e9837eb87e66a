//! Checkpoints of a cube experiment, and export of its network.

use super::background_evaluator::BackgroundEvaluator;
use super::learner::CubeLearner;
use super::networks::{CubeNetworks, OpenedNetwork};
use super::policy::CubePolicy;
use super::session::{CubeSession, SavedState};
use crate::protocol::CubePlayer;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::Reply;
use vivarium_lab::rollback::{RollbackGuard, RollbackPolicy};
use vivarium_lab::run::Run;
use vivarium_lab::train::Training;

/// Name of the checkpoint tensor that holds the number of consecutive rollbacks after divergence.
const ROLLBACKS: &str = "guard";

/// Name prefix of the tensors of the opened network (the network that the user loaded from a file).
const OPENED: &str = "opened/";

/// Metadata key of the config of the opened network (the network that the user loaded from a file).
const CONFIG: &str = "opened_config";
/// Metadata key of the number of samples on which the opened network (loaded from a file) was trained.
const SAMPLES: &str = "opened_samples";
/// Metadata key of the user's selection: the network in training or the opened network. The selected network computes
/// the move values of the interactive cube and solves the cube.
const PLAYER: &str = "player";
/// Metadata key of the results of background evaluations.
const TRIALS: &str = "trials";
/// Metadata key of the state of the interactive cube.
const TABLE: &str = "table";

/// State of a cube experiment: learner, networks, background evaluator, and the interactive cube that the user turns.
pub(super) struct CubeExperimentState<L: CubeLearner, E> {
    pub(super) training: Training<L>,
    /// Report of the last training iteration; `None` before the first.
    pub(super) last: Option<L::Report>,
    pub(super) networks: CubeNetworks<L>,
    pub(super) evaluator: E,
    pub(super) session: CubeSession<L>,
    /// Learner state that a rollback restores after a divergence, and the number of consecutive rollbacks. Positions
    /// and intervals are counted in gradient steps.
    pub(super) guard: RollbackGuard<Vec<Tensor>>,
}

impl<L: CubeLearner, E: BackgroundEvaluator<L>> CubeExperimentState<L, E> {
    /// Creates the initial state of a run that trains `learner`.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    pub(super) fn new(config: &Value, learner: L) -> Result<Self, LabError> {
        Ok(Self {
            networks: CubeNetworks::new(&learner)?,
            evaluator: E::new(config),
            session: CubeSession::new(learner.seed()),
            guard: guard(&learner),
            training: Training::new(learner),
            last: None,
        })
    }

    /// Serializes a checkpoint: learner, evaluation results, opened network and interactive cube. Evaluations and
    /// searches in progress are not saved; they restart when the checkpoint is opened.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let mut tensors = self.training.learner.save();
        tensors.push(flat(ROLLBACKS, TensorData::U64(vec![self.guard.rollbacks().into()])));
        let mut more = json!({
            PLAYER: self.networks.player(),
            TRIALS: self.evaluator.save(),
            TABLE: self.session.saved_state(),
        });
        if let Some(opened) = &self.networks.opened {
            let named = |tensor: Tensor| Tensor { name: format!("{OPENED}{}", tensor.name), ..tensor };
            tensors.extend(opened.network.save().into_iter().map(named));
            more[CONFIG] = opened.config.clone();
            more[SAMPLES] = opened.samples.into();
        }
        checkpoint::write(&self.header(run, more), &tensors)
    }

    fn header(&self, run: &Run, more: Value) -> Header {
        run.header(self.training.learner.progress().steps, more)
    }

    /// Creates the state from a checkpoint, whose config must be complete and validated. Returns the state and notices
    /// for the user. If the file contains only a network, the state is a new run with the network's weights.
    /// Invalid evaluation results or an invalid interactive cube are discarded with a notice.
    ///
    /// # Errors
    /// [`LabError`] describing the mismatch between the tensors and the config.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<(Self, Vec<String>), LabError> {
        let rollbacks = if found.contains(ROLLBACKS) {
            let model = flat(ROLLBACKS, TensorData::U64(vec![0]));
            found.take_like(&[model])?.into_iter().next().map(|tensor| tensor.values)
        } else {
            None
        };
        let (opened, own): (Vec<_>, Vec<_>) =
            found.into_vec().into_iter().partition(|tensor| tensor.name.starts_with(OPENED));
        let learner = L::open(&header.config, header.seed, &own)?;
        let expected = learner.save();
        let unexpected = own.iter().find(|tensor| expected.iter().all(|other| other.name != tensor.name));
        if let Some(unexpected) = unexpected {
            return Err(LabError::checkpoint(format!("unexpected tensor {}", unexpected.name)));
        }
        let mut state = Self::new(&header.config, learner)?;
        if let Some(TensorData::U64(count)) = rollbacks {
            let updates = state.guard.good_at();
            state.guard = state.guard.with_rollbacks(count[0], updates);
        }
        state.restore_opened(opened, header)?;
        let notices = state.restore_metadata(&header.more);
        Ok((state, notices))
    }

    /// Restores the opened network (loaded from a file) from `tensors`, and the user's selection of a network from the
    /// metadata in the checkpoint's `header`. Does nothing if `tensors` is empty, because the saved run had no opened
    /// network.
    fn restore_opened(&mut self, tensors: Vec<Tensor>, header: &Header) -> Result<(), LabError> {
        let more = &header.more;
        if tensors.is_empty() {
            return Ok(());
        }
        let named = |tensor: Tensor| Tensor { name: tensor.name.replacen(OPENED, "", 1), ..tensor };
        let tensors: Vec<_> = tensors.into_iter().map(named).collect();
        let network = L::schema()
            .configure(&more[CONFIG])
            .and_then(|config| Ok((L::Policy::restore(&config, &tensors)?, config)))
            .map_err(|error| LabError::checkpoint(format!("opened network: {error}")))?;
        let (network, config) = (Arc::new(network.0), network.1);
        let samples = more[SAMPLES].as_u64().unwrap_or(0);
        self.networks.opened = Some(OpenedNetwork { network, config, samples });
        if let Ok(player) = CubePlayer::deserialize(&more[PLAYER]) {
            self.networks.set_player(player)?;
        }
        Ok(())
    }

    /// Restores the evaluation results and the interactive cube from `more`, the metadata of a checkpoint. Entries that
    /// `more` does not contain, as in a network file, are skipped. Returns one notice to the user for each invalid
    /// entry.
    fn restore_metadata(&mut self, more: &Value) -> Vec<String> {
        let mut notices = Vec::new();
        let mut discard = |part: &str, instead: &str, error: &LabError| {
            notices.push(format!(
                "{part} of this file cannot be restored: {error}. Training was restored; {instead}."
            ));
        };
        if !more[TRIALS].is_null()
            && let Err(error) = self.evaluator.restore_metadata(&more[TRIALS])
        {
            discard("The evaluation results", "evaluation starts over", &error);
        }
        if !more[TABLE].is_null() {
            let saved = SavedState::deserialize(&more[TABLE])
                .map_err(|error| LabError::checkpoint(error.to_string()))
                .and_then(|saved| CubeSession::restore(self.training.learner.seed(), &saved));
            match saved {
                Ok(session) => self.session = session,
                Err(error) => discard("The interactive cube", "a solved cube replaces it", &error),
            }
        }
        notices
    }

    /// Creates the reply to the command that exports a network: the newest network as a file to download.
    ///
    /// # Errors
    /// [`LabError`] if the network cannot be copied.
    pub(super) fn export(&self, run: &Run) -> Result<Reply, LabError> {
        Ok(network_file::network_file(
            &self.header(run, Value::Null),
            &self.training.learner.network()?.save(),
        ))
    }
}

/// Creates the rollback guard of a run. A rollback restores the present state of `learner`, until a later state
/// replaces this state.
fn guard<L: CubeLearner>(learner: &L) -> RollbackGuard<Vec<Tensor>> {
    let interval = L::ROLLBACK_INTERVAL;
    let policy = RollbackPolicy { interval, steady: interval, learning_rates: L::LEARNING_RATES };
    RollbackGuard::new(learner.save(), learner.progress().updates, policy)
}
