//! Weights of a model, and its loss on token sequences.

use super::{GptGraph, TokenBatch};
use crate::config::LanguageConfig;
use crate::error::LanguageError;
use std::ops::Deref;
use vivarium_graph::{Cpu, Plan, Workspaces};
use vivarium_learn::Network;

/// Minimum number of tokens in a matrix product of the forward pass. Sequences with fewer tokens are processed
/// together, so that each weight is loaded from memory once for many tokens.
const CHUNK_TOKENS: usize = 128;

/// Maximum vocabulary size in tokens, because token indices must be exact in f32.
const MAX_TOKENS: usize = 1 << 20;

/// Transformer language model. Weights have the names of GPT-2's checkpoints.
///
/// Dereferences to its [`Network`].
pub struct Gpt {
    context: usize,
    width: usize,
    vocabulary: usize,
    /// Weights, and the compiled forward pass (plan 0) that computes the cross-entropy of each target token.
    pub(crate) network: Network,
    batch: TokenBatch,
    losses: Vec<f32>,
    workspaces: Workspaces,
}

impl Gpt {
    /// Creates a model with randomly initialized weights over `vocabulary` tokens.
    ///
    /// # Errors
    /// [`LanguageError`] for an invalid config or vocabulary size.
    pub fn new(config: &LanguageConfig, vocabulary: usize, seed: u64) -> Result<Self, LanguageError> {
        config.check()?;
        if !(1..=MAX_TOKENS).contains(&vocabulary) {
            return Err(LanguageError::Vocabulary { vocabulary, most: MAX_TOKENS });
        }
        let GptGraph { graph, losses, .. } = GptGraph::new(config, vocabulary);
        let plan = Plan::compile(&graph, &[losses], Self::chunk_rows(config))?;
        Ok(Self {
            context: config.context as usize,
            width: config.width as usize,
            vocabulary,
            network: Network::new(&graph, vec![plan], seed)?,
            batch: TokenBatch::default(),
            losses: Vec::new(),
            workspaces: Workspaces::default(),
        })
    }

    /// Returns the number of sequences that the forward pass processes together. These sequences have at least
    /// [`CHUNK_TOKENS`] tokens.
    pub(crate) fn chunk_rows(config: &LanguageConfig) -> usize {
        CHUNK_TOKENS.div_ceil(config.context as usize)
    }

    /// Returns the context length in tokens.
    #[must_use]
    pub fn context(&self) -> usize {
        self.context
    }

    /// Returns the vocabulary size of the model in tokens.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// Returns the embedding width, the dimension of the residual stream.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns the allocated memory of the model in bytes: weights, packed copies of the weights for matrix products,
    /// and working memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let losses = self.losses.capacity() * size_of::<f32>();
        self.network.bytes() + self.batch.bytes() + losses + self.workspaces.bytes()
    }

    /// Returns the model's mean cross-entropy in nats per token on `sequences`, concatenated sequences of context + 1
    /// tokens each.
    ///
    /// # Errors
    /// [`LanguageError`] for a wrong number of tokens, or a token outside the vocabulary.
    pub fn loss(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<f64, LanguageError> {
        let losses = self.losses(cpu, sequences)?;
        Ok(losses.iter().sum::<f64>() / losses.len() as f64)
    }

    /// Returns the model's mean cross-entropy in nats per token on each of the concatenated `sequences` of context + 1
    /// tokens.
    ///
    /// # Errors
    /// [`LanguageError`] for a wrong number of tokens, or a token outside the vocabulary.
    pub fn losses(&mut self, cpu: &Cpu, sequences: &[u32]) -> Result<Vec<f64>, LanguageError> {
        let Self { context, vocabulary, network, batch, losses, workspaces, .. } = self;
        let rows = batch.fill(*context, *vocabulary, sequences)?;
        losses.resize(rows * *context, 0.0);
        let TokenBatch { tokens, targets } = batch;
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

/// Returns the mean of `losses` (one per token), summed in f64.
pub(crate) fn mean(losses: &[f32]) -> f64 {
    losses.iter().copied().map(f64::from).sum::<f64>() / losses.len() as f64
}
