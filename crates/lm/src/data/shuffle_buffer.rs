//! Shuffle buffer: the tokens of randomly selected chunks.

use super::document::ReadBuffers;
use super::{Corpus, DataError};
use crate::tokenizer::{Tokenizer, WordCache};
use std::sync::Arc;

/// Tokens of a set of chunks, in corpus order so that adjacent chunks stay contiguous. End-of-document tokens are
/// inserted if the tokenizer has one.
pub struct ShuffleBuffer {
    corpus: Arc<Corpus>,
    tokenizer: Arc<Tokenizer>,
    /// Corpus indices of the requested chunks, ascending.
    requested: Vec<u32>,
    /// Corpus indices of the loaded chunks, a prefix of `requested`.
    chunks: Vec<u32>,
    tokens: Vec<u32>,
    words: WordCache,
    scratch: ReadBuffers,
}

impl ShuffleBuffer {
    pub fn new(corpus: Arc<Corpus>, tokenizer: Arc<Tokenizer>) -> Self {
        let (words, scratch) = (WordCache::default(), ReadBuffers::default());
        let (chunks, requested, tokens) = (Vec::new(), Vec::new(), Vec::new());
        Self { corpus, tokenizer, chunks, requested, tokens, words, scratch }
    }

    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Returns the loaded fraction of the requested chunks, 0 to 1.
    pub fn done(&self) -> f64 {
        self.chunks.len() as f64 / self.requested.len().max(1) as f64
    }

    /// Sets the corpus indices of the chunks that the buffer should contain; [`read`](Self::read) loads them. If the
    /// chunks loaded so far are the first of the new chunks in corpus order, keeps their tokens, otherwise discards
    /// them.
    pub fn request(&mut self, chunks: impl Iterator<Item = u32>) {
        self.requested.clear();
        self.requested.extend(chunks);
        self.requested.sort_unstable();
        if !self.requested.starts_with(&self.chunks) {
            self.chunks.clear();
            self.tokens.clear();
        }
    }

    /// Reads and tokenizes the next requested chunks, at most `most`. Returns whether requested chunks remain unread.
    pub fn read(&mut self, most: u32) -> Result<bool, DataError> {
        let Self { corpus, tokenizer, requested, chunks, tokens, words, scratch } = self;
        for &chunk in requested[chunks.len()..].iter().take(most as usize) {
            let before = tokens.len();
            let outcome = corpus.read(chunk, scratch, |document| {
                tokenizer.encode(document.text, words, tokens).map_err(|problem| DataError::Tokens {
                    name: document.file.to_owned(),
                    at: document.at,
                    problem,
                })?;
                tokens.extend(tokenizer.end_of_document().filter(|_| document.ends));
                Ok(())
            });
            outcome.inspect_err(|_| tokens.truncate(before))?;
            chunks.push(chunk);
        }
        Ok(chunks.len() < requested.len())
    }
}
