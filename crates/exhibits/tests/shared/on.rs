//! Moves an experiment to a GPU.

use vivarium_gpu::Gpu;
use vivarium_lab::{Engine, Experiment};

/// Returns the experiment after moving its training to `gpu`.
pub fn on<E: Experiment + ?Sized>(gpu: &Gpu, mut experiment: Box<E>) -> Box<E> {
    experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
    experiment
}
