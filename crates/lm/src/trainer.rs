//! Training on the CPU: gradient steps on batches of sequences.
//!
//! ```text
//! for each step:
//!     sequences = batch × (context + 1) tokens from Windows
//!     gradient = mean over groups of micro-batches of ∇ cross-entropy(model(sequences[:-1]), sequences[1:])
//!     gradient *= min(1, max_gradient_norm / ‖gradient‖)
//!     AdamW or Muon step with learning_rate_at(step)
//! ```
//!
//! `examples/language.rs` is this loop with the transformer in one file; a test requires that it computes the same
//! weights.
//!
//! # Deviations from GPT-2 and nanoGPT
//!
//! The model is GPT-2's (Radford et al. 2019), the training loop nanoGPT's (Karpathy 2022,
//! <https://github.com/karpathy/nanoGPT>), with three differences:
//!
//! - No dropout. AdamW decays matrices and embeddings, not biases and LayerNorm parameters, as nanoGPT does.
//! - Sequences are sampled without replacement within a shuffle buffer; nanoGPT samples with replacement.
//! - Muon (Jordan et al. 2024) as an alternative optimizer of the blocks' matrices.
//!
//! # Reading order
//!
//! The learner is `learner.rs`. A step runs through `data/batches.rs` and `data/windows.rs` (sequences), this module,
//! `model/batch.rs` (inputs and targets),
//! `model/graph.rs` (transformer and loss), `config.rs` (learning-rate schedule) and `vivarium_learn::Trainer`
//! (gradient, clipping, AdamW).
//!
//! Gradient accumulation: a step is computed in micro-batches whose gradients are summed in a fixed order. The result
//! does not depend on the number of threads or on the number of calls of [`LanguageTrainer::advance`].

use crate::config::{LanguageConfig, LanguageOptimizer};
use crate::error::LanguageError;
use crate::model::{Gpt, GptGraph, TokenBatch, mean};
use vivarium_graph::{Cpu, ParameterSpec, Plan, Value};
use vivarium_kernels::adam::AdamStep;
use vivarium_learn::Loss;

/// Trainer on the CPU: model and optimizer state, with AdamW (Loshchilov & Hutter 2019,
/// <https://arxiv.org/abs/1711.05101>) or [Muon](LanguageOptimizer::Muon).
///
/// The trained weights are a function of config, seed and sequences, independent of the number of threads.
pub struct LanguageTrainer {
    config: LanguageConfig,
    pub(crate) gpt: Gpt,
    pub(crate) trainer: vivarium_learn::Trainer,
    batch: TokenBatch,
    /// Phase of the gradient step in progress; `None` if no gradient step is in progress.
    phase: Option<StepPhase>,
    pub(crate) updates: u64,
}

/// Phase of a gradient step in progress.
#[derive(Clone, Copy, Debug)]
enum StepPhase {
    /// Gradients of the loss are accumulated over the micro-batches of the batch.
    Gradient,
    /// All gradients are accumulated; the optimizer step follows.
    Update,
}

/// Maximum number of tokens of a micro-batch. Larger micro-batches read the weights and update the gradients less
/// often, but need more memory.
const CHUNK_TOKENS: usize = 256;

/// Minimum number of gradient accumulators, if the batch is large enough. Each accumulator sums the gradients of a part
/// of the batch, in parallel with the others.
const GROUPS: usize = 4;

/// Returns the number of sequences per micro-batch. If possible, the micro-batches of a batch are divided equally among
/// the gradient accumulators.
fn chunk_rows(config: &LanguageConfig) -> usize {
    let [context, batch] = [config.context, config.batch].map(|size| size as usize);
    let most = (CHUNK_TOKENS / context).clamp(1, batch.div_ceil(GROUPS));
    (1..=most).rev().find(|rows| batch.is_multiple_of(GROUPS * rows)).unwrap_or(most)
}

/// Kind of work that one call of the learner's `advance` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageStepWork {
    /// Reads and tokenizes training text. No gradient step is in progress.
    ReadText,
    /// Computes a part of a gradient step.
    GradientStep,
}

/// Metrics of one gradient step: number of steps, loss, gradient norm, learning rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepMetrics {
    /// Number of gradient steps so far, including the measured step.
    pub updates: u64,
    /// Mean cross-entropy of the batch before the gradient step, in nats per token.
    pub loss: f64,
    /// Norm of the gradient over all parameters, before clipping.
    pub gradient_norm: f64,
    /// Learning rate of the gradient step.
    pub learning_rate: f32,
}

impl LanguageTrainer {
    /// Creates a trainer whose model has a vocabulary of `vocabulary` tokens and random initial weights, drawn with
    /// `seed`.
    ///
    /// # Errors
    /// [`LanguageError`] for an invalid config or vocabulary size.
    pub fn new(config: LanguageConfig, vocabulary: usize, seed: u64) -> Result<Self, LanguageError> {
        let gpt = Gpt::new(&config, vocabulary, seed)?;
        let definition = GptGraph::new(&config, vocabulary);
        let graph = definition.graph.gradient(definition.loss);
        let losses: Value = graph.head_losses_beside_gradient().unwrap_or(definition.losses);
        let plan = Plan::compile(&graph, &[losses], chunk_rows(&config))?;
        let mut trainer = vivarium_learn::Trainer::new(&gpt, vec![Loss { plan, names: &["the loss"] }]);
        if config.optimizer == LanguageOptimizer::Muon {
            trainer.use_muon(&gpt, moved_by_muon);
        }
        Ok(Self { trainer, batch: TokenBatch::default(), phase: None, updates: 0, config, gpt })
    }

    /// Returns the hyperparameters of the model and its training.
    #[must_use]
    pub fn config(&self) -> &LanguageConfig {
        &self.config
    }

    /// Returns the model, with its present weights.
    #[must_use]
    pub fn model(&self) -> &Gpt {
        &self.gpt
    }

    /// Returns a mutable reference to the model, because evaluations use the model's working memory.
    pub fn model_mut(&mut self) -> &mut Gpt {
        &mut self.gpt
    }

    /// Returns the number of completed gradient steps.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Changes the live fields of the config, which may change during training.
    ///
    /// # Errors
    /// [`LanguageError`] for an invalid config, or a change of a field that is not live.
    pub fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        use vivarium_config::Config;
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// Returns the allocated memory of the trainer in bytes: weights, gradients, optimizer state, working memory.
    /// Constant after the first gradient step.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.trainer.bytes() + self.batch.bytes() + self.gpt.bytes()
    }

    /// Computes one gradient step on concatenated sequences of context + 1 tokens each.
    ///
    /// # Errors
    /// [`LanguageError`] for a wrong number of tokens, for a token outside the vocabulary, and if loss or gradient are
    /// not finite. The weights are unchanged then.
    pub fn step(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<StepMetrics, LanguageError> {
        let rows = self.fill(sequences)?;
        let Self { gpt, trainer, batch, .. } = self;
        trainer.differentiate(cpu, gpt, 0, rows, &[&batch.tokens, &batch.targets]);
        self.update(cpu)
    }

    /// Starts a gradient step that [`advance`](Self::advance) computes incrementally. Discards a step in progress.
    ///
    /// # Errors
    /// [`LanguageError`] for a wrong number of tokens, or a token outside the vocabulary; no step is in progress then.
    pub fn begin_step(&mut self, sequences: &[u32]) -> Result<(), LanguageError> {
        let rows = self.fill(sequences)?;
        self.trainer.begin(0, rows);
        self.phase = Some(StepPhase::Gradient);
        Ok(())
    }

    /// Computes a part of the gradient step in progress: one micro-batch per thread, or the optimizer step.
    ///
    /// Returns the metrics after the optimizer step, otherwise `None`. The result equals the result of
    /// [`step`](Self::step) bit for bit. Call [`cancel_step`](Self::cancel_step) before the weights are changed in
    /// another way.
    ///
    /// # Errors
    /// [`LanguageError::NotFinite`] as [`step`](Self::step); the weights are unchanged then.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Option<StepMetrics>, LanguageError> {
        match self.phase {
            None => Ok(None),
            Some(StepPhase::Gradient) => {
                let Self { gpt, trainer, batch, .. } = self;
                let is_last = trainer.add_slice(cpu, gpt, &[&batch.tokens, &batch.targets]);
                self.phase = Some(if is_last { StepPhase::Update } else { StepPhase::Gradient });
                Ok(None)
            }
            Some(StepPhase::Update) => self.update(cpu).map(Some),
        }
    }

    /// Discards the gradient step in progress, if any.
    pub fn cancel_step(&mut self) {
        self.phase = None;
    }

    /// Returns whether a gradient step is in progress.
    #[must_use]
    pub fn is_step_in_progress(&self) -> bool {
        self.phase.is_some()
    }

    /// Replaces the batch by `sequences`, and returns the number of sequences. Discards the gradient step in progress.
    fn fill(&mut self, sequences: &[u32]) -> Result<usize, LanguageError> {
        self.phase = None;
        self.batch.fill(self.gpt.context(), self.gpt.vocabulary(), sequences)
    }

    /// Applies the optimizer step with the accumulated gradient, and returns the metrics of the gradient step.
    fn update(&mut self, cpu: &Cpu) -> Result<StepMetrics, LanguageError> {
        self.phase = None;
        let Self { config, gpt, trainer, updates, .. } = self;
        let learning_rate = config.learning_rate_at(*updates);
        let settings = AdamStep { step: *updates + 1, ..adam_settings(config, learning_rate) };
        let (network, most) = (&mut gpt.network, config.max_gradient_norm);
        let gradient_norm = trainer.step(cpu, network, &settings, most)?;
        *updates += 1;
        Ok(StepMetrics { updates: *updates, loss: mean(trainer.measured(0)), gradient_norm, learning_rate })
    }
}

/// Returns the AdamW hyperparameters of a gradient step with the given config and learning rate. The field `step`
/// (number of the gradient step) has its default.
pub(crate) fn adam_settings(config: &LanguageConfig, learning_rate: f32) -> AdamStep {
    let LanguageConfig { beta2, weight_decay, .. } = *config;
    AdamStep { learning_rate, beta2, weight_decay, ..AdamStep::default() }
}

/// Returns whether Muon updates a parameter: true for the weight matrices of the blocks. AdamW updates embeddings,
/// head, biases and LayerNorm parameters.
fn moved_by_muon(spec: &ParameterSpec) -> bool {
    spec.dims.len() == 2 && spec.name.starts_with("h.")
}
