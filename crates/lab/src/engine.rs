//! What an experiment computes on.

/// The engine that a front end gives an experiment, see [`Experiment::set_engine`](crate::Experiment::set_engine).
#[derive(Clone, Debug)]
pub enum Engine {
    /// The threads that each call of [`advance`](crate::Experiment::advance) brings along.
    Cpu,
    /// An open GPU.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::Gpu),
}
