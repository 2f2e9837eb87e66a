//! Training on a GPU: a device learner on the GPU, and the reference learner on the CPU.
//!
//! The device learner trains. After each iteration, its state is copied to the CPU learner. Frames, evaluations,
//! checkpoints and rollbacks use only the CPU learner. If the device is lost, only the iterations in flight are lost.

use crate::error::LabError;
use crate::protocol::EngineInfo;
use crate::slice::SliceError;
use vivarium_gpu::Gpu;
use vivarium_learn::Advance;

/// A GPU and the learner that trains on it.
pub struct Device<T> {
    /// Learner on the GPU. The field order drops the learner before the lease, which releases unused GPU memory.
    pub trainer: T,
    /// Whether the last call of [`advance`](Self::advance) returned [`Advance::Waiting`].
    pub waiting: bool,
    gpu: GpuLease,
}

/// A GPU handle that releases unused device memory when dropped.
struct GpuLease(Gpu);

impl Drop for GpuLease {
    fn drop(&mut self) {
        self.0.release_unused();
    }
}

impl<T> Device<T> {
    /// Calls `make` to create the learner on the GPU.
    ///
    /// # Errors
    /// Errors of `make`.
    pub fn new<E>(gpu: &Gpu, make: impl FnOnce(&Gpu) -> Result<T, E>) -> Result<Self, E> {
        let gpu = GpuLease(gpu.clone());
        Ok(Self { trainer: make(&gpu.0)?, waiting: false, gpu })
    }

    /// Returns the GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu.0
    }

    /// Drops the device learner, which frees its GPU memory, and returns the GPU.
    pub fn leave(self) -> Gpu {
        self.gpu().clone()
    }

    /// Calls `work`, which performs one training slice on the device learner. Records whether `work` returned
    /// [`Advance::Waiting`]. Returns the report if the slice finished an iteration.
    ///
    /// # Errors
    /// Errors of `work`.
    pub fn advance<W, R, E>(
        &mut self,
        work: impl FnOnce(&mut T) -> Result<Advance<W, R>, E>,
    ) -> Result<Option<R>, SliceError>
    where
        SliceError: From<E>,
    {
        let slice = work(&mut self.trainer);
        self.waiting = matches!(slice, Ok(Advance::Waiting));
        Ok(slice?.finished())
    }
}

/// Interface of a [`Device`] that does not depend on the type of its learner.
pub trait AnyDevice {
    /// Returns the description of the device for front ends.
    fn info(&self) -> EngineInfo;

    /// Returns whether the last training slice returned [`Advance::Waiting`].
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

/// Switching a run between CPU and GPU. The default methods are those of an experiment without GPU support; an
/// experiment with GPU support implements [`TrainOnGpu`](crate::train_on_gpu::TrainOnGpu), which provides this trait.
pub trait SwitchEngine {
    /// Returns the device that trains, or `None` on the CPU.
    fn device(&self) -> Option<&dyn AnyDevice> {
        None
    }

    /// Moves training to a GPU. The current iteration restarts there.
    ///
    /// # Errors
    /// [`LabError`] if the learner cannot run on the GPU; the run then stays on its current engine.
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), LabError> {
        let _ = gpu;
        Err(LabError::engine("this experiment has no GPU support; use the engine cpu"))
    }

    /// Moves training back to the CPU. Iterations in flight on the device are repeated on the CPU.
    ///
    /// # Errors
    /// [`LabError`] if the learner cannot continue on the CPU.
    fn move_back(&mut self) -> Result<(), LabError> {
        Ok(())
    }
}
