//! Training of the language model on a GPU.
//!
//! The GPU returns the metrics of every gradient step, and the weights and optimizer state every [`READBACK_INTERVAL`]
//! steps and before evaluations. Evaluations, samples and checkpoints use the CPU copy, which can lag a few steps
//! behind.

use super::failure::LanguageFailure;
use super::loading::BatchStream;
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lm::gpu_trainer::LanguageGpuTrainer;
use vivarium_lm::{Advance, LanguageConfig, LanguageError, LanguageTrainer, StepMetrics, TextPosition};

/// Number of gradient steps between readbacks of weights and optimizer state from the GPU.
const READBACK_INTERVAL: u64 = 20;

/// Trainer on the GPU, with its position in the training text.
#[derive(Default)]
pub(super) struct GpuLearner {
    /// Trainer on the GPU; `None` before the tokenizer is built, which determines the model's vocabulary.
    gpu_trainer: Option<LanguageGpuTrainer>,
    /// Position in the training text after the last gradient step that was submitted to the GPU.
    position: TextPosition,
    /// Position in the training text after the last gradient step whose weights the readback in progress contains;
    /// `None` if no readback is in progress.
    kept: Option<TextPosition>,
    /// Clock time in seconds at which the last gradient step finished; `None` before the first gradient step.
    finished_at: Option<f64>,
}

impl GpuLearner {
    /// Copies the model and optimizer of `trainer` to the GPU. `None`: the model does not exist yet.
    pub(super) fn new(gpu: &Gpu, trainer: Option<&LanguageTrainer>) -> Result<Self, LanguageError> {
        let gpu_trainer = trainer.map(|trainer| LanguageGpuTrainer::new(gpu, trainer)).transpose()?;
        Ok(Self { gpu_trainer, ..Self::default() })
    }

    /// Submits gradient steps to the GPU and reads results back. Returns the report of a gradient step if one has
    /// finished.
    ///
    /// # Errors
    /// [`LanguageFailure`] if the text cannot be read or training fails.
    pub(super) fn advance(
        &mut self,
        gpu: &Gpu,
        cpu: &Cpu,
        task: GpuStepContext<'_>,
    ) -> Result<Advance<(), GpuStepReport>, LanguageFailure> {
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
        // A readback is requested only between gradient steps, never within one.
        let is_due =
            |gpu_trainer: &LanguageGpuTrainer| gpu_trainer.submitted() >= stop.min(begun + READBACK_INTERVAL);
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
        // A readback is complete only after the metrics of all its gradient steps have arrived.
        if gpu_trainer.pending_readback().is_some_and(|updates| updates <= gpu_trainer.updates()) {
            returned = gpu_trainer.take_readback(cpu, trainer)?;
        }
        if let Some(position) = kept.take_if(|_| returned) {
            *here = position;
        }
        let Advance::Finished(metrics) = advance else {
            return Ok(if returned || is_reading { Advance::Unfinished(()) } else { Advance::Waiting });
        };
        let now = clock.map(|clock| clock());
        let before = std::mem::replace(finished_at, now);
        let seconds = now.zip(before).map(|(now, before)| now - before);
        Ok(Advance::Finished(GpuStepReport { updates: gpu_trainer.updates(), metrics, seconds }))
    }

    /// Replaces the learner's config. Only live fields (fields that may change during a run) may differ.
    ///
    /// # Errors
    /// [`LabError`] if a field that is not live differs.
    pub(super) fn set_config(&mut self, config: &LanguageConfig) -> Result<(), LabError> {
        let Some(gpu_trainer) = &mut self.gpu_trainer else { return Ok(()) };
        Ok(gpu_trainer.set_config(config.clone())?)
    }
}

/// Arguments of [`GpuLearner::advance`].
pub(super) struct GpuStepContext<'a> {
    /// Trainer on the CPU, which receives the readbacks.
    pub(super) trainer: &'a mut LanguageTrainer,
    pub(super) text: &'a mut BatchStream,
    /// Position in the training text after the last gradient step of the CPU trainer. Each readback advances the
    /// position.
    pub(super) position: &'a mut TextPosition,
    /// Batch size: number of sequences per gradient step.
    pub(super) rows: usize,
    /// Number of the gradient step at which training waits for a readback of the weights.
    pub(super) stop: u64,
    pub(super) clock: Option<fn() -> f64>,
}

/// Report of a finished gradient step on the GPU: number of gradient steps so far, metrics, and duration in seconds.
pub(super) struct GpuStepReport {
    pub(super) updates: u64,
    pub(super) metrics: StepMetrics,
    pub(super) seconds: Option<f64>,
}
