//! Compute engines that train a run: CPU and GPU.

/// Compute engine of a run; see [`Experiment::set_engine`](crate::Experiment::set_engine).
#[derive(Clone, Debug)]
pub enum Engine {
    /// Trains on the CPU, on the thread pool that is passed to [`advance`](crate::Experiment::advance).
    Cpu,
    /// Trains on a GPU, which the front end has opened.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::Gpu),
}
