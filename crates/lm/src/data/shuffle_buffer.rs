//! Shuffle buffer: the tokens of randomly selected chunks.

use super::document::ReadBuffers;
use super::{Corpus, DataError};
use crate::tokenizer::{Tokenizer, WordCache};
use std::sync::Arc;

/// Tokens of a set of chunks (parts of the corpus), in the order of the corpus, so that adjacent chunks stay
/// contiguous. The end-of-document token follows each document if the tokenizer has this token.
pub struct ShuffleBuffer {
    corpus: Arc<Corpus>,
    tokenizer: Arc<Tokenizer>,
    /// Indices in the corpus of the chunks that the buffer should contain, in ascending order.
    requested: Vec<u32>,
    /// Indices in the corpus of the chunks whose tokens the buffer contains: a prefix of `requested`.
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

    /// Returns the fraction of the requested chunks that the buffer contains, 0 to 1.
    pub fn done(&self) -> f64 {
        self.chunks.len() as f64 / self.requested.len().max(1) as f64
    }

    /// Sets the chunks that the buffer should contain, by their indices in the corpus; [`read`](Self::read) loads these
    /// chunks. The tokens loaded so far are kept if their chunks are the first of the new chunks in corpus order,
    /// otherwise discarded.
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
