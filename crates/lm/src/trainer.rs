//! Training: a gradient step on a batch of sequences.

use crate::config::{LanguageConfig, Optimizer};
use crate::error::LanguageError;
use crate::model::{Batch, Definition, Gpt, mean};
use vivarium_graph::{Cpu, ParameterSpec, Plan, Value};
use vivarium_kernels::adam::AdamStep;
use vivarium_learn::Loss;

/// A model that learns, with its optimizer: AdamW (Loshchilov and Hutter 2019), or [Muon](Optimizer::Muon) for the matrices
/// of its blocks.
///
/// What it becomes depends on the config, the seed and the sequences, not on the number of threads.
pub struct Trainer {
    config: LanguageConfig,
    pub(crate) gpt: Gpt,
    pub(crate) trainer: vivarium_learn::Trainer,
    batch: Batch,
    next: Option<Slice>,
    pub(crate) updates: u64,
}

/// What the next slice of a gradient step does.
#[derive(Clone, Copy, Debug)]
enum Slice {
    /// A few sequences of the gradient.
    Gradient,
    /// The optimizer's step.
    Update,
}

/// The most tokens that go through the model together: the more, the less often its weights are read and their gradients
/// touched, and the more memory is in use.
const CHUNK_TOKENS: usize = 256;

/// Gradients are summed in at least this many groups, which are done side by side.
const GROUPS: usize = 4;

/// Sequences that go through the model together: so many that all groups have the same to do, if that can be.
fn chunk_rows(config: &LanguageConfig) -> usize {
    let [context, batch] = [config.context, config.batch].map(|size| size as usize);
    let most = (CHUNK_TOKENS / context).clamp(1, batch.div_ceil(GROUPS));
    (1..=most).rev().find(|rows| batch.is_multiple_of(GROUPS * rows)).unwrap_or(most)
}

/// What a gradient step found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    /// The mean cross-entropy before the step, in nats a token.
    pub loss: f64,
    /// How long the gradient was before it was clipped.
    pub gradient_norm: f64,
    /// The optimizer's step size.
    pub learning_rate: f32,
}

impl Trainer {
    /// A model over a vocabulary of this many tokens, its weights drawn anew.
    ///
    /// # Errors
    /// [`LanguageError`] for a config or a vocabulary that is not allowed.
    pub fn new(config: LanguageConfig, vocabulary: usize, seed: u64) -> Result<Self, LanguageError> {
        let gpt = Gpt::new(&config, vocabulary, seed)?;
        let definition = Definition::new(&config, vocabulary);
        let graph = definition.graph.gradient(definition.loss);
        let losses: Value = graph.head_losses_beside_gradient().unwrap_or(definition.losses);
        let plan = Plan::compile(&graph, &[losses], chunk_rows(&config))?;
        let mut trainer = vivarium_learn::Trainer::new(&gpt, vec![Loss { plan, names: &["the loss"] }]);
        if config.optimizer == Optimizer::Muon {
            trainer.use_muon(&gpt, moved_by_muon);
        }
        Ok(Self { trainer, batch: Batch::default(), next: None, updates: 0, config, gpt })
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
        use vivarium_config::Config;
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// Bytes that it holds; after the first gradient step they stay the same.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.trainer.bytes() + self.batch.bytes() + self.gpt.bytes()
    }

    /// One gradient step on sequences of context + 1 tokens each, one after the other.
    ///
    /// # Errors
    /// [`LanguageError`] for another number of tokens, for one that is not in the vocabulary, and where the loss or the
    /// gradient is no finite number; nothing is learned then.
    pub fn step(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<Learned, LanguageError> {
        let rows = self.fill(sequences)?;
        let Self { gpt, trainer, batch, .. } = self;
        trainer.differentiate(cpu, gpt, 0, rows, &[&batch.tokens, &batch.targets]);
        self.update(cpu)
    }

    /// Takes sequences for a gradient step that [`Trainer::advance`] takes in slices; one that was under way is given up.
    ///
    /// # Errors
    /// As [`Trainer::step`] for sequences that are not allowed; there is no step under way then.
    pub fn begin(&mut self, sequences: &[u32]) -> Result<(), LanguageError> {
        let rows = self.fill(sequences)?;
        self.trainer.begin(0, rows);
        self.next = Some(Slice::Gradient);
        Ok(())
    }

    /// Does a slice of the gradient step that [`Trainer::begin`] began: a few sequences for each thread, or the
    /// optimizer's step, after which it says what was learned. That is what [`Trainer::step`] would have learned, to the last
    /// bit. Whoever changes the weights in between begins anew. Does nothing where no step is under way.
    ///
    /// # Errors
    /// [`LanguageError::NotFinite`] as [`Trainer::step`]; nothing is learned then.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Option<Learned>, LanguageError> {
        match self.next {
            None => Ok(None),
            Some(Slice::Gradient) => {
                let Self { gpt, trainer, batch, .. } = self;
                let is_last = trainer.add_slice(cpu, gpt, &[&batch.tokens, &batch.targets]);
                self.next = Some(if is_last { Slice::Update } else { Slice::Gradient });
                Ok(None)
            }
            Some(Slice::Update) => self.update(cpu).map(Some),
        }
    }

    /// Gives up the gradient step that is under way, if one is.
    pub fn give_up(&mut self) {
        self.next = None;
    }

    /// Whether a gradient step is under way.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.next.is_some()
    }

    /// Takes sequences as the batch, and returns how many there are; gives up the step under way.
    fn fill(&mut self, sequences: &[u32]) -> Result<usize, LanguageError> {
        self.next = None;
        self.batch.fill(self.gpt.context(), self.gpt.vocabulary(), sequences)
    }

    /// Takes the optimizer's step with the gradient that was computed.
    fn update(&mut self, cpu: &Cpu) -> Result<Learned, LanguageError> {
        self.next = None;
        let Self { config, gpt, trainer, updates, .. } = self;
        let learning_rate = config.learning_rate_at(*updates);
        let settings = AdamStep { step: *updates + 1, ..adam_settings(config, learning_rate) };
        let (network, most) = (&mut gpt.network, config.max_gradient_norm);
        let gradient_norm = trainer.step(cpu, network, &settings, most)?;
        *updates += 1;
        Ok(Learned { loss: mean(trainer.measured(0)), gradient_norm, learning_rate })
    }
}

/// The optimizer's settings, but for the number of the step.
pub(crate) fn adam_settings(config: &LanguageConfig, learning_rate: f32) -> AdamStep {
    let LanguageConfig { beta2, weight_decay, .. } = *config;
    AdamStep { learning_rate, beta2, weight_decay, ..AdamStep::default() }
}

/// Whether Muon moves a parameter: the matrices of the blocks. Tables, the head, biases and norms are AdamW's.
fn moved_by_muon(spec: &ParameterSpec) -> bool {
    spec.dims.len() == 2 && spec.name.starts_with("h.")
}
