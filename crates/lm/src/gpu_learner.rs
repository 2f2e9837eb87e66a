//! Training of the learner on a GPU.
//!
//! The GPU returns the metrics of every gradient step, and the weights and optimizer state every `READBACK_INTERVAL`
//! steps and before pauses. Evaluations, samples and checkpoints use the CPU copy, which can lag a few steps behind.

use crate::config::LanguageConfig;
use crate::data::{BatchStream, TextPosition};
use crate::error::LanguageError;
use crate::gpu_trainer::LanguageGpuTrainer;
use crate::trainer::{LanguageStepWork, LanguageTrainer, StepMetrics};
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_learn::Advance;

/// Number of gradient steps between readbacks of weights and optimizer state from the GPU.
const READBACK_INTERVAL: u64 = 20;

/// Trainer of the language model on the GPU, with its position in the training text.
pub struct LanguageGpuLearner {
    gpu_trainer: LanguageGpuTrainer,
    /// Position in the training text after the last gradient step that was submitted to the GPU.
    position: TextPosition,
    /// Position in the training text after the last batch on which the weights of the readback in progress were
    /// trained. `None` if no readback is in progress.
    readback_position: Option<TextPosition>,
}

impl LanguageGpuLearner {
    /// Copies the model and the optimizer state of `trainer` to the GPU. `position` is the position in the training
    /// text at which the next batch starts.
    pub(crate) fn new(
        gpu: &Gpu,
        trainer: &LanguageTrainer,
        position: TextPosition,
    ) -> Result<Self, LanguageError> {
        Ok(Self { gpu_trainer: LanguageGpuTrainer::new(gpu, trainer)?, position, readback_position: None })
    }

    /// Submits gradient steps to the GPU and reads results back. A finished readback replaces the weights and optimizer
    /// state of `trainer`, the trainer on the CPU. The readback also sets `here` to the position in the training text
    /// after the last gradient step of these weights. `pause_at` is the number of gradient steps set by
    /// [`LanguageLearner::pause_at`](crate::LanguageLearner::pause_at).
    pub(crate) fn advance(
        &mut self,
        cpu: &Cpu,
        trainer: &mut LanguageTrainer,
        text: &mut BatchStream,
        here: &mut TextPosition,
        pause_at: u64,
    ) -> Result<Advance<LanguageStepWork, StepMetrics>, LanguageError> {
        let Self { gpu_trainer, position, readback_position } = self;
        let (updates, config) = (trainer.updates(), trainer.config());
        let (rows, last) = (config.batch as usize, config.anneal_updates);
        let stop = if updates < last { pause_at.min(last) } else { pause_at };
        let readback_at = stop.min(updates + READBACK_INTERVAL);
        let mut is_reading = false;
        while !is_reading && gpu_trainer.can_submit() && gpu_trainer.submitted() < stop {
            // A readback is requested only between gradient steps, never within one.
            if readback_position.is_none() && gpu_trainer.submitted() >= readback_at {
                break;
            }
            is_reading = text.draw(rows)?;
            if !is_reading {
                gpu_trainer.submit(text.sequences())?;
                *position = text.position();
            }
        }
        if readback_position.is_none() && gpu_trainer.submitted() >= readback_at && !gpu_trainer.is_begun() {
            gpu_trainer.request_readback()?;
            *readback_position = Some(*position);
        }
        let advance = gpu_trainer.advance()?;
        let mut returned = false;
        // A readback is complete only after the metrics of all its gradient steps have arrived.
        if gpu_trainer.pending_readback().is_some_and(|updates| updates <= gpu_trainer.updates()) {
            returned = gpu_trainer.take_readback(cpu, trainer)?;
        }
        if let Some(position) = readback_position.take_if(|_| returned) {
            *here = position;
        }
        let is_idle = gpu_trainer.submitted() == gpu_trainer.updates() && !gpu_trainer.is_begun();
        Ok(match advance {
            Advance::Finished(metrics) => Advance::Finished(metrics),
            _ if is_reading && is_idle => Advance::Unfinished(LanguageStepWork::ReadText),
            _ if is_reading || returned => Advance::Unfinished(LanguageStepWork::GradientStep),
            _ => Advance::Waiting,
        })
    }

    /// Replaces the config of the GPU trainer. The new config may differ only in live fields: fields that may change
    /// during training.
    pub(crate) fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        self.gpu_trainer.set_config(config)
    }
}
