//! Loading of the training text: batches of windows (sequences of context length + 1 tokens), and n-gram baselines.

use super::text::TrainingText;
use std::sync::Arc;
use vivarium_lm::baselines::{BaselineCounter, Baselines};
use vivarium_lm::{BatchStream, DataError, DataSplit, TextPosition, Tokenizer, Windows};

/// Number of tokens per call of [`TextLoader::advance`] from which the n-gram baselines are computed. Training tokens
/// are counted; held-out tokens are predicted.
const TOKENS: usize = 8_192;

/// Held-out text as a stream of batches, and the n-gram baselines: the part of the loaded text that the learner does
/// not own.
pub(super) struct LoadedText {
    pub(super) held_out: BatchStream,
    pub(super) baselines: Option<Baselines>,
}

/// Loading of the training text in progress. First fills the first shuffle buffers of the training and the held-out
/// split with tokens, then computes the n-gram baselines.
pub(super) struct TextLoader {
    training: BatchStream,
    held_out: BatchStream,
    counter: BaselineCounter,
    /// Whether the baselines are complete and the stream of training batches is at the position at which training
    /// starts or resumes. Until then, the stream is at its start.
    sought: bool,
}

impl TextLoader {
    /// Starts loading the text in windows of `context` + 1 tokens, whose random order is given by `seed`.
    pub(super) fn new(text: &TrainingText, tokenizer: &Arc<Tokenizer>, context: usize, seed: u64) -> Self {
        let part = |part| open(text, tokenizer, part, context, seed);
        let counter = BaselineCounter::new(tokenizer.vocabulary());
        Self {
            training: part(DataSplit::Training),
            held_out: part(DataSplit::Validation),
            counter,
            sought: false,
        }
    }

    /// Advances the loading by a bounded amount of work: tokenizes chunks of the text, or computes the n-gram
    /// baselines. Returns whether work remains. After the last call, the stream of training batches is at `position`.
    pub(super) fn advance(&mut self, position: TextPosition) -> Result<bool, DataError> {
        let Self { training, held_out, counter, sought } = self;
        if training.read()? || held_out.read()? {
            return Ok(true);
        }
        // The baselines always use the first shuffle buffer. A resumed run therefore has the same baselines.
        if !*sought {
            let more = counter.advance(training.windows().tokens(), held_out.windows().tokens(), TOKENS);
            if !more {
                training.seek(position)?;
                *sought = true;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns the stream of training batches, and separately the held-out text with the n-gram baselines. Must be
    /// called after [`advance`](Self::advance) has returned `false`.
    pub(super) fn finish(self) -> (BatchStream, LoadedText) {
        let Self { training, held_out, counter, .. } = self;
        (training, LoadedText { held_out, baselines: counter.baselines() })
    }

    /// Returns the finished fraction of the loading, 0 to 1. Tokenization and baselines take about equal time.
    pub(super) fn done(&self) -> f64 {
        let [training, held_out] = [&self.training, &self.held_out].map(BatchStream::windows);
        let counted = self.counter.done(training.tokens().len() + held_out.tokens().len());
        0.4 * training.done() + 0.1 * held_out.done() + 0.5 * counted
    }
}

/// Opens the training or validation split of the text as a stream of batches, positioned at the first window.
fn open(
    text: &TrainingText,
    tokenizer: &Arc<Tokenizer>,
    part: DataSplit,
    context: usize,
    seed: u64,
) -> BatchStream {
    let corpus = text.corpus.clone();
    let holdout = corpus.holdout();
    BatchStream::new(Windows::open(corpus, tokenizer.clone(), holdout, part, context, seed))
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
        let mut batches = open(&text, &tokenizer, DataSplit::Training, context, 5);
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
