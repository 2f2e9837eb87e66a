//! Training: a gradient step on a batch of sequences.

use crate::config::LanguageConfig;
use crate::error::LanguageError;
use crate::model::{Batch, Definition, Gpt};
use vivarium_graph::{Cpu, Gradients, Plan, Value};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{AlignedVec, Level};

/// A model that learns, with its optimiser, AdamW (Loshchilov and Hutter 2019).
///
/// What it becomes depends on the config, the seed and the sequences, not on the number of threads.
pub struct Trainer {
    config: LanguageConfig,
    pub(crate) gpt: Gpt,
    plan: Plan,
    gradients: Gradients,
    pub(crate) first_moment: AlignedVec<f32>,
    pub(crate) second_moment: AlignedVec<f32>,
    batch: Batch,
    pub(crate) updates: u64,
}

/// What a gradient step found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learnt {
    /// The mean cross-entropy before the step, in nats a token.
    pub loss: f64,
    /// How long the gradient was before it was clipped.
    pub gradient_norm: f64,
    /// The optimiser's step size.
    pub learning_rate: f32,
}

impl Trainer {
    /// A model over a vocabulary of this many tokens, its weights drawn anew; `level` is that of the engine that will run it.
    ///
    /// # Errors
    /// [`LanguageError`] for a config or a vocabulary that is not allowed.
    pub fn new(
        level: Level,
        config: LanguageConfig,
        vocabulary: usize,
        seed: u64,
    ) -> Result<Self, LanguageError> {
        let gpt = Gpt::new(level, &config, vocabulary, seed)?;
        let definition = Definition::new(&config, vocabulary);
        let mut graph = definition.graph.gradient(definition.loss);
        let losses: Value = graph.head_losses_beside_gradient().unwrap_or(definition.losses);
        let len = gpt.parameters().flat().len();
        Ok(Self {
            plan: Plan::compile(&graph, &[losses], Gpt::chunk_rows(&config))?,
            gradients: Gradients::zeros(gpt.parameters()),
            first_moment: AlignedVec::zeros(len),
            second_moment: AlignedVec::zeros(len),
            batch: Batch::default(),
            updates: 0,
            config,
            gpt,
        })
    }

    /// The config.
    #[must_use]
    pub fn config(&self) -> &LanguageConfig {
        &self.config
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Gpt {
        &self.gpt
    }

    /// The model, to be run.
    pub fn model_mut(&mut self) -> &mut Gpt {
        &mut self.gpt
    }

    /// Gradient steps so far.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Takes over live fields.
    ///
    /// # Errors
    /// [`LanguageError`] for a config that is not allowed, or that differs in a field that is not live.
    pub fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        use vivarium_config::Described;
        config.check()?;
        self.config.check_live(&config)?;
        self.config = config;
        Ok(())
    }

    /// One gradient step on sequences of context + 1 tokens each, one after the other.
    ///
    /// # Errors
    /// [`LanguageError`] for another number of tokens, for one that is not in the vocabulary, and where the loss or the
    /// gradient is no finite number; nothing is learnt then.
    pub fn step(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<Learnt, LanguageError> {
        let Self { gpt, plan, gradients, batch, .. } = self;
        let rows = batch.fill(gpt.context(), gpt.vocabulary(), sequences)?;
        let (parameters, packed, room) = gpt.parts(cpu);
        gradients.clear();
        cpu.gradients(
            plan,
            parameters,
            packed,
            room,
            rows,
            1.0 / rows as f32,
            &[&batch.tokens, &batch.targets],
            &mut [&mut batch.losses],
            gradients,
        );
        let loss = self.batch.mean();
        let gradient_norm = f64::from(cpu.sum_of_squares(self.gradients.flat()).sqrt());
        for (what, value) in [("the gradient", gradient_norm), ("the loss", loss)] {
            if !value.is_finite() {
                return Err(LanguageError::NotFinite { what, value, updates: self.updates });
            }
        }
        let learning_rate = self.config.learning_rate_at(self.updates);
        self.apply(cpu, gradient_norm as f32, learning_rate);
        self.updates += 1;
        Ok(Learnt { loss, gradient_norm, learning_rate })
    }

    /// Clips the gradient and takes the optimiser's step.
    fn apply(&mut self, cpu: &Cpu, gradient_norm: f32, learning_rate: f32) {
        let Self { config, gpt, gradients, first_moment, second_moment, updates, .. } = self;
        if config.max_gradient_norm > 0.0 && gradient_norm > config.max_gradient_norm {
            cpu.scale(gradients.flat_mut(), config.max_gradient_norm / gradient_norm);
        }
        let plain =
            AdamStep { learning_rate, beta2: config.beta2, step: *updates + 1, ..AdamStep::default() };
        gpt.change(cpu, |parameters| {
            for index in 0..parameters.specs().len() {
                let spec = &parameters.specs()[index];
                // Matrices and tables shrink; biases and norms do not.
                let weight_decay = if spec.dims.len() > 1 { config.weight_decay } else { 0.0 };
                let range = spec.range();
                cpu.adam(
                    &mut parameters.flat_mut()[range.clone()],
                    &gradients.flat()[range.clone()],
                    &mut first_moment[range.clone()],
                    &mut second_moment[range],
                    &AdamStep { weight_decay, ..plain },
                );
            }
        });
    }
}
