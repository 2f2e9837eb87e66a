//! Text on its way into the learner: batches of windows, and what counting achieves on it.

use super::text::Text;
use std::sync::Arc;
use vivarium_lm::baselines::{Baselines, Counting};
use vivarium_lm::{DataError, Part, Position, Tokenizer, Windows};

/// Pieces of text that become tokens in a slice, and tokens that are counted: some milliseconds.
const PIECES: u32 = 1;
const TOKENS: usize = 8_192;

/// Batches of sequences of context + 1 tokens.
pub(super) struct Batches {
    windows: Windows,
    /// The sequences that are drawn, one after the other, and how many they are.
    sequences: Vec<u32>,
    drawn: usize,
}

impl Batches {
    /// Of a part of the text, from its beginning on.
    fn new(text: &Text, tokenizer: &Arc<Tokenizer>, part: Part, context: usize, seed: u64) -> Self {
        let corpus = text.corpus.clone();
        let holdout = corpus.holdout();
        let windows = Windows::open(corpus, tokenizer.clone(), holdout, part, context, seed);
        Self { windows, sequences: Vec::new(), drawn: 0 }
    }

    pub(super) fn position(&self) -> Position {
        self.windows.position()
    }

    /// Goes on elsewhere; a draw that is under way is given up.
    pub(super) fn seek(&mut self, position: Position) -> Result<(), DataError> {
        self.drawn = 0;
        self.windows.seek(position)
    }

    /// How many windows there are, where that is known.
    pub(super) fn count(&self) -> Option<u32> {
        self.windows.per_epoch()
    }

    /// How often all of it has been seen, with the share that has been seen since.
    pub(super) fn epochs(&self) -> f64 {
        self.windows.epochs()
    }

    /// The tokens at hand.
    pub(super) fn tokens(&self) -> &[u32] {
        self.windows.tokens()
    }

    /// Reads a slice of what comes next. Returns whether there is more to read before the next sequence.
    fn read(&mut self) -> Result<bool, DataError> {
        self.windows.read(PIECES)
    }

    /// Draws the next so many sequences. Returns whether there is more to do: where a part of the text comes to its end, the
    /// next is read in slices.
    pub(super) fn draw(&mut self, rows: usize) -> Result<bool, DataError> {
        if self.drawn == 0 {
            self.sequences.clear();
        }
        while self.drawn < rows {
            if self.windows.read(PIECES)? {
                return Ok(true);
            }
            self.sequences.extend_from_slice(self.windows.next_window()?);
            self.drawn += 1;
        }
        self.drawn = 0;
        Ok(false)
    }

    /// The sequences that were drawn, one after the other.
    pub(super) fn sequences(&self) -> &[u32] {
        &self.sequences
    }
}

/// What training reads, what evaluations read, and what counting achieves.
pub(super) struct Reading {
    pub(super) training: Batches,
    pub(super) held_out: Batches,
    pub(super) baselines: Option<Baselines>,
}

/// A text that is being opened.
pub(super) struct Opening {
    training: Batches,
    held_out: Batches,
    counting: Counting,
    /// Whether training has gone to its place.
    sought: bool,
}

impl Opening {
    /// For windows of `context` tokens in the order of a seed.
    pub(super) fn new(text: &Text, tokenizer: &Arc<Tokenizer>, context: usize, seed: u64) -> Self {
        let part = |part| Batches::new(text, tokenizer, part, context, seed);
        let counting = Counting::new(tokenizer.vocabulary());
        Self { training: part(Part::Training), held_out: part(Part::Validation), counting, sought: false }
    }

    /// Does one slice. Returns whether there is more to do. Training goes on at `position`.
    pub(super) fn advance(&mut self, position: Position) -> Result<bool, DataError> {
        let Self { training, held_out, counting, sought } = self;
        if training.read()? || held_out.read()? {
            return Ok(true);
        }
        // Of the first pool always, so that what comes of it is the same whenever training is taken up again.
        if !*sought {
            let more = counting.advance(training.tokens(), held_out.tokens(), TOKENS);
            if !more {
                training.seek(position)?;
                *sought = true;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// What has been opened.
    pub(super) fn reading(self) -> Reading {
        let Self { training, held_out, counting, .. } = self;
        Reading { training, held_out, baselines: counting.baselines() }
    }

    /// How much of it is done, 0 to 1: reading takes about as long as counting.
    pub(super) fn done(&self) -> f64 {
        let counted = self.counting.done(self.training.tokens().len() + self.held_out.tokens().len());
        0.4 * self.training.windows.done() + 0.1 * self.held_out.windows.done() + 0.5 * counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_lm::{Characters, Memory, Source};

    #[test]
    fn batches_go_on_from_one_part_of_the_text_to_the_next() {
        // About five megabytes, of which four are read at a time.
        let text: String = (0..600_000).map(|number| format!("{number:07}\n")).collect();
        let sources: Vec<Box<dyn Source>> = vec![Box::new(Memory::new("numbers", text.as_bytes()))];
        let text = Text::brought("numbers", sources).unwrap();
        let tokenizer = Characters::new("0123456789\n".chars()).unwrap();
        let tokenizer = Arc::new(Tokenizer::Characters(tokenizer));
        let (context, rows) = (4_000, 7);
        let (corpus, holdout) = (text.corpus.clone(), text.corpus.holdout());
        let windows =
            Windows::open(corpus, tokenizer.clone(), holdout, Part::Training, context, 5).prepared();
        let mut expected = windows.unwrap();
        let mut batches = Batches::new(&text, &tokenizer, Part::Training, context, 5);
        let mut waits = Vec::new();
        while expected.position().epoch == 0 {
            let mut wait = 0;
            while batches.draw(rows).unwrap() {
                wait += 1;
            }
            waits.extend(Some((expected.position().pool, wait)).filter(|_| wait > 0));
            for sequence in batches.sequences().chunks_exact(context + 1) {
                assert_eq!(sequence, expected.next_window().unwrap());
            }
            assert_eq!(batches.sequences().len(), rows * (context + 1));
            assert_eq!(batches.position(), expected.position());
        }
        let pools: Vec<u32> = waits.iter().map(|(pool, _)| *pool).collect();
        assert_eq!(pools, [0, 0, 1], "both parts, and the first again");
        assert!(waits.iter().all(|(_, wait)| *wait > 100), "{waits:?}");
    }
}
