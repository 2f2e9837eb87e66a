//! Training in slices, on the CPU or on a device in its place.

use crate::error::LabError;
#[cfg(not(feature = "gpu"))]
use crate::experiment::Experiment as TrainOnGpu;
pub use crate::slice::{Slice, SliceError};
#[cfg(feature = "gpu")]
use crate::train_on_gpu::TrainOnGpu;
use vivarium_graph::Cpu;

/// An experiment whose learner trains in slices.
pub trait Train: TrainOnGpu {
    /// What an iteration measured.
    type Report;

    /// Does one slice of training, on the device where one trains.
    ///
    /// # Errors
    /// [`SliceError`] saying how the run can go on.
    fn slice(&mut self, cpu: &Cpu) -> Result<Slice<Self::Report>, SliceError>;

    /// Books a finished iteration.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn record_report(&mut self, report: Self::Report) -> Result<(), LabError>;

    /// Goes back to an earlier state with smaller steps.
    ///
    /// # Errors
    /// [`LabError::Diverged`] where there is no use in going back any more.
    fn handle_divergence(&mut self, reason: &str) -> Result<(), LabError>;

    /// Begins anew on the device, if one trains, with what the learner on the CPU is now.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn restart_device(&mut self) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        self.restart_on_device()?;
        Ok(())
    }

    /// Does one slice of training, and what follows from it.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn train(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        match self.slice(cpu) {
            Ok(Slice::Waiting | Slice::Unfinished) => Ok(()),
            Ok(Slice::Finished(report)) => self.record_report(report),
            Err(stopped) => self.recover(stopped),
        }
    }

    /// Goes on after a slice that could not be done.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn recover(&mut self, stopped: SliceError) -> Result<(), LabError> {
        match stopped {
            SliceError::Diverged(reason) => self.handle_divergence(&reason),
            #[cfg(feature = "gpu")]
            SliceError::Gpu(error) => self.fall_back_to_cpu(&error),
            SliceError::Failed(error) => Err(error),
        }
    }
}
