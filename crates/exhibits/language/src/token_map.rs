//! The map of the model's tokens.

use super::tokens::{kind, shown};
use super::trained_model::TrainedModel;
use crate::protocol::LanguageEmbeddings;
use vivarium_lab::protocol::FrameArray;
use vivarium_lm::EmbeddingMap;

/// The most tokens on the map.
const MOST_TOKENS: usize = 512;

/// Seconds between two maps.
const PATIENCE: f32 = 0.5;

/// The map, and what is known of the tokens on it.
#[derive(Default)]
pub(super) struct TokenMap {
    map: EmbeddingMap,
    /// How often each token of the vocabulary occurs in the text; empty before that is known.
    counts: Vec<u32>,
    /// Gradient steps of the model that was shown last; `None` where another map is wanted at once.
    shown: Option<u64>,
    /// Seconds since then.
    since: f32,
}

impl TokenMap {
    /// Counts the tokens of a text.
    pub(super) fn count(&mut self, vocabulary: usize, tokens: &[u32]) {
        self.counts = vec![0; vocabulary];
        tokens.iter().for_each(|&token| self.counts[token as usize] += 1);
        self.shown = None;
    }

    /// Forgets that it was shown.
    pub(super) fn put_away(&mut self) {
        self.shown = None;
    }

    /// The map after so many seconds more, if there is a new one: its tokens, and the array of their positions.
    pub(super) fn picture(
        &mut self,
        model: &TrainedModel,
        passed: f32,
    ) -> Option<(LanguageEmbeddings, FrameArray)> {
        let updates = model.trainer.updates();
        self.since += passed;
        let is_due = self.shown.is_none_or(|shown| shown != updates && self.since >= PATIENCE);
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
        let places = self.map.project(model.trainer.model(), &tokens);
        Some((document, FrameArray::f32("embeddings/positions", &[tokens.len() as u32, 2], places)))
    }

    /// The tokens on the map. Before any are counted, those that were made first, which are the most frequent.
    fn most_frequent(&self, vocabulary: usize) -> Vec<u32> {
        let mut tokens: Vec<u32> = (0..vocabulary as u32).collect();
        if !self.counts.is_empty() {
            tokens.retain(|&token| self.counts[token as usize] > 0);
            tokens.sort_by_key(|&token| std::cmp::Reverse(self.counts[token as usize]));
        }
        tokens.truncate(MOST_TOKENS);
        tokens
    }
}
