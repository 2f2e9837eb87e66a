//! Creation of the learner that a config selects, and its network for export.

use crate::entries::describe::{ControlSpec, selects_dqn};
use crate::entries::{dqn, ppo};
use crate::learner::ControlLearner;
use serde_json::Value;
use vivarium_agents::Learner;
use vivarium_agents::dqn::{ControlProblem, Dqn};
use vivarium_agents::ppo::Ppo;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::train::Training;
use vivarium_lab::{InferenceNetwork, LabError};

/// Creates the learner that the field `learner` of a complete and valid config selects, with initial weights. The
/// config of an environment with continuous actions has no such field; its learner is PPO.
///
/// # Errors
/// [`LabError::Invalid`] if the config is inconsistent.
pub(crate) fn learner(
    spec: &ControlSpec,
    config: &Value,
    seed: u64,
) -> Result<Box<dyn ControlLearner>, LabError> {
    let environment = (spec.environment)(config)?;
    if selects_dqn(config) {
        let learner = Dqn::<ControlProblem>::new(dqn::read(config)?, environment, seed)?;
        return Ok(Box::new(Training::new(learner)));
    }
    Ok(Box::new(Training::new(Ppo::new(ppo::read(config)?, environment, seed)?)))
}

/// Returns the trained network of a checkpoint, whose config must be complete and valid.
///
/// # Errors
/// [`LabError`] naming the invalid tensor.
pub(crate) fn network(
    spec: &ControlSpec,
    header: &Header,
    tensors: Tensors,
) -> Result<InferenceNetwork, LabError> {
    let Header { config, seed, .. } = header;
    let (environment, tensors) = ((spec.environment)(config)?, tensors.into_vec());
    if selects_dqn(config) {
        let learner = Dqn::<ControlProblem>::restore(dqn::read(config)?, environment, *seed, &tensors)?;
        return Ok(learner.inference_network()?);
    }
    let fresh = Ppo::new(ppo::read(config)?, environment, *seed)?;
    Ok(fresh.restored(ppo::read(config)?, &tensors)?.inference_network()?)
}
