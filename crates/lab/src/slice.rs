//! What comes of a slice of training, on the CPU or on a device in its place.

use crate::error::LabError;
use vivarium_learn::LearnerFault;

/// What came of a slice of training.
pub enum Slice<T> {
    /// The device is still at work.
    Waiting,
    /// Something is done, but no iteration is over.
    Unfinished,
    /// An iteration is over, after which the learner on the CPU is what that on the device is.
    Finished(T),
}

impl<T> From<Option<T>> for Slice<T> {
    /// The report of an iteration, where one is over.
    fn from(report: Option<T>) -> Self {
        report.map_or(Self::Unfinished, Self::Finished)
    }
}

/// Why a learner stopped.
pub enum SliceError {
    /// Learning broke down, for this reason; the learner can go back to an earlier state.
    Diverged(String),
    /// The GPU refused or was lost; the learner can go on on the CPU.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::GpuError),
    /// The learner cannot go on.
    Failed(LabError),
}

impl From<LabError> for SliceError {
    fn from(error: LabError) -> Self {
        Self::Failed(error)
    }
}

/// How a run can go on after any learner's error.
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
