//! Creation of the learner that a config selects.

use crate::entries::describe::{ControlWorld, selects_dqn, world};
use crate::entries::{dqn, ppo};
use crate::learner::ControlLearner;
use serde_json::Value;
use vivarium_agents::dqn::{ControlProblem, Dqn};
use vivarium_agents::ppo::Ppo;
use vivarium_lab::LabError;
use vivarium_lab::train::Training;

/// Result of creating a learner: the learner, or an error that states why the config is inconsistent.
type LearnerResult<W> = Result<Box<dyn ControlLearner<W>>, LabError>;

/// Creates a PPO learner from a complete and valid config.
///
/// # Errors
/// [`LabError::Invalid`] if the config is inconsistent.
pub(crate) fn ppo_learner<W: ControlWorld>(config: &Value, seed: u64) -> LearnerResult<W> {
    let learner = Ppo::<W>::new(ppo::read(config)?, world::<W>(config)?, seed)?;
    Ok(Box::new(Training::new(learner)))
}

/// Creates the learner that a complete and valid config selects, for environments with discrete actions.
///
/// # Errors
/// [`LabError::Invalid`] if the config is inconsistent.
pub(crate) fn ppo_or_dqn_learner<W: ControlWorld>(config: &Value, seed: u64) -> LearnerResult<W> {
    if selects_dqn(config) {
        let learner = Dqn::<ControlProblem<W>>::new(dqn::read(config)?, world::<W>(config)?, seed)?;
        Ok(Box::new(Training::new(learner)))
    } else {
        ppo_learner(config, seed)
    }
}
