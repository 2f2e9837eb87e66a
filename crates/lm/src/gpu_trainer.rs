//! Training on the GPU: AdamW steps of [`vivarium_learn::GpuTrainer`] on batches of tokens, with the learning-rate
//! schedule of [`LanguageTrainer`].

use crate::config::{LanguageConfig, LanguageOptimizer};
use crate::error::LanguageError;
use crate::model::{TokenBatch, mean};
use crate::trainer::{LanguageTrainer, StepMetrics, adam_settings};
use std::collections::VecDeque;
use vivarium_config::Config;
use vivarium_gpu::{Cost, Gpu};
use vivarium_graph::Cpu;
use vivarium_learn::{Advance, StepSettings};

/// Maximum number of floating-point operations per submission on a software adapter. A submission of this size takes
/// some tenths of a second.
const SOFTWARE_PART: f64 = 1e10;
/// Maximum number of floating-point operations per submission on a hardware GPU. A submission of this size takes some
/// tenths of a second on a slow GPU.
const HARDWARE_PART: f64 = 4e11;

/// Maximum number of submissions into which a gradient step is split: about the number of large matrix products in a
/// step.
const MAX_PARTS: usize = 64;

/// Trainer of a language model on the GPU: model, optimizer state, and gradient steps in flight.
pub struct LanguageGpuTrainer {
    trainer: vivarium_learn::GpuTrainer,
    config: LanguageConfig,
    context: usize,
    vocabulary: usize,
    batch: TokenBatch,
    /// Learning rates of the submitted gradient steps whose metrics have not been returned yet.
    learning_rates: VecDeque<f32>,
}

impl LanguageGpuTrainer {
    /// Copies the model and the optimizer state of `trainer` to the GPU.
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] if the GPU memory is too small or a kernel is rejected; [`LanguageError::Config`] for any
    /// optimizer other than AdamW.
    pub fn new(gpu: &Gpu, trainer: &LanguageTrainer) -> Result<Self, LanguageError> {
        let (config, vocabulary) = (trainer.config(), trainer.gpt.vocabulary());
        let tokens = f64::from(config.batch) * f64::from(config.context);
        let most = if gpu.adapter_info().software { SOFTWARE_PART } else { HARDWARE_PART };
        let parts = (config.flops_per_token(vocabulary) * tokens / most).ceil();
        Self::in_parts(gpu, trainer, (parts as usize).min(MAX_PARTS))
    }

    /// Copies the model and the optimizer state of `trainer` to the GPU. Each gradient step is split into `parts`
    /// submissions.
    ///
    /// # Errors
    /// The same errors as [`new`](Self::new).
    pub fn in_parts(gpu: &Gpu, trainer: &LanguageTrainer, parts: usize) -> Result<Self, LanguageError> {
        let (config, gpt) = (trainer.config().clone(), &trainer.gpt);
        if config.optimizer != LanguageOptimizer::AdamW {
            return Err(config
                .refused("optimizer", format!("{} on the GPU", LanguageOptimizer::AdamW.name()))
                .into());
        }
        let rows = config.batch as usize;
        let (updates, trainer) = (trainer.updates, &trainer.trainer);
        let steps = vivarium_learn::GpuTrainer::new(gpu, gpt, trainer, 0, rows, updates, None)?;
        Ok(Self {
            trainer: steps.in_parts(parts),
            context: gpt.context(),
            vocabulary: gpt.vocabulary(),
            batch: TokenBatch::default(),
            learning_rates: VecDeque::new(),
            config,
        })
    }

    /// Returns whether [`submit`](Self::submit) accepts another gradient step now.
    #[must_use]
    pub fn can_submit(&self) -> bool {
        self.trainer.can_submit()
    }

    /// Returns whether a gradient step has been submitted in part, because a step is split into several submissions.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.trainer.is_begun()
    }

    /// Submits a gradient step on one batch of concatenated sequences of context + 1 tokens each. Does nothing if
    /// [`can_submit`](Self::can_submit) is false.
    ///
    /// # Errors
    /// [`LanguageError`] for a wrong number of tokens or a token outside the vocabulary; no step is submitted then.
    /// [`LanguageError::Gpu`] if the device was lost.
    pub fn submit(&mut self, sequences: &[u32]) -> Result<(), LanguageError> {
        let Self { trainer, config, context, vocabulary, batch, learning_rates } = self;
        let (rows, expected) = (batch.fill(*context, *vocabulary, sequences)?, config.batch as usize);
        if rows != expected {
            return Err(LanguageError::Rows { rows, batch: expected });
        }
        if !trainer.can_submit() {
            return Ok(());
        }
        let learning_rate = config.learning_rate_at(trainer.submitted());
        let settings = StepSettings {
            adam: adam_settings(config, learning_rate),
            max_gradient_norm: config.max_gradient_norm,
            polyak_rate: 0.0,
        };
        trainer.submit(&[&batch.tokens, &batch.targets], &settings)?;
        learning_rates.push_back(learning_rate);
        Ok(())
    }

    /// Returns the metrics of the oldest gradient step in flight. A native call blocks until that step has finished; in
    /// a browser, the call returns [`Advance::Waiting`] instead.
    ///
    /// # Errors
    /// [`LanguageError::NotFinite`] if training diverged, [`LanguageError::Gpu`] if the device was lost. Every later
    /// call returns the same error.
    pub fn advance(&mut self) -> Result<Advance<(), StepMetrics>, LanguageError> {
        if !self.trainer.poll()? {
            return Ok(Advance::Waiting);
        }
        Ok(Advance::Finished(StepMetrics {
            updates: self.trainer.updates(),
            loss: mean(self.trainer.measured(0)),
            gradient_norm: self.trainer.gradient_norm(),
            learning_rate: self.learning_rates.pop_front().unwrap_or_default(),
        }))
    }

    /// Starts a readback of weights and optimizer state after all submitted steps. Does nothing while another readback
    /// is in progress or a step is [submitted in part](Self::is_begun).
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] if the device was lost or host memory is exhausted.
    pub fn request_readback(&mut self) -> Result<(), LanguageError> {
        Ok(self.trainer.request_readback()?)
    }

    /// Copies the state that [`request_readback`](Self::request_readback) requested into `to`, a trainer of the same
    /// model. Returns whether the readback has finished. A native call blocks until the readback has finished; in a
    /// browser, the call only polls.
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] if the device was lost; `to` is unchanged then.
    pub fn take_readback(&mut self, cpu: &Cpu, to: &mut LanguageTrainer) -> Result<bool, LanguageError> {
        let LanguageTrainer { gpt, trainer, .. } = to;
        let Some(updates) = self.trainer.take_readback(cpu, &mut gpt.network, trainer, |_| ())? else {
            return Ok(false);
        };
        to.updates = updates;
        to.cancel_step();
        Ok(true)
    }

    /// Returns the number of gradient steps of the training state that the readback in progress copies; `None` if no
    /// readback is in progress.
    #[must_use]
    pub fn pending_readback(&self) -> Option<u64> {
        self.trainer.pending_readback()
    }

    /// Returns the number of finished gradient steps, including the steps of the CPU trainer before [`new`](Self::new).
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.trainer.updates()
    }

    /// Returns the number of submitted gradient steps, including the steps of the CPU trainer before
    /// [`new`](Self::new).
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.trainer.submitted()
    }

    /// Returns the config with which future gradient steps will be submitted.
    #[must_use]
    pub fn config(&self) -> &LanguageConfig {
        &self.config
    }

    /// Changes the live fields of the config, which may change during training.
    ///
    /// # Errors
    /// [`LanguageError`] for an invalid config, or a change of a field that is not live.
    pub fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// Returns the cost of a gradient step: number of dispatches, bytes uploaded, bytes downloaded.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.trainer.cost()
    }

    /// Returns the allocated GPU memory in bytes: activations, weights, gradients and optimizer state.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.trainer.bytes()
    }
}
