//! The learner on a [device](vivarium_lab::device), in place of the one on the CPU.
//!
//! Gradient steps come back one by one, and what was learned after some of them: evaluations, samples and checkpoints are of the
//! learner on the CPU, which takes over where the one on the device was a few steps ago.

use super::failure::LanguageFailure;
use super::loading::BatchStream;
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::train::Slice;
use vivarium_lm::gpu_trainer::{LanguageAdvance, LanguageGpuTrainer};
use vivarium_lm::{LanguageConfig, LanguageError, LanguageTrainer, StepMetrics, TextPosition};

/// Gradient steps after which what was learned is brought back.
const STRETCH: u64 = 20;

/// The learner.
#[derive(Default)]
pub(super) struct GpuLearner {
    /// There once there is a model.
    gpu_trainer: Option<LanguageGpuTrainer>,
    /// Where in the text training goes on after what was handed over.
    position: TextPosition,
    /// Where it goes on after what is on its way back.
    kept: Option<TextPosition>,
    /// When the last gradient step was finished.
    finished_at: Option<f64>,
}

impl GpuLearner {
    /// A learner where there is a model already.
    pub(super) fn new(gpu: &Gpu, trainer: Option<&LanguageTrainer>) -> Result<Self, LanguageError> {
        let gpu_trainer = trainer.map(|trainer| LanguageGpuTrainer::new(gpu, trainer)).transpose()?;
        Ok(Self { gpu_trainer, ..Self::default() })
    }

    /// Keeps the device busy, and takes in what it has finished.
    ///
    /// # Errors
    /// [`LanguageFailure`] saying whether text or learner cannot go on.
    pub(super) fn advance(
        &mut self,
        gpu: &Gpu,
        cpu: &Cpu,
        task: GpuStepContext<'_>,
    ) -> Result<Slice<GpuStepReport>, LanguageFailure> {
        let GpuStepContext { trainer, text, position: here, rows, stop, clock } = task;
        let begun = trainer.updates();
        let Self { gpu_trainer, position, kept, finished_at } = self;
        let gpu_trainer = match gpu_trainer {
            Some(gpu_trainer) => gpu_trainer,
            None => gpu_trainer.insert(LanguageGpuTrainer::new(gpu, trainer)?),
        };
        let is_idle = gpu_trainer.submitted() == gpu_trainer.updates() && !gpu_trainer.is_begun();
        if is_idle {
            *finished_at = clock.map(|clock| clock());
        }
        let mut is_reading = false;
        // What was learned is brought back before the next gradient step is begun.
        let is_due = |gpu_trainer: &LanguageGpuTrainer| gpu_trainer.submitted() >= stop.min(begun + STRETCH);
        let holds = |gpu_trainer: &LanguageGpuTrainer, kept: &Option<TextPosition>| {
            kept.is_none() && is_due(gpu_trainer)
        };
        while !is_reading
            && gpu_trainer.can_submit()
            && gpu_trainer.submitted() < stop
            && !holds(gpu_trainer, kept)
        {
            is_reading = text.draw(rows)?;
            if !is_reading {
                gpu_trainer.submit(text.sequences())?;
                *position = text.position();
            }
        }
        if holds(gpu_trainer, kept) && !gpu_trainer.is_begun() {
            gpu_trainer.request_readback()?;
            *kept = Some(*position);
        }
        let advance = gpu_trainer.advance()?;
        let mut returned = false;
        // What is on its way back follows the steps that it was learned in.
        if gpu_trainer.pending_readback().is_some_and(|updates| updates <= gpu_trainer.updates()) {
            returned = gpu_trainer.take_readback(cpu, trainer)?;
        }
        if let Some(position) = kept.take_if(|_| returned) {
            *here = position;
        }
        let LanguageAdvance::Finished(learned) = advance else {
            return Ok(if returned || is_reading { Slice::Unfinished } else { Slice::Waiting });
        };
        let now = clock.map(|clock| clock());
        let before = std::mem::replace(finished_at, now);
        let seconds = now.zip(before).map(|(now, before)| now - before);
        Ok(Slice::Finished(GpuStepReport { updates: gpu_trainer.updates(), learned, seconds }))
    }

    /// Takes over live fields.
    ///
    /// # Errors
    /// [`LabError`] naming what does not fit.
    pub(super) fn set_config(&mut self, config: &LanguageConfig) -> Result<(), LabError> {
        let Some(gpu_trainer) = &mut self.gpu_trainer else { return Ok(()) };
        Ok(gpu_trainer.set_config(config.clone())?)
    }
}

/// What a device learns with.
pub(super) struct GpuStepContext<'a> {
    /// The learner on the CPU.
    pub(super) trainer: &'a mut LanguageTrainer,
    pub(super) text: &'a mut BatchStream,
    /// Where in the text the learner on the CPU goes on.
    pub(super) position: &'a mut TextPosition,
    /// Sequences of a gradient step.
    pub(super) rows: usize,
    /// Gradient steps after which what was learned has to come back before there are more.
    pub(super) stop: u64,
    pub(super) clock: Option<fn() -> f64>,
}

/// A gradient step that the device has finished, after which there were so many, and the seconds that it took.
pub(super) struct GpuStepReport {
    pub(super) updates: u64,
    pub(super) learned: StepMetrics,
    pub(super) seconds: Option<f64>,
}
