//! Text on its way into the learner: batches of windows, and what counter achieves on it.

use super::text::TrainingText;
use std::sync::Arc;
use vivarium_lm::baselines::{BaselineCounter, Baselines};
use vivarium_lm::{DataError, DataSplit, TextPosition, Tokenizer, Windows};

/// Pieces of text that become tokens in a slice, and tokens that are counted: some milliseconds.
const CHUNKS: u32 = 1;
const TOKENS: usize = 8_192;

/// BatchStream of sequences of context + 1 tokens.
pub(super) struct BatchStream {
    windows: Windows,
    /// The sequences that are drawn, one after the other, and how many they are.
    sequences: Vec<u32>,
    drawn: usize,
}

impl BatchStream {
    /// Of a part of the text, from its beginning on.
    fn new(
        text: &TrainingText,
        tokenizer: &Arc<Tokenizer>,
        part: DataSplit,
        context: usize,
        seed: u64,
    ) -> Self {
        let corpus = text.corpus.clone();
        let holdout = corpus.holdout();
        let windows = Windows::open(corpus, tokenizer.clone(), holdout, part, context, seed);
        Self { windows, sequences: Vec::new(), drawn: 0 }
    }

    pub(super) fn position(&self) -> TextPosition {
        self.windows.position()
    }

    /// Goes on elsewhere; a draw that is under way is given up.
    pub(super) fn seek(&mut self, position: TextPosition) -> Result<(), DataError> {
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
        self.windows.read(CHUNKS)
    }

    /// Draws the next so many sequences. Returns whether there is more to do: where a part of the text comes to its end, the
    /// next is read in slices.
    pub(super) fn draw(&mut self, rows: usize) -> Result<bool, DataError> {
        if self.drawn == 0 {
            self.sequences.clear();
        }
        while self.drawn < rows {
            if self.windows.read(CHUNKS)? {
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

/// What training reads, what evaluations read, and what counter achieves.
pub(super) struct LoadedText {
    pub(super) training: BatchStream,
    pub(super) held_out: BatchStream,
    pub(super) baselines: Option<Baselines>,
}

/// A text that is being opened.
pub(super) struct TextLoader {
    training: BatchStream,
    held_out: BatchStream,
    counter: BaselineCounter,
    /// Whether training has gone to its place.
    sought: bool,
}

impl TextLoader {
    /// For windows of `context` tokens in the order of a seed.
    pub(super) fn new(text: &TrainingText, tokenizer: &Arc<Tokenizer>, context: usize, seed: u64) -> Self {
        let part = |part| BatchStream::new(text, tokenizer, part, context, seed);
        let counter = BaselineCounter::new(tokenizer.vocabulary());
        Self {
            training: part(DataSplit::Training),
            held_out: part(DataSplit::Validation),
            counter,
            sought: false,
        }
    }

    /// Does one slice. Returns whether there is more to do. Training goes on at `position`.
    pub(super) fn advance(&mut self, position: TextPosition) -> Result<bool, DataError> {
        let Self { training, held_out, counter, sought } = self;
        if training.read()? || held_out.read()? {
            return Ok(true);
        }
        // Of the first pool always, so that what comes of it is the same whenever training is taken up again.
        if !*sought {
            let more = counter.advance(training.tokens(), held_out.tokens(), TOKENS);
            if !more {
                training.seek(position)?;
                *sought = true;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// What has been opened.
    pub(super) fn finish(self) -> LoadedText {
        let Self { training, held_out, counter, .. } = self;
        LoadedText { training, held_out, baselines: counter.baselines() }
    }

    /// How much of it is done, 0 to 1: loaded_text takes about as long as counter.
    pub(super) fn done(&self) -> f64 {
        let counted = self.counter.done(self.training.tokens().len() + self.held_out.tokens().len());
        0.4 * self.training.windows.done() + 0.1 * self.held_out.windows.done() + 0.5 * counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_lm::{ByteSource, Characters, MemorySource};

    #[test]
    fn batches_go_on_from_one_part_of_the_text_to_the_next() {
        // About five megabytes, of which four are read at a time.
        let text: String = (0..600_000).map(|number| format!("{number:07}\n")).collect();
        let sources: Vec<Box<dyn ByteSource>> = vec![Box::new(MemorySource::new("numbers", text.as_bytes()))];
        let text = TrainingText::brought("numbers", sources).unwrap();
        let tokenizer = Characters::new("0123456789\n".chars()).unwrap();
        let tokenizer = Arc::new(Tokenizer::Characters(tokenizer));
        let (context, rows) = (4_000, 7);
        let (corpus, holdout) = (text.corpus.clone(), text.corpus.holdout());
        let windows =
            Windows::open(corpus, tokenizer.clone(), holdout, DataSplit::Training, context, 5).prepared();
        let mut expected = windows.unwrap();
        let mut batches = BatchStream::new(&text, &tokenizer, DataSplit::Training, context, 5);
        let mut waits = Vec::new();
        while expected.position().epoch == 0 {
            let mut wait = 0;
            while batches.draw(rows).unwrap() {
                wait += 1;
            }
            waits.extend(Some((expected.position().buffer, wait)).filter(|_| wait > 0));
            for sequence in batches.sequences().chunks_exact(context + 1) {
                assert_eq!(sequence, expected.next_window().unwrap());
            }
            assert_eq!(batches.sequences().len(), rows * (context + 1));
            assert_eq!(batches.position(), expected.position());
        }
        let buffers: Vec<u32> = waits.iter().map(|(buffer, _)| *buffer).collect();
        assert_eq!(buffers, [0, 0, 1], "both parts, and the first again");
        assert!(waits.iter().all(|(_, wait)| *wait > 100), "{waits:?}");
    }
}
