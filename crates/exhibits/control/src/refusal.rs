//! Refusals by a learner, in the lab's words.

use vivarium_agents::LearnerError;
use vivarium_lab::error::LabError;
use vivarium_lab::train::Stopped;

/// A refusal by the learner or the world, in the lab's words.
pub(super) fn refused(error: &LearnerError) -> LabError {
    match error {
        LearnerError::Config(error) => error.clone().into(),
        LearnerError::State(_) => LabError::checkpoint(error.to_string()),
        #[cfg(feature = "gpu")]
        LearnerError::Gpu(error) => LabError::engine(error.to_string()),
        LearnerError::NotFinite(_) => LabError::Diverged { message: error.to_string() },
        _ => LabError::invalid("config", "as given", error.to_string()),
    }
}

/// How a run can go on after an error of its learner. A world that refuses an action was given one that is no number.
pub(super) fn stopped(error: LearnerError) -> Stopped {
    match error {
        LearnerError::NotFinite(_) | LearnerError::World(_) => Stopped::Broken(error.to_string()),
        #[cfg(feature = "gpu")]
        LearnerError::Gpu(error) => Stopped::Gpu(error),
        error => Stopped::Failed(refused(&error)),
    }
}
