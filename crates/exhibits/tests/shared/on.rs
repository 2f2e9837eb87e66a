//! An experiment on a GPU.

use vivarium_gpu::Gpu;
use vivarium_lab::{Engine, Experiment};

/// Moves an experiment to a GPU.
pub fn on<E: Experiment + ?Sized>(gpu: &Gpu, mut experiment: Box<E>) -> Box<E> {
    experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
    experiment
}
