//! A model's weights, and its losses on text.

use super::{Batch, Definition};
use crate::config::LanguageConfig;
use crate::error::LanguageError;
use std::ops::Deref;
use vivarium_graph::{Cpu, Plan, Workspaces};
use vivarium_learn::Network;

/// Tokens that go through a layer together, where sequences are shorter: so many that its weights are read far less often
/// than they are used.
const CHUNK_TOKENS: usize = 128;

/// The most tokens of a vocabulary: indices are held as f32, and more than this is no language.
const MOST_TOKENS: usize = 1 << 20;

/// A transformer with weights, which are named as in GPT-2's files.
pub struct Gpt {
    context: usize,
    width: usize,
    vocabulary: usize,
    /// Its only plan computes the loss of each token.
    pub(crate) network: Network,
    batch: Batch,
    losses: Vec<f32>,
    workspaces: Workspaces,
}

impl Gpt {
    /// A model over a vocabulary of this many tokens, its weights drawn anew.
    ///
    /// # Errors
    /// [`LanguageError`] for a config or a vocabulary that is not allowed.
    pub fn new(config: &LanguageConfig, vocabulary: usize, seed: u64) -> Result<Self, LanguageError> {
        config.check()?;
        if !(1..=MOST_TOKENS).contains(&vocabulary) {
            return Err(LanguageError::Vocabulary { vocabulary, most: MOST_TOKENS });
        }
        let Definition { graph, losses, .. } = Definition::new(config, vocabulary);
        let plan = Plan::compile(&graph, &[losses], Self::chunk_rows(config))?;
        Ok(Self {
            context: config.context as usize,
            width: config.width as usize,
            vocabulary,
            network: Network::new(&graph, vec![plan], seed)?,
            batch: Batch::default(),
            losses: Vec::new(),
            workspaces: Workspaces::default(),
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

    /// Bytes that it holds: its weights as they are and as products read them, and working memory once it has run.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let losses = self.losses.capacity() * size_of::<f32>();
        self.network.bytes() + self.batch.bytes() + losses + self.workspaces.bytes()
    }

    /// The mean cross-entropy, in nats a token, over sequences of context + 1 tokens each, one after the other: how well each
    /// token but the first is predicted from those before it.
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
        let Self { context, vocabulary, network, batch, losses, workspaces, .. } = self;
        let rows = batch.fill(*context, *vocabulary, sequences)?;
        losses.resize(rows * *context, 0.0);
        let Batch { tokens, targets } = batch;
        network.evaluate(cpu, workspaces, 0, rows, &[tokens, targets], &mut [losses]);
        Ok(losses.chunks_exact(*context).map(mean).collect())
    }
}

impl Deref for Gpt {
    type Target = Network;

    fn deref(&self) -> &Network {
        &self.network
    }
}

/// The mean of some losses.
pub(crate) fn mean(losses: &[f32]) -> f64 {
    losses.iter().copied().map(f64::from).sum::<f64>() / losses.len() as f64
}
