//! Results and errors of a slice of training.

use crate::error::LabError;
use vivarium_learn::LearnerFault;

/// Result of a slice of training.
pub enum Slice<T> {
    /// The device is still computing; nothing was done.
    Waiting,
    /// The slice made progress within an iteration.
    Unfinished,
    /// An iteration finished. The CPU learner has the device learner's state.
    Finished(T),
}

impl<T> From<Option<T>> for Slice<T> {
    /// Converts the report of an iteration; `None` means that the iteration is unfinished.
    fn from(report: Option<T>) -> Self {
        report.map_or(Self::Unfinished, Self::Finished)
    }
}

/// Error of a slice of training.
pub enum SliceError {
    /// Training diverged, for this reason. Recovery: roll back to an earlier state.
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
