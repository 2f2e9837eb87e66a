//! Training on the GPU: a [gradient step](vivarium_learn::GpuTrainer) is submitted with the tokens of a batch, with the schedule
//! of the [`Trainer`].

use crate::config::{LanguageConfig, Optimizer};
use crate::error::LanguageError;
use crate::model::{Batch, mean};
use crate::trainer::{Learned, Trainer, adam_settings};
use std::collections::VecDeque;
use vivarium_config::Config;
use vivarium_gpu::{Cost, Gpu};
use vivarium_graph::Cpu;
use vivarium_learn::StepSettings;

/// Floating-point operations of a part of a gradient step, some tenths of a second: of a software adapter, and of a GPU that
/// is slow.
const SOFTWARE_PART: f64 = 1e10;
const HARDWARE_PART: f64 = 4e11;

/// The most parts of a gradient step: about as many as it has large products.
const MOST_PARTS: usize = 64;

/// A learner on the device; see the [module](self).
pub struct GpuTrainer {
    trainer: vivarium_learn::GpuTrainer,
    config: LanguageConfig,
    context: usize,
    vocabulary: usize,
    batch: Batch,
    /// The learning rates of the gradient steps that were submitted and not yet reported.
    learning_rates: VecDeque<f32>,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// Nothing is finished yet.
    Waiting,
    /// A gradient step is finished.
    Finished(Learned),
}

impl GpuTrainer {
    /// A learner as it is now, moved to the device.
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] where it does not fit there, or a kernel is refused; [`LanguageError::Config`] for another
    /// optimizer than AdamW.
    pub fn new(gpu: &Gpu, trainer: &Trainer) -> Result<Self, LanguageError> {
        let (config, vocabulary) = (trainer.config(), trainer.gpt.vocabulary());
        let tokens = f64::from(config.batch) * f64::from(config.context);
        let most = if gpu.report().software { SOFTWARE_PART } else { HARDWARE_PART };
        let parts = (config.flops_per_token(vocabulary) * tokens / most).ceil();
        Self::in_parts(gpu, trainer, (parts as usize).min(MOST_PARTS))
    }

    /// [`new`](Self::new) with gradient steps that are submitted in so many parts.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn in_parts(gpu: &Gpu, trainer: &Trainer, parts: usize) -> Result<Self, LanguageError> {
        let (config, gpt) = (trainer.config().clone(), &trainer.gpt);
        if config.optimizer != Optimizer::AdamW {
            return Err(config
                .refused("optimizer", format!("{} on the GPU", Optimizer::AdamW.name()))
                .into());
        }
        let rows = config.batch as usize;
        let (updates, trainer) = (trainer.updates, &trainer.trainer);
        let steps = vivarium_learn::GpuTrainer::new(gpu, gpt, trainer, 0, rows, updates, None)?;
        Ok(Self {
            trainer: steps.in_parts(parts),
            context: gpt.context(),
            vocabulary: gpt.vocabulary(),
            batch: Batch::default(),
            learning_rates: VecDeque::new(),
            config,
        })
    }

    /// Whether another gradient step may be submitted now.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.trainer.has_room()
    }

    /// Whether some parts of a gradient step were submitted, and others were not yet.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.trainer.is_begun()
    }

    /// Submits a gradient step on sequences of context + 1 tokens each, one after the other, as many as a batch has. Does
    /// nothing without [room](Self::has_room).
    ///
    /// # Errors
    /// [`LanguageError`] for another number of tokens or one that is not in the vocabulary, and nothing is learned then;
    /// [`LanguageError::Gpu`] where the device was lost.
    pub fn submit(&mut self, sequences: &[u32]) -> Result<(), LanguageError> {
        let Self { trainer, config, context, vocabulary, batch, learning_rates } = self;
        let (rows, expected) = (batch.fill(*context, *vocabulary, sequences)?, config.batch as usize);
        if rows != expected {
            return Err(LanguageError::Rows { rows, batch: expected });
        }
        if !trainer.has_room() {
            return Ok(());
        }
        let learning_rate = config.learning_rate_at(trainer.submitted());
        let settings = StepSettings {
            adam: adam_settings(config, learning_rate),
            max_gradient_norm: config.max_gradient_norm,
            follow_share: 0.0,
        };
        trainer.submit(&[&batch.tokens, &batch.targets], &settings)?;
        learning_rates.push_back(learning_rate);
        Ok(())
    }

    /// Takes in the oldest gradient step under way if it is finished. Natively it waits for that; in a browser it never waits.
    ///
    /// # Errors
    /// [`LanguageError::NotFinite`] where training diverged, [`LanguageError::Gpu`] where the device was lost. Every further
    /// call gives the same error.
    pub fn advance(&mut self) -> Result<Advance, LanguageError> {
        if !self.trainer.advance()? {
            return Ok(Advance::Waiting);
        }
        Ok(Advance::Finished(Learned {
            loss: mean(self.trainer.measured(0)),
            gradient_norm: self.trainer.gradient_norm(),
            learning_rate: self.learning_rates.pop_front().unwrap_or_default(),
        }))
    }

    /// Asks for what was learned in all gradient steps submitted so far, unless it is on its way already, or a step is
    /// [begun](Self::is_begun).
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] where the device was lost, or the host has no room for it.
    pub fn keep(&mut self) -> Result<(), LanguageError> {
        Ok(self.trainer.keep()?)
    }

    /// Makes a learner of the same model what this one was when [`keep`](Self::keep) was called, once that is here. Returns
    /// whether it is. Natively it waits for that; in a browser it never waits.
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] where the device was lost; the learner stays as it is then.
    pub fn hand_over(&mut self, cpu: &Cpu, to: &mut Trainer) -> Result<bool, LanguageError> {
        let Trainer { gpt, trainer, .. } = to;
        let Some(updates) = self.trainer.hand_over(cpu, &mut gpt.network, trainer, |_| ())? else {
            return Ok(false);
        };
        to.updates = updates;
        to.give_up();
        Ok(true)
    }

    /// After how many gradient steps what is on its way back was learned, if anything is.
    #[must_use]
    pub fn kept(&self) -> Option<u64> {
        self.trainer.kept()
    }

    /// Gradient steps that were reported, those before it came to the device among them.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.trainer.updates()
    }

    /// Gradient steps that were submitted, those before it came to the device among them.
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.trainer.submitted()
    }

    /// The config in use for the gradient steps that are submitted from now on.
    #[must_use]
    pub fn config(&self) -> &LanguageConfig {
        &self.config
    }

    /// Takes over live fields.
    ///
    /// # Errors
    /// [`LanguageError`] for a config that is not allowed, or that differs in a field that is not live.
    pub fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// What a gradient step asks of the device: kernels started, and bytes that are copied to it and back.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.trainer.cost()
    }

    /// Bytes that it holds on the device: values, weights, gradients and what the optimizer remembers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.trainer.bytes()
    }
}
