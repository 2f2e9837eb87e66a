//! Training: a gradient step on a batch of sequences.

use crate::config::{LanguageConfig, Optimiser};
use crate::error::LanguageError;
use crate::model::{Batch, Definition, Gpt};
use crate::muon::{self, Muon, MuonStep};
use vivarium_graph::{Cpu, Gradients, Plan, Value};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{AlignedVec, Level};

/// A model that learns, with its optimiser: AdamW (Loshchilov and Hutter 2019), or [Muon](Optimiser::Muon) for the matrices
/// of its blocks.
///
/// What it becomes depends on the config, the seed and the sequences, not on the number of threads.
pub struct Trainer {
    config: LanguageConfig,
    pub(crate) gpt: Gpt,
    pub(crate) plan: Plan,
    gradients: Gradients,
    pub(crate) first_moment: AlignedVec<f32>,
    /// Where Muon moves a matrix, its first moment is the momentum and its second one working memory.
    pub(crate) second_moment: AlignedVec<f32>,
    muon: Option<Muon>,
    batch: Batch,
    next: Option<Slice>,
    pub(crate) updates: u64,
}

/// What the next slice of a gradient step does.
#[derive(Clone, Copy, Debug)]
enum Slice {
    /// This one of the slices of the gradient of so many sequences.
    Gradient { number: usize, rows: usize },
    /// The optimiser's step.
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
        let graph = definition.graph.gradient(definition.loss);
        let losses: Value = graph.head_losses_beside_gradient().unwrap_or(definition.losses);
        let len = gpt.parameters().flat().len();
        Ok(Self {
            plan: Plan::compile(&graph, &[losses], chunk_rows(&config))?,
            gradients: Gradients::zeros(gpt.parameters()),
            first_moment: AlignedVec::zeros(len),
            second_moment: AlignedVec::zeros(len),
            muon: (config.optimiser == Optimiser::Muon).then(|| Muon::new(gpt.parameters().specs())),
            batch: Batch::default(),
            next: None,
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
        use vivarium_config::Config;
        config.check()?;
        self.config.check_live(&config)?;
        self.config = config;
        Ok(())
    }

    /// Bytes that it holds; after the first gradient step they stay the same.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let vectors = [self.gradients.flat(), &self.first_moment, &self.second_moment];
        let muon = self.muon.as_ref().map_or(0, Muon::bytes);
        vectors.map(size_of_val).iter().sum::<usize>() + self.batch.bytes() + self.gpt.bytes() + muon
    }

    /// One gradient step on sequences of context + 1 tokens each, one after the other.
    ///
    /// # Errors
    /// [`LanguageError`] for another number of tokens, for one that is not in the vocabulary, and where the loss or the
    /// gradient is no finite number; nothing is learnt then.
    pub fn step(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<Learnt, LanguageError> {
        self.begin(sequences)?;
        if let Some(Slice::Gradient { rows, .. }) = self.next {
            self.differentiate(cpu, rows, None);
        }
        self.update(cpu)
    }

    /// Takes sequences for a gradient step that [`Trainer::advance`] takes in slices; one that was under way is given up.
    ///
    /// # Errors
    /// As [`Trainer::step`] for sequences that are not allowed; there is no step under way then.
    pub fn begin(&mut self, sequences: &[u32]) -> Result<(), LanguageError> {
        self.next = None;
        let rows = self.batch.fill(self.gpt.context(), self.gpt.vocabulary(), sequences)?;
        self.next = Some(Slice::Gradient { number: 0, rows });
        Ok(())
    }

    /// Does a slice of the gradient step that [`Trainer::begin`] began: a few sequences for each thread, or the
    /// optimiser's step, after which it says what was learnt. That is what [`Trainer::step`] would have learnt, to the last
    /// bit. Whoever changes the weights in between begins anew. Does nothing where no step is under way.
    ///
    /// # Errors
    /// [`LanguageError::NotFinite`] as [`Trainer::step`]; nothing is learnt then.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Option<Learnt>, LanguageError> {
        match self.next {
            None => Ok(None),
            Some(Slice::Gradient { number, rows }) => {
                let is_last = self.differentiate(cpu, rows, Some(number));
                let next = Slice::Gradient { number: number + 1, rows };
                self.next = Some(if is_last { Slice::Update } else { next });
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

    /// Computes the gradient, or a slice of it; whether all is done.
    fn differentiate(&mut self, cpu: &Cpu, rows: usize, slice: Option<usize>) -> bool {
        let Self { gpt, plan, gradients, batch: Batch { tokens, targets, losses }, .. } = self;
        let (parameters, packed, room) = gpt.parts(cpu);
        let (inputs, outputs): ([&[f32]; 2], &mut [&mut [f32]]) = ([tokens, targets], &mut [losses]);
        let weight = 1.0 / rows as f32;
        if slice.is_none_or(|slice| slice == 0) {
            gradients.clear();
        }
        if let Some(slice) = slice {
            return cpu.gradients_slice(
                plan, parameters, packed, room, rows, slice, weight, &inputs, outputs, gradients,
            );
        }
        cpu.gradients(plan, parameters, packed, room, rows, weight, &inputs, outputs, gradients);
        true
    }

    /// Takes the optimiser's step with the gradient that was computed.
    fn update(&mut self, cpu: &Cpu) -> Result<Learnt, LanguageError> {
        self.next = None;
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
        let Self { config, gpt, gradients, first_moment, second_moment, muon, updates, .. } = self;
        if config.max_gradient_norm > 0.0 && gradient_norm > config.max_gradient_norm {
            cpu.scale(gradients.flat_mut(), config.max_gradient_norm / gradient_norm);
        }
        let plain =
            AdamStep { learning_rate, beta2: config.beta2, step: *updates + 1, ..AdamStep::default() };
        gpt.change(cpu, |parameters| {
            for index in 0..parameters.specs().len() {
                let spec = &parameters.specs()[index];
                if muon.is_some() && muon::moves(spec) {
                    continue;
                }
                let weight_decay = if spec.decays() { config.weight_decay } else { 0.0 };
                let range = spec.range();
                cpu.adam(
                    &mut parameters.flat_mut()[range.clone()],
                    &gradients.flat()[range.clone()],
                    &mut first_moment[range.clone()],
                    &mut second_moment[range],
                    &AdamStep { weight_decay, ..plain },
                );
            }
            if let Some(muon) = muon {
                let settings = MuonStep { learning_rate, weight_decay: config.weight_decay };
                let weights = parameters.flat_mut();
                muon.step(cpu, weights, gradients.flat(), first_moment, second_moment, settings);
            }
        });
    }
}
