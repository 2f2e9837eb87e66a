//! Incremental scans of a corpus for tokenizer training: character set, and word counts.

use super::document::ReadBuffers;
use super::{Corpus, DataError, DataSplit, Holdout};
use crate::tokenizer::{Characters, TokenizerError, WordCounts};
use std::collections::BTreeSet;

/// Scan of the whole corpus for the set of its characters, which become the vocabulary of a character-level tokenizer.
pub struct CharacterScan {
    next: u32,
    ascii: [bool; 128],
    others: BTreeSet<char>,
    scratch: ReadBuffers,
}

impl Default for CharacterScan {
    fn default() -> Self {
        Self { next: 0, ascii: [false; 128], others: BTreeSet::new(), scratch: ReadBuffers::default() }
    }
}

impl CharacterScan {
    /// Scans up to `most` further chunks of the corpus. Returns whether chunks remain.
    ///
    /// # Errors
    /// The same errors as [`Corpus::read`].
    pub fn advance(&mut self, corpus: &Corpus, most: u32) -> Result<bool, DataError> {
        let end = corpus.chunks().min(self.next.saturating_add(most));
        let Self { next, ascii, others, scratch } = self;
        for chunk in *next..end {
            corpus.read(chunk, scratch, |document| {
                for character in document.text.chars() {
                    match ascii.get_mut(character as usize) {
                        Some(seen) => *seen = true,
                        None => _ = others.insert(character),
                    }
                }
                Ok(())
            })?;
        }
        *next = end;
        Ok(end < corpus.chunks())
    }

    /// Returns the fraction of the corpus scanned so far, 0 to 1.
    #[must_use]
    pub fn done(&self, corpus: &Corpus) -> f64 {
        f64::from(self.next) / f64::from(corpus.chunks().max(1))
    }

    /// Returns the character vocabulary that consists of all characters scanned so far.
    ///
    /// # Errors
    /// [`TokenizerError::Empty`] if the scanned text has no characters.
    pub fn characters(&self) -> Result<Characters, TokenizerError> {
        let ascii = (0..128u8).filter(|&code| self.ascii[usize::from(code)]).map(char::from);
        Characters::new(ascii.chain(self.others.iter().copied()))
    }
}

/// Incremental count of the words in the training split, for BPE training. If the split is large, counts only the words
/// of evenly spaced chunks.
pub struct WordScan {
    holdout: Holdout,
    /// Total number of chunks whose words will be counted.
    chunks: u32,
    /// Number of chunks whose words have been counted so far.
    next: u32,
    words: WordCounts,
    scratch: ReadBuffers,
}

impl WordScan {
    /// Creates a word count over at most about `most_bytes` bytes of the training split, but at least one chunk.
    /// `holdout` is the rule that selects the training split.
    #[must_use]
    pub fn new(corpus: &Corpus, holdout: Holdout, most_bytes: u64) -> Self {
        let all = holdout.count(DataSplit::Training, corpus.chunks());
        let chunks = u64::from(all).min((most_bytes / corpus.chunk_bytes()).max(1)) as u32;
        Self { holdout, chunks, next: 0, words: WordCounts::default(), scratch: ReadBuffers::default() }
    }

    /// Counts the words of up to `most` further chunks. Returns whether chunks remain.
    ///
    /// # Errors
    /// The same errors as [`Corpus::read`].
    pub fn advance(&mut self, corpus: &Corpus, most: u32) -> Result<bool, DataError> {
        let end = self.chunks.min(self.next.saturating_add(most));
        let all = u64::from(self.holdout.count(DataSplit::Training, corpus.chunks()));
        for place in self.next..end {
            let place = (u64::from(place) * all / u64::from(self.chunks)) as u32;
            let chunk = self.holdout.chunk(DataSplit::Training, place, corpus.chunks());
            corpus.read(chunk, &mut self.scratch, |document| {
                self.words.add(document.text);
                Ok(())
            })?;
        }
        self.next = end;
        Ok(end < self.chunks)
    }

    /// Returns the fraction of the selected chunks whose words have been counted, 0 to 1.
    #[must_use]
    pub fn done(&self) -> f64 {
        f64::from(self.next) / f64::from(self.chunks.max(1))
    }

    /// Returns the number of occurrences of each word in the chunks counted so far.
    #[must_use]
    pub fn words(self) -> WordCounts {
        self.words
    }
}
