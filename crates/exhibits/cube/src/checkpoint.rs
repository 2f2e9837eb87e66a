//! What a checkpoint holds of a cube's experiment, as its bytes and back, and the network alone as a file.

use super::background_evaluator::BackgroundEvaluator;
use super::networks::{CubeNetworks, OpenedNetwork};
use super::policy::CubePolicy;
use super::session::{CubeSession, SavedState};
use super::training::CubeTraining;
use crate::protocol::CubePlayer;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_lab::protocol::Reply;
use vivarium_lab::run::Run;

/// How often the guard went back.
const ROLL_BACKS: &str = "guard";

/// What the tensors of the network that was opened begin with.
const OPENED: &str = "opened/";

/// What stands beside the tensors: the config and the samples of the network that was opened, whether it looks at the table,
/// what was measured, the table.
const CONFIG: &str = "opened_config";
const SAMPLES: &str = "opened_samples";
const PLAYER: &str = "player";
const TRIALS: &str = "trials";
const TABLE: &str = "table";

/// What learns, what it is tried on, and what it is played with.
pub(super) struct CubeExperimentState<L: CubeTraining, E> {
    pub(super) learner: L,
    pub(super) networks: CubeNetworks<L>,
    pub(super) evaluator: E,
    pub(super) session: CubeSession<L>,
    /// How often the guard went back of late.
    pub(super) roll_backs: u32,
}

impl<L: CubeTraining, E: BackgroundEvaluator<L>> CubeExperimentState<L, E> {
    /// That of this learner, before anything else has been done.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a copy of its network.
    pub(super) fn new(config: &Value, learner: L) -> Result<Self, LabError> {
        Ok(Self {
            networks: CubeNetworks::new(&learner)?,
            evaluator: E::new(config),
            session: CubeSession::new(learner.seed()),
            roll_backs: 0,
            learner,
        })
    }

    /// The checkpoint of a run: what was learned, what it was tried on, the opened network, and the table. Evaluations and
    /// searches that are under way are begun anew.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let mut tensors = self.learner.save();
        tensors.push(flat(ROLL_BACKS, TensorData::U64(vec![self.roll_backs.into()])));
        let mut more = json!({
            PLAYER: self.networks.player(),
            TRIALS: self.evaluator.save(),
            TABLE: self.session.kept(),
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
        run.header(self.learner.progress().steps, more)
    }

    /// The state in a checkpoint, whose config is whole and checked, with notices. A file with a network alone gives one
    /// that goes on from that. A table or measurements that cannot be are left out, and a notice says so: what was learned is
    /// worth more.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<(Self, Vec<String>), LabError> {
        let roll_backs = if found.contains(ROLL_BACKS) {
            let model = flat(ROLL_BACKS, TensorData::U64(vec![0]));
            found.take_like(&[model])?.into_iter().next().map(|tensor| tensor.values)
        } else {
            None
        };
        let (opened, own): (Vec<_>, Vec<_>) =
            found.into_vec().into_iter().partition(|tensor| tensor.name.starts_with(OPENED));
        let learner = L::restore(&header.config, header.seed, &own)?;
        let known = learner.save();
        let stranger = own.iter().find(|tensor| known.iter().all(|other| other.name != tensor.name));
        if let Some(stranger) = stranger {
            return Err(LabError::checkpoint(format!("{} does not belong in it", stranger.name)));
        }
        let mut state = Self::new(&header.config, learner)?;
        if let Some(TensorData::U64(count)) = roll_backs {
            state.roll_backs = count[0].min(u32::MAX.into()) as u32;
        }
        state.take_opened(opened, header)?;
        let notices = state.recall(&header.more);
        Ok((state, notices))
    }

    /// Takes up the network that was opened.
    fn take_opened(&mut self, tensors: Vec<Tensor>, header: &Header) -> Result<(), LabError> {
        let more = &header.more;
        if tensors.is_empty() {
            return Ok(());
        }
        let named = |tensor: Tensor| Tensor { name: tensor.name.replacen(OPENED, "", 1), ..tensor };
        let tensors: Vec<_> = tensors.into_iter().map(named).collect();
        let network = L::schema()
            .configure(&more[CONFIG])
            .and_then(|config| Ok((L::Policy::restore(&config, &tensors)?, config)))
            .map_err(|error| LabError::checkpoint(format!("the network that was opened: {error}")))?;
        let (network, config) = (Arc::new(network.0), network.1);
        let samples = more[SAMPLES].as_u64().unwrap_or(0);
        self.networks.opened = Some(OpenedNetwork { network, config, samples });
        if let Ok(player) = CubePlayer::deserialize(&more[PLAYER]) {
            self.networks.set_player(player)?;
        }
        Ok(())
    }

    /// Takes up what stands in a file beside the tensors; nothing of a network alone. Returns what is to be said of what had
    /// to be left out.
    fn recall(&mut self, more: &Value) -> Vec<String> {
        let mut notices = Vec::new();
        let mut lacks = |what: &str, instead: &str, error: &LabError| {
            notices.push(format!(
                "{what} of this file cannot be taken up: {error}. What was learned is here; {instead}."
            ));
        };
        if !more[TRIALS].is_null()
            && let Err(error) = self.evaluator.recall(&more[TRIALS])
        {
            lacks("What was measured", "measuring begins anew", &error);
        }
        if !more[TABLE].is_null() {
            let kept = SavedState::deserialize(&more[TABLE])
                .map_err(|error| LabError::checkpoint(error.to_string()))
                .and_then(|kept| CubeSession::of_kept(self.learner.seed(), &kept));
            match kept {
                Ok(session) => self.session = session,
                Err(error) => lacks("The table", "a solved cube is on it", &error),
            }
        }
        notices
    }

    /// The newest network alone in a file.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a copy.
    pub(super) fn export(&self, run: &Run) -> Result<Reply, LabError> {
        Ok(network_file::network_file(&self.header(run, Value::Null), &self.learner.network()?.save()))
    }
}
