//! Tokenizers: character-level, and byte-level byte-pair encoding (BPE) as in GPT-2.
//!
//! The implementation takes a few kilobytes of WebAssembly; the crate `tokenizers` would add regular expressions and
//! Unicode tables. Its file format `tokenizer.json` is read and written.

mod bpe;
mod bpe_training;
mod bytes;
mod characters;
mod error;
mod hash;
mod json;
mod pretokenizer;

pub use bpe::{Bpe, WordCache};
pub use bpe_training::{BpeTraining, WordCounts};
pub use characters::Characters;
pub use error::TokenizerError;
pub(crate) use hash::FastMap;
pub use pretokenizer::words;

/// Tokenizer of a language model: character-level, or byte-level byte-pair encoding (BPE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Character-level tokenizer: one token per character.
    Characters(Characters),
    /// Byte-level BPE tokenizer.
    Bpe(Bpe),
}

impl Tokenizer {
    /// Trains a BPE tokenizer with `vocabulary` tokens on a text in one call; see [`BpeTraining`] for incremental
    /// training.
    ///
    /// # Errors
    /// The same errors as [`BpeTraining::new`].
    pub fn bpe_of_text(text: &str, vocabulary: usize) -> Result<Self, TokenizerError> {
        let mut words = WordCounts::default();
        words.add(text);
        let mut training = BpeTraining::new(words, vocabulary)?;
        training.advance(usize::MAX);
        Ok(Self::Bpe(training.bpe()))
    }

    /// Returns the vocabulary size, the number of distinct tokens.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        match self {
            Self::Characters(characters) => characters.characters().len(),
            Self::Bpe(bpe) => bpe.vocabulary(),
        }
    }

    /// Returns the end-of-document token; `None` for a character-level tokenizer.
    #[must_use]
    pub fn end_of_document(&self) -> Option<u32> {
        match self {
            Self::Characters(_) => None,
            Self::Bpe(bpe) => Some(bpe.end_of_document()),
        }
    }

    /// Returns the token that precedes a document. For BPE, this token is the end-of-document token. For a
    /// character-level tokenizer, it is the line feed, or token 0 if the vocabulary has no line feed.
    #[must_use]
    pub fn beginning(&self) -> u32 {
        match self {
            Self::Characters(characters) => characters.token('\n').unwrap_or(0),
            Self::Bpe(bpe) => bpe.end_of_document(),
        }
    }

    /// Appends the tokens of a text to `out`. `cache` stores the tokens of frequent words between calls.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownCharacter`] for a character outside a character vocabulary; `out` is unchanged then.
    pub fn encode(
        &self,
        text: &str,
        cache: &mut WordCache,
        out: &mut Vec<u32>,
    ) -> Result<(), TokenizerError> {
        match self {
            Self::Characters(characters) => characters.encode(text, out)?,
            Self::Bpe(bpe) => bpe.encode(text, cache, out),
        }
        Ok(())
    }

    /// Returns the tokens of a text.
    ///
    /// # Errors
    /// The same errors as [`encode`](Self::encode).
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        let mut out = Vec::new();
        self.encode(text, &mut WordCache::default(), &mut out)?;
        Ok(out)
    }

    /// Appends the bytes of the given tokens to `out`. A BPE token can contain an incomplete UTF-8 character.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownToken`] for the first token outside the vocabulary.
    pub fn decode(&self, tokens: &[u32], out: &mut Vec<u8>) -> Result<(), TokenizerError> {
        match self {
            Self::Characters(characters) => out.extend_from_slice(characters.decode(tokens)?.as_bytes()),
            Self::Bpe(bpe) => bpe.decode(tokens, out)?,
        }
        Ok(())
    }

    /// Returns the text that the given tokens stand for. Invalid UTF-8 becomes U+FFFD.
    ///
    /// # Errors
    /// The same errors as [`decode`](Self::decode).
    pub fn text(&self, tokens: &[u32]) -> Result<String, TokenizerError> {
        let mut bytes = Vec::new();
        self.decode(tokens, &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the 64-bit FNV-1a hash of vocabulary and merges as 16 hexadecimal digits, equal on every platform.
    /// Checkpoints store the fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hash = hash::Fnv::new();
        match self {
            Self::Characters(characters) => {
                hash.add(b"characters");
                characters.characters().iter().for_each(|&c| hash.add(&u32::from(c).to_le_bytes()));
            }
            Self::Bpe(bpe) => {
                hash.add(b"byte pairs");
                bpe.fingerprint(&mut hash);
            }
        }
        format!("{:016x}", hash.finish())
    }

    /// Checks that a model was trained with this tokenizer. `of_checkpoint` is the fingerprint of the tokenizer that
    /// the model's checkpoint stores.
    ///
    /// # Errors
    /// [`TokenizerError::FingerprintMismatch`] with both fingerprints.
    pub fn check_fingerprint(&self, of_checkpoint: &str) -> Result<(), TokenizerError> {
        let found = self.fingerprint();
        if found == of_checkpoint {
            return Ok(());
        }
        let needed = of_checkpoint.to_owned();
        Err(TokenizerError::FingerprintMismatch { needed, found, kind: self.to_string() })
    }
}

impl std::fmt::Display for Tokenizer {
    /// Formats the type of the tokenizer and its vocabulary size, such as "BPE with 2048 tokens".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Characters(characters) => write!(f, "{} characters", characters.characters().len()),
            Self::Bpe(bpe) => write!(f, "BPE with {} tokens", bpe.vocabulary()),
        }
    }
}
