//! Some pieces as tokens.

use super::document::Scratch;
use super::{Corpus, DataError};
use crate::tokenizer::{Tokenizer, WordCache};
use std::sync::Arc;

/// The tokens of some pieces, one after the other as they stand in the corpus, so that neighbors join as they did there.
/// A tokenizer that has a token for the end of a document puts it there.
pub struct Pool {
    corpus: Arc<Corpus>,
    tokenizer: Arc<Tokenizer>,
    /// The pieces that are wanted, in order, and those of them that are there, which come first.
    wanted: Vec<u32>,
    pieces: Vec<u32>,
    tokens: Vec<u32>,
    words: WordCache,
    scratch: Scratch,
}

impl Pool {
    pub fn new(corpus: Arc<Corpus>, tokenizer: Arc<Tokenizer>) -> Self {
        let (words, scratch) = (WordCache::default(), Scratch::default());
        let (pieces, wanted, tokens) = (Vec::new(), Vec::new(), Vec::new());
        Self { corpus, tokenizer, pieces, wanted, tokens, words, scratch }
    }

    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// How much of what is wanted is there, 0 to 1.
    pub fn done(&self) -> f64 {
        self.pieces.len() as f64 / self.wanted.len().max(1) as f64
    }

    /// Wants these pieces instead of others. What is there of them already need not be read.
    pub fn turn_to(&mut self, pieces: impl Iterator<Item = u32>) {
        self.wanted.clear();
        self.wanted.extend(pieces);
        self.wanted.sort_unstable();
        if !self.wanted.starts_with(&self.pieces) {
            self.pieces.clear();
            self.tokens.clear();
        }
    }

    /// Reads up to `most` of the pieces that are wanted. Returns whether there are more.
    pub fn read(&mut self, most: u32) -> Result<bool, DataError> {
        let Self { corpus, tokenizer, wanted, pieces, tokens, words, scratch } = self;
        for &piece in wanted[pieces.len()..].iter().take(most as usize) {
            let before = tokens.len();
            let outcome = corpus.read(piece, scratch, |document| {
                tokenizer.encode(document.text, words, tokens).map_err(|problem| DataError::Tokens {
                    name: document.file.to_owned(),
                    at: document.at,
                    problem,
                })?;
                tokens.extend(tokenizer.end_of_document().filter(|_| document.ends));
                Ok(())
            });
            outcome.inspect_err(|_| tokens.truncate(before))?;
            pieces.push(piece);
        }
        Ok(pieces.len() < wanted.len())
    }
}
