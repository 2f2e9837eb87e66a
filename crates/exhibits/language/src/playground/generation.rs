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

/// Generation of one text in the playground. The model processes the tokens of the prompt one by one, like generated
/// tokens, because front ends display the probability of each token.
pub(super) struct TextGeneration {
    /// Identifier of the text: number of texts that the run has started, including this text.
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
    /// Tokens that the model has generated for this text, without the prompt.
    written: Vec<u32>,
    /// Logits of the next token, one for each token of the vocabulary; empty before the model has processed a token.
    logits: Vec<f32>,
    /// Most probable candidates for the next token, in descending order of probability.
    next: Vec<LanguageAlternative>,
}

/// Parameters of a text generation: ID, origin, prompt, sampling settings, gradient steps of the model, random stream.
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
    /// Creates a text that consists of a prompt; the model has not processed the prompt yet.
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

    /// Copies `tokens` from another text to the start of this text, and fills the KV cache with their keys and values.
    /// If the tokens are more than half the context length, only the last half context length of tokens is cached.
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

    /// Computes the model's forward pass on `tokens`. Stores the logits and the most probable candidates of the next
    /// token.
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

    /// Advances the generation of the text by one token: processes the next token of the prompt, or generates a token
    /// after the last token of the prompt.
    ///
    /// # Errors
    /// [`LabError`] if the model or the tokenizer has changed since the text was started.
    pub(super) fn advance(&mut self, model: &GenerationModel<'_>) -> Result<(), LabError> {
        let (token, prompt) = match self.unread.pop_front() {
            Some(token) => (token, true),
            None => (self.sample(model.tokenizer.end_of_document()), false),
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

    /// Samples the next token from the stored logits, with the temperature and top-k of the sampling settings. Excludes
    /// the end-of-document token `end` before the minimum length.
    fn sample(&mut self, end: Option<u32>) -> u32 {
        let LanguageSampling { temperature, top_k, min_tokens, .. } = self.settings;
        let sampling = Sampling { temperature, top_k: top_k as usize };
        let excluded = end.filter(|_| self.written.len() < min_tokens as usize);
        let Some(end) = excluded else { return sampling.sample(&self.logits, &mut self.random) };
        let logit = std::mem::replace(&mut self.logits[end as usize], f32::NEG_INFINITY);
        let token = sampling.sample(&self.logits, &mut self.random);
        // The page shows the model's probabilities, which include the end.
        self.logits[end as usize] = logit;
        token
    }

    /// Returns the generated text without the prompt.
    pub(super) fn text(&self, model: &GenerationModel<'_>) -> String {
        model.tokenizer.text(&self.written).unwrap_or_default()
    }

    /// Returns the JSON document `draft` of this text, without the first `sent` tokens, which front ends already have.
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

    /// Returns the frame arrays `attention` and `attention/first`: attention weights of layer `layer` among the last
    /// tokens of this text, at most 256. Returns no arrays before the first token.
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
