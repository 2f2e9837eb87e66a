//! Text generation: autoregressive sampling from a prompt.

use crate::config::LanguageConfig;
use crate::error::LanguageError;
use crate::model::{Gpt, IncrementalDecoder};
use crate::sampling::Sampling;
use crate::tokenizer::Tokenizer;
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// Stream number of the random numbers for sampling.
const SAMPLING_STREAM: u32 = 0x3217_0001;

/// Autoregressive text generation with a KV cache, one token per call.
pub struct TextGenerator {
    decoder: IncrementalDecoder,
    sampling: Sampling,
    random: Stream,
    /// The sampled token that the model has not processed yet; `None` after the end-of-document token.
    next: Option<u32>,
    /// First bytes of a UTF-8 character that later tokens complete.
    partial: Vec<u8>,
}

impl TextGenerator {
    /// Processes a prompt. An empty prompt starts a new document.
    ///
    /// # Errors
    /// [`LanguageError::Prompt`] for a prompt longer than the context; [`LanguageError::Text`] for characters outside the
    /// vocabulary.
    pub fn new(
        level: Level,
        config: &LanguageConfig,
        gpt: &Gpt,
        tokenizer: &Tokenizer,
        prompt: &str,
        (sampling, seed): (Sampling, u64),
    ) -> Result<Self, LanguageError> {
        let mut tokens = tokenizer.tokens(prompt)?;
        if tokens.is_empty() {
            tokens.push(tokenizer.beginning());
        }
        if tokens.len() > gpt.context() {
            return Err(LanguageError::Prompt { tokens: tokens.len(), context: gpt.context() });
        }
        let mut decoder = IncrementalDecoder::new(config, gpt.vocabulary())?;
        let mut random = Stream::new(seed, SAMPLING_STREAM);
        let first = sampling.sample(decoder.forward(level, gpt, &tokens)?, &mut random);
        let next = Some(first).filter(|&token| Some(token) != tokenizer.end_of_document());
        Ok(Self { decoder, sampling, random, next, partial: Vec::new() })
    }

    /// Generates one token. Returns the characters that it completes (possibly none), or `None` after the end-of-document
    /// token.
    ///
    /// # Errors
    /// [`LanguageError`] if model or tokenizer differ from those of [`new`](Self::new).
    pub fn advance(
        &mut self,
        level: Level,
        gpt: &Gpt,
        tokenizer: &Tokenizer,
    ) -> Result<Option<String>, LanguageError> {
        let Some(token) = self.next else { return Ok(None) };
        tokenizer.decode(&[token], &mut self.partial)?;
        let logits = self.decoder.forward(level, gpt, &[token])?;
        let next = self.sampling.sample(logits, &mut self.random);
        self.next = Some(next).filter(|&token| Some(token) != tokenizer.end_of_document());
        Ok(Some(self.complete()))
    }

    /// Returns the complete characters. Invalid UTF-8 becomes U+FFFD.
    fn complete(&mut self) -> String {
        let bytes = std::mem::take(&mut self.partial);
        let mut text = String::new();
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let wrong = chunk.invalid();
            // A model can generate an incomplete character.
            match wrong {
                [] => {}
                _ if chunks.peek().is_none() && is_beginning(wrong) && self.next.is_some() => {
                    self.partial = wrong.to_vec();
                }
                _ => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        text
    }
}

/// Returns whether `bytes` are a proper prefix of a UTF-8 character.
fn is_beginning(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_characters_are_recognized() {
        let [first, second, third] = *"中".as_bytes() else { unreachable!("three bytes") };
        assert!(is_beginning(&[first]) && is_beginning(&[first, second]));
        assert!(!is_beginning(&[first, second, third]) && !is_beginning(&[second]) && !is_beginning(&[0xff]));
    }
}
