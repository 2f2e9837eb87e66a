//! Text that a model writes on its own.

use crate::config::LanguageConfig;
use crate::error::LanguageError;
use crate::model::{Gpt, Reader};
use crate::sampling::Sampling;
use crate::tokenizer::Tokenizer;
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// What tokens are drawn for.
const WRITING: u32 = 0x3217_0001;

/// A text on its way: a prompt, and what a model makes of it token by token.
pub struct Writing {
    reader: Reader,
    sampling: Sampling,
    random: Stream,
    /// The token that is to be read next; `None` once the text has ended.
    next: Option<u32>,
    /// The beginning of a character whose other bytes are in tokens to come.
    partial: Vec<u8>,
}

impl Writing {
    /// Reads a prompt. An empty one stands for the beginning of a document.
    ///
    /// # Errors
    /// [`LanguageError::Prompt`] for more than the model sees at once; [`LanguageError::Text`] for characters that it does
    /// not know.
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
        let mut reader = Reader::new(config, gpt.vocabulary())?;
        let mut random = Stream::new(seed, WRITING);
        let first = sampling.choose(reader.read(level, gpt, &tokens)?, &mut random);
        let next = Some(first).filter(|&token| Some(token) != tokenizer.end_of_document());
        Ok(Self { reader, sampling, random, next, partial: Vec::new() })
    }

    /// Writes one token more, and gives the characters that are complete with it, perhaps none; `None` once the text has come
    /// to its end.
    ///
    /// # Errors
    /// [`LanguageError`] if model or tokenizer are others than at first.
    pub fn advance(
        &mut self,
        level: Level,
        gpt: &Gpt,
        tokenizer: &Tokenizer,
    ) -> Result<Option<String>, LanguageError> {
        let Some(token) = self.next else { return Ok(None) };
        tokenizer.decode(&[token], &mut self.partial)?;
        let logits = self.reader.read(level, gpt, &[token])?;
        let next = self.sampling.choose(logits, &mut self.random);
        self.next = Some(next).filter(|&token| Some(token) != tokenizer.end_of_document());
        Ok(Some(self.complete()))
    }

    /// Takes out the characters that are complete. What can become none is written as U+FFFD.
    fn complete(&mut self) -> String {
        let bytes = std::mem::take(&mut self.partial);
        let mut text = String::new();
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let wrong = chunk.invalid();
            // A model may begin a character and not go on with it.
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

/// Whether more bytes may make a character of these.
fn is_beginning(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_go_on_is_a_beginning() {
        let [first, second, third] = *"中".as_bytes() else { unreachable!("three bytes") };
        assert!(is_beginning(&[first]) && is_beginning(&[first, second]));
        assert!(!is_beginning(&[first, second, third]) && !is_beginning(&[second]) && !is_beginning(&[0xff]));
    }
}
