//! Two-dimensional map of the token embeddings, for display.

use super::tokens::{kind, shown};
use super::trained_model::TrainedModel;
use crate::protocol::LanguageEmbeddings;
use vivarium_lab::protocol::FrameArray;
use vivarium_lm::EmbeddingMap;

/// Maximum number of tokens on the embedding map.
const MAX_TOKENS: usize = 512;

/// Minimum time between two sent embedding maps, in seconds.
const MIN_INTERVAL: f32 = 0.5;

/// Two-dimensional map of the token embeddings, and the counts of the tokens in the training text. The most frequent
/// tokens are on the map.
#[derive(Default)]
pub(super) struct TokenMap {
    map: EmbeddingMap,
    /// Number of occurrences of each token of the vocabulary in the training text; empty before the text is tokenized.
    counts: Vec<u32>,
    /// Number of gradient steps of the model when the last sent map was computed; `None` if the next frame must contain
    /// a new map.
    shown: Option<u64>,
    /// Seconds since the last embedding map was sent.
    since: f32,
}

impl TokenMap {
    /// Replaces the token counts by the number of occurrences of each token in `tokens`, a text whose tokenizer has a
    /// vocabulary of `vocabulary` tokens.
    pub(super) fn count(&mut self, vocabulary: usize, tokens: &[u32]) {
        self.counts = vec![0; vocabulary];
        tokens.iter().for_each(|&token| self.counts[token as usize] += 1);
        self.shown = None;
    }

    /// Makes the next frame that requests the map contain a new map.
    pub(super) fn reset(&mut self) {
        self.shown = None;
    }

    /// Returns the tokens and the positions of a new embedding map; `None` if no map is due. `passed` is the time since
    /// the last call in seconds.
    pub(super) fn picture(
        &mut self,
        model: &TrainedModel,
        passed: f32,
    ) -> Option<(LanguageEmbeddings, FrameArray)> {
        let updates = model.trainer().updates();
        self.since += passed;
        let is_due = self.shown.is_none_or(|shown| shown != updates && self.since >= MIN_INTERVAL);
        if !is_due {
            return None;
        }
        (self.shown, self.since) = (Some(updates), 0.0);
        let tokenizer = &model.tokenizer;
        let tokens = self.most_frequent(tokenizer.vocabulary());
        let whole = self.counts.iter().map(|&count| f64::from(count)).sum::<f64>().max(1.0);
        let share = |&token: &u32| {
            let count = self.counts.get(token as usize).copied().unwrap_or(0);
            (f64::from(count) / whole) as f32
        };
        let document = LanguageEmbeddings {
            tokens: tokens.iter().map(|&token| shown(tokenizer, token)).collect(),
            kinds: tokens.iter().map(|&token| kind(tokenizer, token)).collect(),
            counts: tokens.iter().map(share).collect(),
            updates,
        };
        let places = self.map.project(model.trainer().model(), &tokens);
        Some((document, FrameArray::f32("embeddings/positions", &[tokens.len() as u32, 2], places)))
    }

    /// Returns the tokens to place on the embedding map, most frequent first. If the tokens are not counted yet,
    /// returns the first tokens of the vocabulary.
    fn most_frequent(&self, vocabulary: usize) -> Vec<u32> {
        let mut tokens: Vec<u32> = (0..vocabulary as u32).collect();
        if !self.counts.is_empty() {
            tokens.retain(|&token| self.counts[token as usize] > 0);
            tokens.sort_by_key(|&token| std::cmp::Reverse(self.counts[token as usize]));
        }
        tokens.truncate(MAX_TOKENS);
        tokens
    }
}
