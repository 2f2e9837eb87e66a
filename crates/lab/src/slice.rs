//! Errors of a training slice, the bounded amount of work in one call of
//! [`Experiment::advance`](crate::Experiment::advance).

use crate::error::LabError;
use vivarium_learn::LearnerFault;

/// Error of a training slice.
pub enum SliceError {
    /// Training diverged, with this cause. Recovery: roll back to an earlier state.
    Diverged(String),
    /// GPU error. Recovery: continue on the CPU.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::GpuError),
    /// Unrecoverable error.
    Failed(LabError),
}

impl From<LabError> for SliceError {
    fn from(error: LabError) -> Self {
        Self::Failed(error)
    }
}

/// Classifies the errors of all learners by their recovery.
impl<E: Into<LearnerFault>> From<E> for SliceError {
    fn from(error: E) -> Self {
        match error.into() {
            LearnerFault::Diverged(reason) => Self::Diverged(reason),
            #[cfg(feature = "gpu")]
            LearnerFault::Gpu(error) => Self::Gpu(error),
            fault => Self::Failed(fault.into()),
        }
    }
}
