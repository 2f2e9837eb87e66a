//! Which learner a config wants.

use crate::dqn::DqnLearner;
use crate::entries::describe::{ControlWorld, wants_dqn};
use crate::learner::ControlLearner;
use crate::ppo::PpoLearner;
use serde_json::Value;
use vivarium_lab::LabError;

/// A learner that knows nothing yet, from a whole and checked config.
type LearnerResult<W> = Result<Box<dyn ControlLearner<W>>, LabError>;

/// Proximal policy optimization.
///
/// # Errors
/// [`LabError::Invalid`] for a config that does not fit together.
pub(crate) fn by_policy<W: ControlWorld>(config: &Value, seed: u64) -> LearnerResult<W> {
    Ok(Box::new(PpoLearner::<W>::new(config, seed)?))
}

/// What the config wants, in a world whose actions can be counted.
///
/// # Errors
/// [`LabError::Invalid`] for a config that does not fit together.
pub(crate) fn by_either<W: ControlWorld>(config: &Value, seed: u64) -> LearnerResult<W> {
    if wants_dqn(config) {
        Ok(Box::new(DqnLearner::<W>::new(config, seed)?))
    } else {
        by_policy(config, seed)
    }
}
