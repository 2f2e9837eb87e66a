//! What a tokenizer is made from: the characters of a text, or its words and how often they occur. In steps, so
//! that progress can be reported.

use super::document::Scratch;
use super::{Corpus, DataError, Holdout, Part};
use crate::tokenizer::{Characters, TokenizerError, WordCounts};
use std::collections::BTreeSet;

/// Reads all text for the characters that occur in it.
pub struct CharacterSurvey {
    next: u32,
    ascii: [bool; 128],
    others: BTreeSet<char>,
    scratch: Scratch,
}

impl Default for CharacterSurvey {
    fn default() -> Self {
        Self { next: 0, ascii: [false; 128], others: BTreeSet::new(), scratch: Scratch::default() }
    }
}

impl CharacterSurvey {
    /// Reads up to `most` pieces. Returns whether there are more.
    ///
    /// # Errors
    /// As [`Corpus::read`].
    pub fn advance(&mut self, corpus: &Corpus, most: u32) -> Result<bool, DataError> {
        let end = corpus.pieces().min(self.next.saturating_add(most));
        let Self { next, ascii, others, scratch } = self;
        for piece in *next..end {
            corpus.read(piece, scratch, |document| {
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
        Ok(end < corpus.pieces())
    }

    /// The share of the text that has been read.
    #[must_use]
    pub fn done(&self, corpus: &Corpus) -> f64 {
        f64::from(self.next) / f64::from(corpus.pieces().max(1))
    }

    /// A vocabulary of what has been read.
    ///
    /// # Errors
    /// [`TokenizerError::Empty`] if that is nothing.
    pub fn characters(&self) -> Result<Characters, TokenizerError> {
        let ascii = (0..128u8).filter(|&code| self.ascii[usize::from(code)]).map(char::from);
        Characters::new(ascii.chain(self.others.iter().copied()))
    }
}

/// Counts the words of text for training, or of pieces from everywhere in it where there is much.
pub struct WordSurvey {
    holdout: Holdout,
    /// How many pieces are read in all, and how many have been.
    pieces: u32,
    next: u32,
    words: WordCounts,
    scratch: Scratch,
}

impl WordSurvey {
    /// About `most_bytes` of the text for training are read, at least one piece.
    #[must_use]
    pub fn new(corpus: &Corpus, holdout: Holdout, most_bytes: u64) -> Self {
        let all = holdout.count(Part::Training, corpus.pieces());
        let pieces = u64::from(all).min((most_bytes / corpus.piece_bytes()).max(1)) as u32;
        Self { holdout, pieces, next: 0, words: WordCounts::default(), scratch: Scratch::default() }
    }

    /// Reads up to `most` pieces. Returns whether there are more.
    ///
    /// # Errors
    /// As [`Corpus::read`].
    pub fn advance(&mut self, corpus: &Corpus, most: u32) -> Result<bool, DataError> {
        let end = self.pieces.min(self.next.saturating_add(most));
        let all = u64::from(self.holdout.count(Part::Training, corpus.pieces()));
        for place in self.next..end {
            let place = (u64::from(place) * all / u64::from(self.pieces)) as u32;
            let piece = self.holdout.piece(Part::Training, place, corpus.pieces());
            corpus.read(piece, &mut self.scratch, |document| {
                self.words.add(document.text);
                Ok(())
            })?;
        }
        self.next = end;
        Ok(end < self.pieces)
    }

    /// The share of what is to be read that has been.
    #[must_use]
    pub fn done(&self) -> f64 {
        f64::from(self.next) / f64::from(self.pieces.max(1))
    }

    /// The words of what has been read.
    #[must_use]
    pub fn words(self) -> WordCounts {
        self.words
    }
}
