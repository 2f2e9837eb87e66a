//! Training on a [device](vivarium_lab::device).
//!
//! Gradient steps come back one by one, and what was learnt after some of them: evaluations, samples and checkpoints are of the
//! learner on the CPU, which takes over where the one on the device was a few steps ago.

use super::learning::Batches;
use super::refusal::{Stopped, refused};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device;
use vivarium_lab::error::LabError;
use vivarium_lm::gpu_trainer::{Advance, GpuTrainer};
use vivarium_lm::{LanguageConfig, LanguageError, Learnt, Optimiser, Position, Trainer};

/// Gradient steps after which what was learnt is brought back.
const STRETCH: u64 = 20;

/// A GPU that trains.
pub(super) type Device = device::Device<Learner>;

/// The learner on a device.
#[derive(Default)]
pub(super) struct Learner {
    /// There once there is a model.
    gpu_trainer: Option<GpuTrainer>,
    /// Where in the text training goes on after what was handed over.
    position: Position,
    /// Where it goes on after what is on its way back.
    kept: Option<Position>,
    /// When the last gradient step was finished.
    finished_at: Option<f64>,
}

impl Learner {
    /// A learner where there is a model already.
    fn new(gpu: &Gpu, trainer: Option<&Trainer>) -> Result<Self, LanguageError> {
        let gpu_trainer = trainer.map(|trainer| GpuTrainer::new(gpu, trainer)).transpose()?;
        Ok(Self { gpu_trainer, ..Self::default() })
    }
}

/// What a device learns with.
pub(super) struct Task<'a> {
    /// The learner on the CPU.
    pub(super) trainer: &'a mut Trainer,
    pub(super) text: &'a mut Batches,
    /// Where in the text the learner on the CPU goes on.
    pub(super) position: &'a mut Position,
    /// Sequences of a gradient step.
    pub(super) rows: usize,
    /// Gradient steps after which what was learnt has to come back before there are more.
    pub(super) stop: u64,
    pub(super) clock: Option<fn() -> f64>,
}

/// A gradient step that the device has finished, after which there were so many, and the seconds that it took.
pub(super) struct Step {
    pub(super) updates: u64,
    pub(super) learnt: Learnt,
    pub(super) seconds: Option<f64>,
}

/// Puts training on a GPU.
///
/// # Errors
/// [`LabError`] saying why it does not fit there.
pub(super) fn begin(
    gpu: Gpu,
    config: &LanguageConfig,
    trainer: Option<&Trainer>,
) -> Result<Device, LabError> {
    if config.optimiser != Optimiser::AdamW {
        let message = "a language model is trained on a GPU with learner.optimiser=adamw alone; with another one, on the CPU";
        return Err(LabError::engine(message));
    }
    Device::new(gpu, |gpu| Learner::new(gpu, trainer).map_err(|error| unfit(config, gpu, &error)))
}

/// Keeps the device busy, and takes in what it has finished.
///
/// # Errors
/// [`Stopped`] saying whether text or learner cannot go on.
pub(super) fn advance(device: &mut Device, cpu: &Cpu, task: Task<'_>) -> Result<Option<Step>, Stopped> {
    let Task { trainer, text, position: here, rows, stop, clock } = task;
    let (gpu, begun) = (device.gpu().clone(), trainer.updates());
    let Learner { gpu_trainer, position, kept, finished_at } = &mut device.trainer;
    let gpu_trainer = match gpu_trainer {
        Some(gpu_trainer) => gpu_trainer,
        None => gpu_trainer.insert(GpuTrainer::new(&gpu, trainer)?),
    };
    let is_idle = gpu_trainer.submitted() == gpu_trainer.updates() && !gpu_trainer.is_begun();
    if is_idle {
        *finished_at = clock.map(|clock| clock());
    }
    let mut is_reading = false;
    // What was learnt is brought back before the next gradient step is begun.
    let is_due = |gpu_trainer: &GpuTrainer| gpu_trainer.submitted() >= stop.min(begun + STRETCH);
    let holds = |gpu_trainer: &GpuTrainer, kept: &Option<Position>| kept.is_none() && is_due(gpu_trainer);
    while !is_reading && gpu_trainer.has_room() && gpu_trainer.submitted() < stop && !holds(gpu_trainer, kept)
    {
        is_reading = text.draw(rows)?;
        if !is_reading {
            gpu_trainer.submit(text.sequences())?;
            *position = text.position();
        }
    }
    if holds(gpu_trainer, kept) && !gpu_trainer.is_begun() {
        gpu_trainer.keep()?;
        *kept = Some(*position);
    }
    let advance = gpu_trainer.advance()?;
    let mut returned = false;
    // What is on its way back follows the steps that it was learnt in.
    if gpu_trainer.kept().is_some_and(|updates| updates <= gpu_trainer.updates()) {
        returned = gpu_trainer.hand_over(cpu, trainer)?;
    }
    if let Some(position) = kept.take_if(|_| returned) {
        *here = position;
    }
    device.waiting = advance == Advance::Waiting && !returned && !is_reading;
    let Advance::Finished(learnt) = advance else { return Ok(None) };
    let now = clock.map(|clock| clock());
    let before = std::mem::replace(finished_at, now);
    let seconds = now.zip(before).map(|(now, before)| now - before);
    Ok(Some(Step { updates: gpu_trainer.updates(), learnt, seconds }))
}

/// Begins anew with what the learner on the CPU is now.
///
/// # Errors
/// [`GpuError`] where the device is gone.
pub(super) fn renewed(device: Device, trainer: Option<&Trainer>) -> Result<Device, GpuError> {
    device.renewed(|gpu| Learner::new(gpu, trainer)).map_err(|error| match error {
        LanguageError::Gpu(error) => error,
        error => GpuError::Device { reason: error.to_string() },
    })
}

/// Takes over live fields.
///
/// # Errors
/// [`LabError`] naming what does not fit.
pub(super) fn set_config(device: &mut Device, config: &LanguageConfig) -> Result<(), LabError> {
    let Some(gpu_trainer) = &mut device.trainer.gpu_trainer else { return Ok(()) };
    gpu_trainer.set_config(config.clone()).map_err(|error| refused(&error))
}

/// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
fn unfit(config: &LanguageConfig, gpu: &Gpu, error: &LanguageError) -> LabError {
    match error {
        LanguageError::Gpu(error @ (GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. })) => {
            let name = &gpu.report().name;
            let allowed = format!("a smaller batch or a smaller model is needed on {name}: {error}");
            LabError::invalid("learner.batch", config.batch.to_string(), allowed)
        }
        LanguageError::Gpu(error) => LabError::engine(error.to_string()),
        error => refused(error),
    }
}
