//! Training in slices, on the CPU or on a device in its place.

use crate::error::LabError;
#[cfg(not(feature = "gpu"))]
use crate::experiment::Experiment as TrainOnGpu;
pub use crate::slice::{Slice, Stopped};
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
    /// [`Stopped`] saying how the run can go on.
    fn slice(&mut self, cpu: &Cpu) -> Result<Slice<Self::Report>, Stopped>;

    /// Books a finished iteration.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn book(&mut self, report: Self::Report) -> Result<(), LabError>;

    /// Goes back to an earlier state with smaller steps.
    ///
    /// # Errors
    /// [`LabError::Diverged`] where there is no use in going back any more.
    fn break_down(&mut self, reason: &str) -> Result<(), LabError>;

    /// Begins anew on the device, if one trains, with what the learner on the CPU is now.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn renew_device(&mut self) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        self.renew()?;
        Ok(())
    }

    /// Does one slice of training, and what follows from it.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn train(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        match self.slice(cpu) {
            Ok(Slice::Waiting | Slice::Unfinished) => Ok(()),
            Ok(Slice::Finished(report)) => self.book(report),
            Err(stopped) => self.recover(stopped),
        }
    }

    /// Goes on after a slice that could not be done.
    ///
    /// # Errors
    /// [`LabError`] where the run cannot go on.
    fn recover(&mut self, stopped: Stopped) -> Result<(), LabError> {
        match stopped {
            Stopped::Broken(reason) => self.break_down(&reason),
            #[cfg(feature = "gpu")]
            Stopped::Gpu(error) => self.lose(&error),
            Stopped::Failed(error) => Err(error),
        }
    }
}
