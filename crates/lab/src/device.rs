//! A GPU together with the trainer or the search of an experiment that runs on this GPU.

use crate::protocol::EngineInfo;
use vivarium_gpu::Gpu;

/// A GPU together with a trainer or a search `T`, which runs on this GPU and owns GPU programs and buffers.
pub struct Device<T> {
    /// Trainer or search on the GPU. Must remain the first field: fields are dropped in order, so the trainer frees
    /// its buffers before the drop of the GPU handle releases unused device memory.
    pub trainer: T,
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
    /// Calls `make` to create a trainer or a search on the GPU, and returns both together.
    ///
    /// # Errors
    /// Any error that `make` returns.
    pub fn new<E>(gpu: &Gpu, make: impl FnOnce(&Gpu) -> Result<T, E>) -> Result<Self, E> {
        let gpu = GpuLease(gpu.clone());
        Ok(Self { trainer: make(&gpu.0)?, gpu })
    }

    /// Returns the GPU that the trainer or the search runs on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu.0
    }

    /// Frees the GPU memory of the trainer or of the search, and returns the GPU.
    pub fn leave(self) -> Gpu {
        self.gpu().clone()
    }

    /// Returns the description of the GPU for front ends.
    pub fn info(&self) -> EngineInfo {
        let report = self.gpu().adapter_info();
        EngineInfo::Gpu { adapter: report.name.clone(), software: report.software }
    }
}
