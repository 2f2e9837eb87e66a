//! Results and errors of a training slice, the bounded amount of work in one call of
//! [`Experiment::advance`](crate::Experiment::advance).

use crate::error::LabError;
use vivarium_learn::LearnerFault;

/// Result of a training slice (a bounded amount of work in one call).
pub enum Slice<T> {
    /// The slice did no work, because the device is still computing.
    Waiting,
    /// The slice made progress within an iteration.
    Unfinished,
    /// An iteration finished, with this report. On a GPU, the CPU learner has received the state of the device learner.
    Finished(T),
}

impl<T> From<Option<T>> for Slice<T> {
    /// Converts the report of an iteration; `None` means that the iteration is unfinished.
    fn from(report: Option<T>) -> Self {
        report.map_or(Self::Unfinished, Self::Finished)
    }
}

/// Error of a training slice (a bounded amount of work in one call).
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
