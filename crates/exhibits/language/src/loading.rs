//! Loading of the training text: batches of windows (sequences of context length + 1 tokens), and n-gram baselines.

use super::text::TrainingText;
use std::sync::Arc;
use vivarium_lm::baselines::{BaselineCounter, Baselines};
use vivarium_lm::{DataError, DataSplit, TextPosition, Tokenizer, Windows};

/// Number of chunks of the training text that are tokenized per call of `read`: some milliseconds of work.
const CHUNKS: u32 = 1;
/// Number of tokens that are counted or predicted for the baselines per call of [`TextLoader::advance`].
const TOKENS: usize = 8_192;

/// Source of batches: collects windows of context + 1 tokens from one split (training or validation) of the text.
pub(super) struct BatchStream {
    windows: Windows,
    /// Token sequences of the batch, concatenated: `[batch size, context + 1]`.
    sequences: Vec<u32>,
    /// Number of sequences collected so far for an incomplete batch; 0 if the batch is complete.
    drawn: usize,
}

impl BatchStream {
    /// Opens the training or validation split of the text, at its first window.
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

    /// Continues the stream at `position` of the split, and discards an incomplete batch.
    pub(super) fn seek(&mut self, position: TextPosition) -> Result<(), DataError> {
        self.drawn = 0;
        self.windows.seek(position)
    }

    /// Returns the number of windows (sequences of context + 1 tokens) of the split; `None` unless one shuffle buffer
    /// holds the whole split.
    pub(super) fn count(&self) -> Option<u32> {
        self.windows.per_epoch()
    }

    /// Returns the number of passes over the split, including the fraction of the current pass.
    pub(super) fn epochs(&self) -> f64 {
        self.windows.epochs()
    }

    /// Returns the tokens of the text that the current shuffle buffer holds.
    pub(super) fn tokens(&self) -> &[u32] {
        self.windows.tokens()
    }

    /// Tokenizes the next [`CHUNKS`] chunks of the text for the shuffle buffer. Returns whether chunks remain.
    fn read(&mut self) -> Result<bool, DataError> {
        self.windows.read(CHUNKS)
    }

    /// Collects a batch of `rows` sequences. Returns `true` if the batch is incomplete because the next shuffle buffer
    /// is still being read; the caller must then call again.
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

    /// Returns the token sequences of the batch, concatenated: `[batch size, context + 1]`.
    pub(super) fn sequences(&self) -> &[u32] {
        &self.sequences
    }
}

/// Loaded text: streams of training and held-out batches, and the n-gram baselines.
pub(super) struct LoadedText {
    pub(super) training: BatchStream,
    pub(super) held_out: BatchStream,
    pub(super) baselines: Option<Baselines>,
}

/// Loading of the text in progress: first shuffle buffers of the training and the held-out split, then the n-gram
/// baselines.
pub(super) struct TextLoader {
    training: BatchStream,
    held_out: BatchStream,
    counter: BaselineCounter,
    /// Whether the training stream is at the position at which training starts or resumes.
    sought: bool,
}

impl TextLoader {
    /// Starts loading the text in windows of `context` + 1 tokens, whose random order is given by `seed`.
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

    /// Reads or counts a bounded amount of the text. Returns whether work remains. After the last call, the training
    /// stream is at `position`.
    pub(super) fn advance(&mut self, position: TextPosition) -> Result<bool, DataError> {
        let Self { training, held_out, counter, sought } = self;
        if training.read()? || held_out.read()? {
            return Ok(true);
        }
        // The baselines always use the first shuffle buffer. A resumed run therefore has the same baselines.
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

    /// Returns the batch streams and the n-gram baselines when loading is complete.
    pub(super) fn finish(self) -> LoadedText {
        let Self { training, held_out, counter, .. } = self;
        LoadedText { training, held_out, baselines: counter.baselines() }
    }

    /// Returns the finished fraction of the loading, 0 to 1. Tokenization and baselines take about equal time.
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
