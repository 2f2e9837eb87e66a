//! Reading token by token, with the keys and values of what was read before kept.

use super::definition::Stages;
use super::{Batch, Gpt};
use crate::config::LanguageConfig;
use crate::error::LanguageError;
use vivarium_graph::{GraphError, Plan, Workspace};
use vivarium_kernels::{Level, attention};

/// Tokens that go through a layer together while a text is read.
const CHUNK_TOKENS: usize = 32;

/// What a model knows of a text that it reads: the keys and values of each token in each layer, so that one token more
/// costs no more than itself.
pub struct Reader {
    plans: Vec<Plan>,
    workspace: Workspace,
    heads: usize,
    /// What was read, as far back as the model sees.
    tokens: Vec<u32>,
    /// The keys, the values and the queries of each layer, a row for each token. Queries are kept for those who want to know
    /// what was looked at.
    memory: Vec<[Vec<f32>; 3]>,
    rows: Rows,
    logits: Vec<f32>,
}

/// Working memory: a row for each token that is read now.
#[derive(Default)]
struct Rows {
    token: Vec<f32>,
    position: Vec<f32>,
    /// What stands for it between two layers.
    x: Vec<f32>,
    next_x: Vec<f32>,
    /// Its query, key and value.
    qkv: Vec<f32>,
    /// What it finds in attention.
    found: Vec<f32>,
    scores: Vec<f32>,
}

impl Reader {
    /// One that has read nothing, for models of this config and vocabulary.
    ///
    /// # Errors
    /// [`GraphError`] if the network cannot be built.
    pub fn new(config: &LanguageConfig, vocabulary: usize) -> Result<Self, GraphError> {
        let Stages { graph, layers, logits } = Stages::new(config, vocabulary);
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
            memory: vec![Default::default(); layers.len()],
            rows: Rows::default(),
            logits: vec![0.0; vocabulary],
        })
    }

    /// Forgets what was read.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.memory.iter_mut().flatten().for_each(Vec::clear);
    }

    /// Forgets all but the first so many tokens of those that it knows, to read on from there in another way.
    pub fn rewind(&mut self, tokens: usize) {
        let before = self.tokens.len();
        self.tokens.truncate(tokens);
        for rows in self.memory.iter_mut().flatten() {
            rows.truncate(rows.len() / before.max(1) * self.tokens.len());
        }
    }

    /// What was read, as far back as the model still knows it.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Reads on, and gives the logits of the token that comes next. Where the text becomes longer than the model can see, it
    /// begins anew with the latest tokens, half as many as it can.
    ///
    /// # Errors
    /// [`LanguageError`] for no tokens, or one that is not in the vocabulary; nothing is read then.
    pub fn read(&mut self, level: Level, gpt: &Gpt, tokens: &[u32]) -> Result<&[f32], LanguageError> {
        Batch::check(gpt.vocabulary(), tokens)?;
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

    /// Takes tokens through all layers, for which there is room.
    fn append(&mut self, level: Level, gpt: &Gpt, tokens: &[u32]) {
        let Self { plans, workspace, heads, memory, rows, logits, .. } = self;
        let (first, count, width) = (self.tokens.len(), tokens.len(), gpt.width());
        rows.fit(first, tokens, width);
        let mut run = |plan: &Plan, count: usize, inputs: [&[f32]; 4], outputs: &mut [&mut [f32]]| {
            gpt.evaluate_here(plan, workspace, count, &inputs, outputs);
        };
        let Rows { token, position, x, next_x, qkv, found, scores } = rows;
        run(&plans[0], count, [token, position, &[], &[]], &mut [x, qkv]);
        for (plan, [keys, values, queries]) in plans[1..].iter().zip(memory) {
            for token in qkv.chunks_exact(3 * width) {
                queries.extend_from_slice(&token[..width]);
                keys.extend_from_slice(&token[width..2 * width]);
                values.extend_from_slice(&token[2 * width..]);
            }
            let askers = qkv.chunks_exact(3 * width).zip(found.chunks_exact_mut(width));
            for (row, (token, found)) in askers.enumerate() {
                let scores = &mut scores[..first + row + 1];
                attention::attend(level, *heads, &token[..width], keys, values, found, scores);
            }
            if plan.outputs().len() == 2 {
                run(plan, count, [&[], &[], x, found], &mut [next_x, qkv]);
                std::mem::swap(x, next_x);
            } else {
                // Nobody asks what comes after the tokens before the last one.
                let last = (count - 1) * width;
                run(plan, 1, [&[], &[], &x[last..], &found[last..]], &mut [logits]);
            }
        }
        self.tokens.extend_from_slice(tokens);
    }
}

/// What tokens looked at while they were read.
impl Reader {
    /// How much each of the last `count` tokens looked at each of them, in each head of a layer: \[heads, count, count\], with
    /// the token that looks before the one that it looks at. 0 where it could not look ahead. What it saw of tokens before
    /// these is left out. Empty for a layer that there is not.
    #[must_use]
    pub fn attention(&self, layer: usize, count: usize) -> Vec<f32> {
        let Some([keys, _, queries]) = self.memory.get(layer) else { return Vec::new() };
        let tokens = self.tokens.len();
        let (count, width) = (count.min(tokens), keys.len() / tokens.max(1));
        let (first, head_width) = (tokens - count, width / self.heads);
        let mut weights = vec![0.0; self.heads * count * count];
        let mut scores = Vec::with_capacity(tokens);
        for (place, row) in weights.chunks_exact_mut(count.max(1)).enumerate() {
            let (head, asker) = (place / count, first + place % count);
            let columns = head * head_width..(head + 1) * head_width;
            let query = &queries[asker * width..][columns.clone()];
            scores.clear();
            scores.extend(
                keys.chunks_exact(width).take(asker + 1).map(|key| dot(query, &key[columns.clone()])),
            );
            softmax(&mut scores, 1.0 / (head_width as f32).sqrt());
            row[..=asker - first].copy_from_slice(&scores[first..]);
        }
        weights
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Softmax of these times a factor.
fn softmax(scores: &mut [f32], factor: f32) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (factor * (*score - largest)).exp());
    let whole = 1.0 / scores.iter().sum::<f32>();
    scores.iter_mut().for_each(|score| *score *= whole);
}

impl Rows {
    fn fit(&mut self, first: usize, tokens: &[u32], width: usize) {
        let count = tokens.len();
        self.token = tokens.iter().map(|&token| token as f32).collect();
        self.position = (first..first + count).map(|position| position as f32).collect();
        for numbers in [&mut self.x, &mut self.next_x, &mut self.found] {
            numbers.resize(count * width, 0.0);
        }
        self.qkv.resize(count * 3 * width, 0.0);
        self.scores.resize(first + count, 0.0);
    }
}
