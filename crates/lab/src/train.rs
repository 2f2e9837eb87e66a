//! Training in slices (bounded amounts of work, one per call), on the CPU or on a GPU device.

use crate::error::LabError;
#[cfg(not(feature = "gpu"))]
use crate::experiment::Experiment as TrainOnGpu;
pub use crate::slice::SliceError;
#[cfg(feature = "gpu")]
use crate::train_on_gpu::TrainOnGpu;
use vivarium_graph::Cpu;

/// An experiment whose learner trains in slices: bounded amounts of work, one per call of
/// [`Experiment::advance`](crate::Experiment::advance).
pub trait Train: TrainOnGpu {
    /// Type of the report of an iteration, which contains its metrics.
    type Report;

    /// Performs one slice of training (a bounded amount of work) on the engine of the run. Returns the report if the
    /// slice finished an iteration.
    ///
    /// # Errors
    /// [`SliceError`], which determines the recovery.
    fn slice(&mut self, cpu: &Cpu) -> Result<Option<Self::Report>, SliceError>;

    /// Records the report of a finished iteration.
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn record_report(&mut self, report: Self::Report) -> Result<(), LabError>;

    /// Rolls back to an earlier state with a smaller learning rate.
    ///
    /// # Errors
    /// [`LabError::Diverged`] after [`MAX_ROLLBACKS`](crate::run::MAX_ROLLBACKS) consecutive rollbacks.
    fn handle_divergence(&mut self, reason: &str) -> Result<(), LabError>;

    /// Uploads the CPU learner's state to the device again and restarts the iteration there. Does nothing on the CPU.
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn restart_device(&mut self) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        self.restart_on_device()?;
        Ok(())
    }

    /// Performs one slice of training (a bounded amount of work). Records the report of a finished iteration, or
    /// recovers from an error.
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn train(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        match self.slice(cpu) {
            Ok(None) => Ok(()),
            Ok(Some(report)) => self.record_report(report),
            Err(stopped) => self.recover(stopped),
        }
    }

    /// Recovers from an error of a training slice: rolls back after divergence, continues on the CPU after a GPU error.
    ///
    /// # Errors
    /// [`LabError`] if the run cannot continue.
    fn recover(&mut self, stopped: SliceError) -> Result<(), LabError> {
        match stopped {
            SliceError::Diverged(reason) => self.handle_divergence(&reason),
            #[cfg(feature = "gpu")]
            SliceError::Gpu(error) => self.fall_back_to_cpu(&error),
            SliceError::Failed(error) => Err(error),
        }
    }
}
