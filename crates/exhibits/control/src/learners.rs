//! Creation of the learner that a config selects.

use crate::dqn::DqnLearner;
use crate::entries::describe::{ControlWorld, selects_dqn};
use crate::learner::ControlLearner;
use crate::ppo::PpoLearner;
use serde_json::Value;
use vivarium_lab::LabError;

/// Result of creating a learner: the learner, or an error that states why the config is inconsistent.
type LearnerResult<W> = Result<Box<dyn ControlLearner<W>>, LabError>;

/// Creates a PPO learner from a complete and valid config.
///
/// # Errors
/// [`LabError::Invalid`] if the config is inconsistent.
pub(crate) fn ppo_learner<W: ControlWorld>(config: &Value, seed: u64) -> LearnerResult<W> {
    Ok(Box::new(PpoLearner::<W>::new(config, seed)?))
}

/// Creates the learner that a complete and valid config selects, for environments with discrete actions.
///
/// # Errors
/// [`LabError::Invalid`] if the config is inconsistent.
pub(crate) fn ppo_or_dqn_learner<W: ControlWorld>(config: &Value, seed: u64) -> LearnerResult<W> {
    if selects_dqn(config) {
        Ok(Box::new(DqnLearner::<W>::new(config, seed)?))
    } else {
        ppo_learner(config, seed)
    }
}
