//! A model's weights, and its losses on text.

use super::{Batch, Definition};
use crate::config::LanguageConfig;
use crate::error::LanguageError;
use vivarium_graph::{Cpu, PackedParameters, Parameters, Plan, Workspaces};
use vivarium_kernels::Level;

/// Tokens that go through a layer together, where sequences are shorter: so many that its weights are read far less often
/// than they are used.
const CHUNK_TOKENS: usize = 128;

/// The most tokens of a vocabulary: indices are held as f32, and more than this is no language.
const MOST_TOKENS: usize = 1 << 20;

/// A transformer with weights.
pub struct Gpt {
    context: usize,
    width: usize,
    vocabulary: usize,
    parameters: Parameters,
    packed: PackedParameters,
    losses: Plan,
    batch: Batch,
    workspaces: Option<(usize, Workspaces)>,
}

impl Gpt {
    /// A model over a vocabulary of this many tokens, its weights drawn anew; `level` is that of the engine that will run it.
    ///
    /// # Errors
    /// [`LanguageError`] for a config or a vocabulary that is not allowed.
    pub fn new(
        level: Level,
        config: &LanguageConfig,
        vocabulary: usize,
        seed: u64,
    ) -> Result<Self, LanguageError> {
        config.check()?;
        if !(1..=MOST_TOKENS).contains(&vocabulary) {
            return Err(LanguageError::Vocabulary { vocabulary, most: MOST_TOKENS });
        }
        let definition = Definition::new(config, vocabulary);
        let parameters = Parameters::new(&definition.graph, seed)?;
        Ok(Self {
            context: config.context as usize,
            width: config.width as usize,
            vocabulary,
            packed: PackedParameters::new(level, &parameters),
            parameters,
            losses: Plan::compile(&definition.graph, &[definition.losses], Self::chunk_rows(config))?,
            batch: Batch::default(),
            workspaces: None,
        })
    }

    /// Sequences that go through the network together.
    pub(crate) fn chunk_rows(config: &LanguageConfig) -> usize {
        CHUNK_TOKENS.div_ceil(config.context as usize)
    }

    /// How many tokens it sees at once.
    #[must_use]
    pub fn context(&self) -> usize {
        self.context
    }

    /// How many tokens there are.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// How many numbers stand for a token between its layers.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The weights as products read them.
    pub(crate) fn packed(&self) -> &PackedParameters {
        &self.packed
    }

    /// The weights, named as in GPT-2's files.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// How many numbers it learns.
    #[must_use]
    pub fn parameter_count(&self) -> usize {
        self.parameters.specs().iter().map(|spec| spec.len()).sum()
    }

    /// Bytes that it holds: its weights as they are and as products read them, and working memory once it has run.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let room = self.workspaces.as_ref().map_or(0, |(_, workspaces)| workspaces.bytes());
        size_of_val(self.parameters.flat()) + self.packed.bytes() + self.batch.bytes() + room
    }

    /// What a run needs: weights twice, and working memory for this engine.
    pub(crate) fn parts(&mut self, cpu: &Cpu) -> (&Parameters, &PackedParameters, &mut Workspaces) {
        (&self.parameters, &self.packed, room(&mut self.workspaces, cpu))
    }

    /// Changes the weights.
    pub(crate) fn change(&mut self, cpu: &Cpu, change: impl FnOnce(&mut Parameters)) {
        change(&mut self.parameters);
        cpu.refresh(&mut self.packed, &self.parameters);
    }

    /// The mean cross-entropy, in nats a token, over sequences of context + 1 tokens each, one after the other: how well each
    /// token but the first is told by those before it.
    ///
    /// # Errors
    /// [`LanguageError`] for another number of tokens, or one that is not in the vocabulary.
    pub fn loss(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<f64, LanguageError> {
        let losses = self.losses(cpu, sequences)?;
        Ok(losses.iter().sum::<f64>() / losses.len() as f64)
    }

    /// The mean cross-entropy of each sequence by itself.
    ///
    /// # Errors
    /// Those of [`loss`](Self::loss).
    pub fn losses(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<Vec<f64>, LanguageError> {
        let Self { context, vocabulary, parameters, packed, losses: plan, batch, workspaces, .. } = self;
        let rows = batch.fill(*context, *vocabulary, sequences)?;
        let Batch { tokens, targets, losses } = batch;
        cpu.run(plan, parameters, packed, room(workspaces, cpu), rows, &[tokens, targets], &mut [losses]);
        let mean = |losses: &[f32]| losses.iter().copied().map(f64::from).sum::<f64>() / losses.len() as f64;
        Ok(losses.chunks_exact(*context).map(mean).collect())
    }
}

/// Working memory for this engine.
fn room<'a>(workspaces: &'a mut Option<(usize, Workspaces)>, cpu: &Cpu) -> &'a mut Workspaces {
    if workspaces.as_ref().is_none_or(|&(threads, _)| threads != cpu.threads()) {
        *workspaces = None;
    }
    &mut workspaces.get_or_insert_with(|| (cpu.threads(), Workspaces::new(cpu))).1
}
