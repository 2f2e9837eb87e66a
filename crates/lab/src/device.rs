//! A learner on a GPU, beside the one on the CPU.
//!
//! The one on the device does the training. After each of its iterations the one on the CPU takes over where it is: what is
//! shown, evaluated, saved and rolled back is always that one, and a run that loses its device has lost no more than the
//! iterations that were under way there.

use crate::protocol::{EngineInfo, MetricRow};
use vivarium_gpu::{Gpu, GpuError};

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
        self.0.give_back();
    }
}

impl<T> Device<T> {
    /// Puts on the GPU what `make` makes.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn new<E>(gpu: Gpu, make: impl FnOnce(&Gpu) -> Result<T, E>) -> Result<Self, E> {
        Self::on(Used(gpu), make)
    }

    fn on<E>(gpu: Used, make: impl FnOnce(&Gpu) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self { trainer: make(&gpu.0)?, waiting: false, gpu })
    }

    /// The same GPU with another learner, in the memory of the one before.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn renewed<E>(self, make: impl FnOnce(&Gpu) -> Result<T, E>) -> Result<Self, E> {
        let Self { gpu, trainer, .. } = self;
        drop(trainer);
        Self::on(gpu, make)
    }

    /// The GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu.0
    }
}

/// What came of a slice of work on a device.
pub enum Slice<T> {
    /// The device is still at work.
    Waiting,
    /// Something is done, but no iteration is over.
    Unfinished,
    /// An iteration is over, and the learner on the CPU has taken over where it is.
    Finished(T),
    /// Learning broke down, for this reason.
    Broken(String),
    /// The device is gone.
    Lost(GpuError),
}

/// The device of a run.
pub trait OnDevice {
    /// The device as an engine.
    fn info(&self) -> EngineInfo;

    /// Whether the last slice found nothing finished.
    fn is_waiting(&self) -> bool;
}

impl<T> OnDevice for Device<T> {
    fn info(&self) -> EngineInfo {
        let report = self.gpu().report();
        EngineInfo::Gpu { adapter: report.name.clone(), software: report.software }
    }

    fn is_waiting(&self) -> bool {
        self.waiting
    }
}

/// Tells that a run of so many `steps` goes on without its device, and `from` where.
pub fn lost(error: &GpuError, from: &str, steps: u64) -> MetricRow {
    let what = sentence(error);
    MetricRow {
        steps,
        values: Vec::new(),
        notice: Some(format!("{what}. Training goes on on the CPU {from}.")),
    }
}

/// An error as the beginning of a sentence.
fn sentence(error: &GpuError) -> String {
    let mut what = error.to_string();
    if let Some(first) = what.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    what
}
