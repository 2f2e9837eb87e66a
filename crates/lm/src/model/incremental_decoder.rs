//! Incremental decoding with a KV cache.
//!
//! The transformer is evaluated in segments between its attention layers. The keys and values of all previous tokens
//! are cached, so each new token costs one forward pass of one token plus attention over the cache.

use super::graph::GptDecodingGraph;
use super::{Gpt, TokenBatch};
use crate::config::LanguageConfig;
use crate::error::LanguageError;
use vivarium_graph::{GraphError, Plan, Workspace};
use vivarium_kernels::{Level, attention};

/// Maximum number of prompt tokens that are processed together in one matrix product.
const CHUNK_TOKENS: usize = 32;

/// Incremental decoder with a KV cache: the keys and values of every token in every layer.
///
/// If new tokens exceed the context, the decoder discards the oldest tokens and recomputes the cache for the latest
/// `context` / 2 tokens.
pub struct IncrementalDecoder {
    plans: Vec<Plan>,
    workspace: Workspace,
    heads: usize,
    /// Tokens whose keys and values are in the KV cache, at most the context length.
    tokens: Vec<u32>,
    /// Keys, values and queries of the cached tokens in each layer, each \[tokens, width\]. Queries are stored only to
    /// compute the displayed attention weights ([`attention`](Self::attention)).
    cache: Vec<[Vec<f32>; 3]>,
    buffers: DecoderBuffers,
    logits: Vec<f32>,
}

/// Working memory of a forward pass over new tokens, which are then appended to the KV cache.
#[derive(Default)]
struct DecoderBuffers {
    token: Vec<f32>,
    position: Vec<f32>,
    /// Residual stream of the new tokens, \[tokens, width\].
    x: Vec<f32>,
    next_x: Vec<f32>,
    /// Query, key and value of each new token, \[tokens, 3 width\].
    qkv: Vec<f32>,
    /// Output of the attention heads for each new token, \[tokens, width\].
    attended: Vec<f32>,
    scores: Vec<f32>,
}

impl IncrementalDecoder {
    /// Creates a decoder with an empty KV cache, for models with the hyperparameters `config` and a vocabulary of
    /// `vocabulary` tokens.
    ///
    /// # Errors
    /// [`GraphError`] if the graph cannot be built.
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Result<Self, GraphError> {
        let GptDecodingGraph { graph, layers, logits } = GptDecodingGraph::new(config, vocabulary);
        let mut plans = Vec::with_capacity(layers.len() + 1);
        for layer in &layers {
            plans.push(Plan::compile(&graph, layer, CHUNK_TOKENS)?);
        }
        plans.push(Plan::compile(&graph, &[logits], 1)?);
        Ok(Self {
            plans,
            workspace: Workspace::default(),
            heads: config.heads as usize,
            tokens: Vec::new(),
            cache: vec![Default::default(); layers.len()],
            buffers: DecoderBuffers::default(),
            logits: vec![0.0; vocabulary],
        })
    }

    /// Removes all tokens from the KV cache.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.cache.iter_mut().flatten().for_each(Vec::clear);
    }

    /// Truncates the KV cache to its first `tokens` tokens, to decode another continuation of these tokens.
    pub fn rewind(&mut self, tokens: usize) {
        let before = self.tokens.len();
        self.tokens.truncate(tokens);
        for rows in self.cache.iter_mut().flatten() {
            rows.truncate(rows.len() / before.max(1) * self.tokens.len());
        }
    }

    /// Returns the tokens whose keys and values are in the KV cache.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Appends `tokens` to the KV cache and returns the logits of the token that follows, \[vocabulary\].
    ///
    /// If the tokens exceed the context, the cache is recomputed for the latest `context` / 2 tokens.
    ///
    /// # Errors
    /// [`LanguageError`] for an empty slice, or a token outside the vocabulary; the cache is unchanged then.
    pub fn forward(&mut self, level: Level, gpt: &Gpt, tokens: &[u32]) -> Result<&[f32], LanguageError> {
        TokenBatch::check(gpt.vocabulary(), tokens)?;
        if tokens.is_empty() {
            return Err(LanguageError::Length { tokens: 0, len: 1 });
        }
        if self.tokens.len() + tokens.len() > gpt.context() {
            let mut latest = std::mem::take(&mut self.tokens);
            latest.extend_from_slice(tokens);
            self.clear();
            let kept = gpt.context().div_ceil(2);
            self.append(level, gpt, &latest[latest.len() - kept..]);
        } else {
            self.append(level, gpt, tokens);
        }
        Ok(&self.logits)
    }

    /// Computes the forward pass of new tokens, which must fit into the context. Appends their keys and values to the
    /// KV cache, and stores the logits of the next token.
    fn append(&mut self, level: Level, gpt: &Gpt, tokens: &[u32]) {
        let Self { plans, workspace, heads, cache, buffers, logits, .. } = self;
        let (first, count, width) = (self.tokens.len(), tokens.len(), gpt.width());
        buffers.fit(first, tokens, width);
        let mut run = |plan: &Plan, count: usize, inputs: [&[f32]; 4], outputs: &mut [&mut [f32]]| {
            gpt.evaluate_single_threaded(plan, workspace, count, &inputs, outputs);
        };
        let DecoderBuffers { token, position, x, next_x, qkv, attended, scores } = buffers;
        run(&plans[0], count, [token, position, &[], &[]], &mut [x, qkv]);
        for (plan, [keys, values, queries]) in plans[1..].iter().zip(cache) {
            for token in qkv.chunks_exact(3 * width) {
                queries.extend_from_slice(&token[..width]);
                keys.extend_from_slice(&token[width..2 * width]);
                values.extend_from_slice(&token[2 * width..]);
            }
            let queried = qkv.chunks_exact(3 * width).zip(attended.chunks_exact_mut(width));
            for (row, (token, attended)) in queried.enumerate() {
                let scores = &mut scores[..first + row + 1];
                attention::decode_attention(level, *heads, &token[..width], keys, values, attended, scores);
            }
            if plan.outputs().len() == 2 {
                run(plan, count, [&[], &[], x, attended], &mut [next_x, qkv]);
                std::mem::swap(x, next_x);
            } else {
                // Only the logits after the last token are needed.
                let last = (count - 1) * width;
                run(plan, 1, [&[], &[], &x[last..], &attended[last..]], &mut [logits]);
            }
        }
        self.tokens.extend_from_slice(tokens);
    }
}

/// Computation of attention weights from the KV cache, for display.
impl IncrementalDecoder {
    /// Returns the attention weights of a layer among the last `count` tokens, \[heads, count queries, count keys\].
    ///
    /// Weights of masked (later) keys are 0. The softmax includes the keys of earlier tokens, whose weights are
    /// omitted. Empty if the layer does not exist.
    #[must_use]
    pub fn attention(&self, layer: usize, count: usize) -> Vec<f32> {
        let Some([keys, _, queries]) = self.cache.get(layer) else { return Vec::new() };
        let tokens = self.tokens.len();
        let (count, width) = (count.min(tokens), keys.len() / tokens.max(1));
        let (first, head_width) = (tokens - count, width / self.heads);
        let mut weights = vec![0.0; self.heads * count * count];
        let mut scores = Vec::with_capacity(tokens);
        for (place, row) in weights.chunks_exact_mut(count.max(1)).enumerate() {
            let (head, token) = (place / count, first + place % count);
            let columns = head * head_width..(head + 1) * head_width;
            let query = &queries[token * width..][columns.clone()];
            scores.clear();
            scores.extend(
                keys.chunks_exact(width).take(token + 1).map(|key| dot(query, &key[columns.clone()])),
            );
            softmax(&mut scores, 1.0 / (head_width as f32).sqrt());
            row[..=token - first].copy_from_slice(&scores[first..]);
        }
        weights
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Replaces `scores` by softmax(factor · scores).
fn softmax(scores: &mut [f32], factor: f32) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (factor * (*score - largest)).exp());
    let whole = 1.0 / scores.iter().sum::<f32>();
    scores.iter_mut().for_each(|score| *score *= whole);
}

impl DecoderBuffers {
    /// Prepares the working memory for new tokens: stores `tokens` and their positions in the context (from `first` on)
    /// as network inputs, and resizes the other buffers to the number of tokens.
    fn fit(&mut self, first: usize, tokens: &[u32], width: usize) {
        let count = tokens.len();
        self.token = tokens.iter().map(|&token| token as f32).collect();
        self.position = (first..first + count).map(|position| position as f32).collect();
        for numbers in [&mut self.x, &mut self.next_x, &mut self.attended] {
            numbers.resize(count * width, 0.0);
        }
        self.qkv.resize(count * 3 * width, 0.0);
        self.scores.resize(first + count, 0.0);
    }
}
