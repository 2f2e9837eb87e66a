//! Some pieces as tokens.

use super::corpus::Scratch;
use super::{Corpus, DataError};
use crate::tokenizer::{Tokenizer, WordCache};
use std::sync::Arc;

/// The tokens of some pieces, one after the other as they stand in the corpus, so that neighbours join as they did there.
/// A tokenizer that has a token for the end of a document puts it there.
pub struct Pool {
    corpus: Arc<Corpus>,
    tokenizer: Arc<Tokenizer>,
    /// In order.
    pieces: Vec<u32>,
    wanted: Vec<u32>,
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

    /// Holds these pieces instead of others. Nothing is read if they are there already.
    pub fn load(&mut self, pieces: impl Iterator<Item = u32>) -> Result<(), DataError> {
        self.wanted.clear();
        self.wanted.extend(pieces);
        self.wanted.sort_unstable();
        if self.wanted == self.pieces {
            return Ok(());
        }
        self.pieces.clear();
        self.tokens.clear();
        for &piece in &self.wanted {
            self.corpus.read(piece, &mut self.scratch, |document| {
                self.tokenizer.encode(document.text, &mut self.words, &mut self.tokens).map_err(
                    |problem| DataError::Tokens { name: document.file.to_owned(), at: document.at, problem },
                )?;
                self.tokens.extend(self.tokenizer.end_of_document().filter(|_| document.ends));
                Ok(())
            })?;
        }
        self.pieces.clone_from(&self.wanted);
        Ok(())
    }
}
