//! A text on its way: a prompt, and what the model makes of it.

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

/// The most tokens whose attention to each other is shown.
const MOST_LOOKED_AT: usize = 256;

/// A text on its way. The model reads it token by token, those that it writes as well, so that what it thinks of each is
/// known.
pub(super) struct TextGeneration {
    /// Counts the texts that were begun.
    pub(super) number: u32,
    by: LanguageAuthor,
    updates: u64,
    pub(super) status: LanguageDraftStatus,
    settings: LanguageSampling,
    random: Stream,
    decoder: IncrementalDecoder,
    /// Tokens of the prompt that are still to be read.
    unread: VecDeque<u32>,
    pub(super) tokens: Vec<LanguageToken>,
    /// What was written.
    written: Vec<u32>,
    /// What the model says of the token after the last one; empty before there is one.
    logits: Vec<f32>,
    next: Vec<LanguageAlternative>,
}

/// What a text is begun with.
pub(super) struct GenerationRequest {
    pub(super) number: u32,
    pub(super) by: LanguageAuthor,
    /// The tokens of its prompt.
    pub(super) unread: Vec<u32>,
    pub(super) settings: LanguageSampling,
    pub(super) updates: u64,
    pub(super) random: Stream,
}

impl TextGeneration {
    /// One of which nothing is read yet.
    ///
    /// # Errors
    /// [`LabError`] where there cannot be a decoder.
    pub(super) fn new(writer: &GenerationModel<'_>, order: GenerationRequest) -> Result<Self, LabError> {
        let GenerationRequest { number, by, unread, settings, updates, random } = order;
        let decoder = IncrementalDecoder::new(writer.config, writer.gpt.vocabulary());
        let decoder = decoder.map_err(LanguageError::from)?;
        Ok(Self {
            number,
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

    /// Goes on from the beginning of another text, as it was shown. The model reads again what it sees of it: where that is
    /// long, half of what it can see, so that there is room for more.
    ///
    /// # Errors
    /// [`LabError`] if the tokens are those of another tokenizer.
    pub(super) fn follow(
        &mut self,
        writer: &GenerationModel<'_>,
        tokens: Vec<LanguageToken>,
    ) -> Result<(), LabError> {
        let first = tokens.len().saturating_sub(writer.gpt.context().div_ceil(2));
        let seen: Vec<u32> = tokens[first..].iter().map(|token| token.token).collect();
        self.tokens = tokens;
        if seen.is_empty() { Ok(()) } else { self.read(writer, &seen) }
    }

    /// Has the model read on.
    fn read(&mut self, writer: &GenerationModel<'_>, tokens: &[u32]) -> Result<(), LabError> {
        let logits = self.decoder.forward(writer.level, writer.gpt, tokens)?;
        self.logits.clear();
        self.logits.extend_from_slice(logits);
        self.next = top_alternatives(writer.tokenizer, &self.logits);
        Ok(())
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.status == LanguageDraftStatus::Writing
    }

    /// Reads the next token of the prompt, or writes one more.
    ///
    /// # Errors
    /// [`LabError`] if model or tokenizer are others than at first.
    pub(super) fn advance(&mut self, writer: &GenerationModel<'_>) -> Result<(), LabError> {
        let (token, prompt) = match self.unread.pop_front() {
            Some(token) => (token, true),
            None => (self.choose(), false),
        };
        if !prompt && writer.tokenizer.end_of_document() == Some(token) {
            self.status = LanguageDraftStatus::Done;
            return Ok(());
        }
        let known = !self.logits.is_empty();
        let probability = known.then(|| Probabilities::new(&self.logits).of(token) as f32);
        let alternatives = std::mem::take(&mut self.next);
        self.read(writer, &[token])?;
        let text = shown(writer.tokenizer, token);
        self.tokens.push(LanguageToken { token, text, prompt, probability, alternatives });
        if !prompt {
            self.written.push(token);
        }
        if self.unread.is_empty() && self.written.len() >= self.settings.tokens as usize {
            self.status = LanguageDraftStatus::Done;
        }
        Ok(())
    }

    fn choose(&mut self) -> u32 {
        let LanguageSampling { temperature, top_k, .. } = self.settings;
        let sampling = Sampling { temperature, top_k: top_k as usize };
        sampling.sample(&self.logits, &mut self.random)
    }

    /// What was written where the prompt ends.
    pub(super) fn text(&self, writer: &GenerationModel<'_>) -> String {
        writer.tokenizer.text(&self.written).unwrap_or_default()
    }

    /// The document, without its first `sent` tokens.
    pub(super) fn document(&self, sent: usize) -> LanguageDraft {
        LanguageDraft {
            writing: self.number,
            by: self.by,
            updates: self.updates,
            status: self.status,
            first: sent as u32,
            tokens: self.tokens[sent..].to_vec(),
        }
    }

    /// What its last tokens looked at in a layer; nothing before there are any.
    pub(super) fn attention(&self, layer: u32, heads: u32) -> Vec<FrameArray> {
        let count = self.decoder.tokens().len().min(MOST_LOOKED_AT);
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
