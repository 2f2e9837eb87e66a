//! Text as numbers and back: a token for each character, or for byte strings that occur often.
//!
//! The byte pairs are the project's own, not the crate `tokenizers`, whose regular expressions, Unicode tables and
//! many models a page would have to load: these take a few kilobytes. Its files are read and written.

mod bpe;
mod bytes;
mod characters;
mod error;
mod hash;
mod json;
mod split;
mod train;

pub use bpe::{Bpe, WordCache};
pub use characters::Characters;
pub use error::TokenizerError;
pub(crate) use hash::Table;
pub use split::words;
pub use train::{BpeTraining, WordCounts};

/// Either kind of tokenizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// A token for each character.
    Characters(Characters),
    /// A token for byte strings that occur often.
    Bpe(Bpe),
}

impl Tokenizer {
    /// Byte pairs of one text, for a vocabulary of this many tokens; see [`BpeTraining`], which takes text in pieces and
    /// learns in steps.
    ///
    /// # Errors
    /// As [`BpeTraining::new`].
    pub fn bpe_of_text(text: &str, vocabulary: usize) -> Result<Self, TokenizerError> {
        let mut words = WordCounts::default();
        words.add(text);
        let mut training = BpeTraining::new(words, vocabulary)?;
        training.advance(usize::MAX);
        Ok(Self::Bpe(training.bpe()))
    }

    /// How many tokens there are: they go from 0 to this.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        match self {
            Self::Characters(characters) => characters.characters().len(),
            Self::Bpe(bpe) => bpe.vocabulary(),
        }
    }

    /// The token that ends a document, where there is one.
    #[must_use]
    pub fn end_of_document(&self) -> Option<u32> {
        match self {
            Self::Characters(_) => None,
            Self::Bpe(bpe) => Some(bpe.end_of_document()),
        }
    }

    /// The token that stands before a document: the end of the last one; of characters a line end, as texts have before what
    /// begins, or else the first.
    #[must_use]
    pub fn beginning(&self) -> u32 {
        match self {
            Self::Characters(characters) => characters.token('\n').unwrap_or(0),
            Self::Bpe(bpe) => bpe.end_of_document(),
        }
    }

    /// Appends the tokens of a text to `out`. For much text, keep the `cache` from call to call.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownCharacter`] where tokens are characters and one is not in the vocabulary; `out` is as it was
    /// before.
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

    /// The tokens of a text.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        let mut out = Vec::new();
        self.encode(text, &mut WordCache::default(), &mut out)?;
        Ok(out)
    }

    /// Appends the bytes of tokens to `out`. A token may hold a part of a character only.
    ///
    /// # Errors
    /// [`TokenizerError::UnknownToken`] for the first number that is no token.
    pub fn decode(&self, tokens: &[u32], out: &mut Vec<u8>) -> Result<(), TokenizerError> {
        match self {
            Self::Characters(characters) => out.extend_from_slice(characters.decode(tokens)?.as_bytes()),
            Self::Bpe(bpe) => bpe.decode(tokens, out)?,
        }
        Ok(())
    }

    /// The text of tokens. What is no UTF-8, since a character has been cut, becomes U+FFFD.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn text(&self, tokens: &[u32]) -> Result<String, TokenizerError> {
        let mut bytes = Vec::new();
        self.decode(tokens, &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// As a `tokenizer.json`, which the library `tokenizers` opens.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// [`TokenizerError::File`] with what is wrong.
    pub fn from_json(text: &str) -> Result<Self, TokenizerError> {
        json::read(text)
    }

    /// Sixteen hexadecimal digits that stand for this vocabulary and these merges: FNV-1a over all of them, the same on
    /// every machine. A checkpoint keeps them.
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
                bpe.identify(&mut hash);
            }
        }
        format!("{:016x}", hash.finish())
    }

    /// Refuses a checkpoint whose network was trained with other tokens than these.
    ///
    /// # Errors
    /// [`TokenizerError::Belongs`] with the two fingerprints.
    pub fn check_fingerprint(&self, of_checkpoint: &str) -> Result<(), TokenizerError> {
        let found = self.fingerprint();
        if found == of_checkpoint {
            return Ok(());
        }
        let needed = of_checkpoint.to_owned();
        Err(TokenizerError::Belongs { needed, found, kind: self.to_string() })
    }
}

impl std::fmt::Display for Tokenizer {
    /// What it is, as a phrase.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Characters(characters) => write!(f, "{} characters", characters.characters().len()),
            Self::Bpe(bpe) => write!(f, "byte pairs with {} tokens", bpe.vocabulary()),
        }
    }
}
