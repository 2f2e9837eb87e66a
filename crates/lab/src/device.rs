//! A learner on a GPU, beside the one on the CPU.
//!
//! The one on the device does the training. After each of its iterations the one on the CPU takes over where it is: what is
//! shown, evaluated, saved and rolled back is always that one, and a run that loses its device has lost no more than the
//! iterations that were under way there.

use crate::error::LabError;
use crate::protocol::EngineInfo;
use crate::slice::{Slice, SliceError};
use vivarium_gpu::Gpu;

/// A GPU at work on an experiment.
pub struct Device<T> {
    /// The learner there. It is dropped before the GPU is left.
    pub trainer: T,
    /// Whether the last slice found nothing finished.
    pub waiting: bool,
    gpu: Used,
}

/// A GPU, which has all memory back that is not in use once it is left.
struct Used(Gpu);

impl Drop for Used {
    fn drop(&mut self) {
        self.0.release_unused();
    }
}

impl<T> Device<T> {
    /// Puts on the GPU what `make` makes.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn new<E>(gpu: &Gpu, make: impl FnOnce(&Gpu) -> Result<T, E>) -> Result<Self, E> {
        let gpu = Used(gpu.clone());
        Ok(Self { trainer: make(&gpu.0)?, waiting: false, gpu })
    }

    /// The GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu.0
    }

    /// Frees all memory that the learner has on the GPU, and returns the GPU.
    pub fn leave(self) -> Gpu {
        self.gpu().clone()
    }

    /// Has `work` do a slice of training there.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn advance<R>(
        &mut self,
        work: impl FnOnce(&mut T) -> Result<Slice<R>, SliceError>,
    ) -> Result<Slice<R>, SliceError> {
        let slice = work(&mut self.trainer);
        self.waiting = matches!(slice, Ok(Slice::Waiting));
        slice
    }
}

/// The device of a run.
pub trait AnyDevice {
    /// The device as an engine.
    fn info(&self) -> EngineInfo;

    /// Whether the last slice found nothing finished.
    fn is_waiting(&self) -> bool;
}

impl<T> AnyDevice for Device<T> {
    fn info(&self) -> EngineInfo {
        let report = self.gpu().adapter_info();
        EngineInfo::Gpu { adapter: report.name.clone(), software: report.software }
    }

    fn is_waiting(&self) -> bool {
        self.waiting
    }
}

/// An experiment as front ends move it between engines. One that is trained on the CPU alone keeps the methods as they are; any
/// other one implements [`TrainOnGpu`](crate::train_on_gpu::TrainOnGpu) in place of this.
pub trait SwitchEngine {
    /// The device that trains, if one does.
    fn device(&self) -> Option<&dyn AnyDevice> {
        None
    }

    /// Moves training to a GPU; an iteration that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), LabError> {
        let _ = gpu;
        Err(LabError::engine("this experiment is trained on the CPU alone"))
    }

    /// Moves training back to the CPU; iterations that are under way on the device are taken again there.
    ///
    /// # Errors
    /// [`LabError`] if the learner cannot go on there.
    fn move_back(&mut self) -> Result<(), LabError> {
        Ok(())
    }
}
