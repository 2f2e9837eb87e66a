//! Generation of one text of the playground, with the probabilities and alternatives of each token.

use super::generation_model::GenerationModel;
use crate::protocol::{
    LanguageAlternative, LanguageAuthor, LanguageDraft, LanguageDraftStatus, LanguageSampling, LanguageToken,
};
use crate::tokens::{Probabilities, shown, top_alternatives};
use std::collections::VecDeque;
use vivarium_kernels::rng::Stream;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::FrameArray;
use vivarium_lm::{IncrementalDecoder, LanguageError, Sampling};

/// Maximum number of tokens for which attention weights are displayed.
const MAX_ATTENTION_TOKENS: usize = 256;

/// Generation of one text of the playground. Prompt tokens are processed one by one, like generated tokens, because the
/// probability of each token is displayed.
pub(super) struct TextGeneration {
    /// ID of the text: number of texts started up to and including this text.
    pub(super) id: u32,
    by: LanguageAuthor,
    updates: u64,
    pub(super) status: LanguageDraftStatus,
    settings: LanguageSampling,
    random: Stream,
    decoder: IncrementalDecoder,
    /// Tokens of the prompt that the model has not processed yet.
    unread: VecDeque<u32>,
    pub(super) tokens: Vec<LanguageToken>,
    /// Tokens generated so far, without the prompt.
    written: Vec<u32>,
    /// Logits of the next token; empty before the first token is processed.
    logits: Vec<f32>,
    /// Most probable tokens for the next position, in descending order of probability.
    next: Vec<LanguageAlternative>,
}

/// Parameters of a text generation: prompt, sampling settings and origin.
pub(super) struct GenerationRequest {
    pub(super) id: u32,
    pub(super) by: LanguageAuthor,
    /// Tokens of the prompt, none of which the model has processed yet.
    pub(super) unread: Vec<u32>,
    pub(super) settings: LanguageSampling,
    pub(super) updates: u64,
    pub(super) random: Stream,
}

impl TextGeneration {
    /// Creates a text whose prompt the model has not processed yet.
    ///
    /// # Errors
    /// [`LabError`] if the decoder cannot be built.
    pub(super) fn new(model: &GenerationModel<'_>, order: GenerationRequest) -> Result<Self, LabError> {
        let GenerationRequest { id, by, unread, settings, updates, random } = order;
        let decoder = IncrementalDecoder::new(model.config, model.gpt.vocabulary());
        let decoder = decoder.map_err(LanguageError::from)?;
        Ok(Self {
            id,
            by,
            updates,
            status: LanguageDraftStatus::Writing,
            settings,
            random,
            decoder,
            unread: unread.into(),
            tokens: Vec::new(),
            written: Vec::new(),
            logits: Vec::new(),
            next: Vec::new(),
        })
    }

    /// Starts this text with `tokens`, which were copied from another text, and computes their keys and values for the
    /// KV cache. Of more tokens than half the context length, only the last half context is processed.
    ///
    /// # Errors
    /// [`LabError`] if a token is not in the vocabulary of the model.
    pub(super) fn follow(
        &mut self,
        model: &GenerationModel<'_>,
        tokens: Vec<LanguageToken>,
    ) -> Result<(), LabError> {
        let first = tokens.len().saturating_sub(model.gpt.context().div_ceil(2));
        let seen: Vec<u32> = tokens[first..].iter().map(|token| token.token).collect();
        self.tokens = tokens;
        if seen.is_empty() { Ok(()) } else { self.read(model, &seen) }
    }

    /// Processes `tokens` with the model, and stores the logits and the most probable candidates of the next token.
    fn read(&mut self, model: &GenerationModel<'_>, tokens: &[u32]) -> Result<(), LabError> {
        let logits = self.decoder.forward(model.level, model.gpt, tokens)?;
        self.logits.clear();
        self.logits.extend_from_slice(logits);
        self.next = top_alternatives(model.tokenizer, &self.logits);
        Ok(())
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.status == LanguageDraftStatus::Writing
    }

    /// Processes the next prompt token with the model, or generates a token if the prompt is processed.
    ///
    /// # Errors
    /// [`LabError`] if the model or the tokenizer has changed since the text was started.
    pub(super) fn advance(&mut self, model: &GenerationModel<'_>) -> Result<(), LabError> {
        let (token, prompt) = match self.unread.pop_front() {
            Some(token) => (token, true),
            None => (self.sample(), false),
        };
        if !prompt && model.tokenizer.end_of_document() == Some(token) {
            self.status = LanguageDraftStatus::Done;
            return Ok(());
        }
        let known = !self.logits.is_empty();
        let probability = known.then(|| Probabilities::new(&self.logits).of(token) as f32);
        let alternatives = std::mem::take(&mut self.next);
        self.read(model, &[token])?;
        let text = shown(model.tokenizer, token);
        self.tokens.push(LanguageToken { token, text, prompt, probability, alternatives });
        if !prompt {
            self.written.push(token);
        }
        if self.unread.is_empty() && self.written.len() >= self.settings.tokens as usize {
            self.status = LanguageDraftStatus::Done;
        }
        Ok(())
    }

    /// Samples the next token from the stored logits, according to the sampling settings.
    fn sample(&mut self) -> u32 {
        let LanguageSampling { temperature, top_k, .. } = self.settings;
        let sampling = Sampling { temperature, top_k: top_k as usize };
        sampling.sample(&self.logits, &mut self.random)
    }

    /// Returns the generated text without the prompt.
    pub(super) fn text(&self, model: &GenerationModel<'_>) -> String {
        model.tokenizer.text(&self.written).unwrap_or_default()
    }

    /// Returns the JSON document `draft` without the first `sent` tokens.
    pub(super) fn document(&self, sent: usize) -> LanguageDraft {
        LanguageDraft {
            id: self.id,
            by: self.by,
            updates: self.updates,
            status: self.status,
            first: sent as u32,
            tokens: self.tokens[sent..].to_vec(),
        }
    }

    /// Returns the frame arrays `attention` and `attention/first` of layer `layer`, over at most the last 256 tokens;
    /// empty before the first token.
    pub(super) fn attention(&self, layer: u32, heads: u32) -> Vec<FrameArray> {
        let count = self.decoder.tokens().len().min(MAX_ATTENTION_TOKENS);
        let weights = self.decoder.attention(layer as usize, count);
        if weights.is_empty() {
            return Vec::new();
        }
        let bytes = weights.iter().map(|weight| (255.0 * weight).round() as u8).collect();
        let size = count as u32;
        let first = (self.tokens.len() - count) as f32;
        vec![
            FrameArray::u8("attention", &[heads, size, size], bytes),
            FrameArray::f32("attention/first", &[1], vec![first]),
        ]
    }
}
