//! Text on its way into the learner: batches of windows, and what counting achieves on it.

use super::text::Text;
use std::sync::Arc;
use vivarium_lm::baselines::Baselines;
use vivarium_lm::{DataError, Part, Position, Tokenizer, Windows};

/// Batches of sequences of context + 1 tokens.
pub(super) struct Batches {
    windows: Windows,
    context: usize,
    inputs: Vec<u32>,
    targets: Vec<u32>,
    sequences: Vec<u32>,
}

impl Batches {
    /// Of a part of the text, from its beginning on.
    pub(super) fn new(
        text: &Text,
        tokenizer: &Arc<Tokenizer>,
        part: Part,
        context: usize,
        seed: u64,
    ) -> Result<Self, DataError> {
        let corpus = text.corpus.clone();
        let holdout = corpus.holdout();
        let windows = Windows::new(corpus, tokenizer.clone(), holdout, part, context, seed)?;
        let (inputs, targets, sequences) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { windows, context, inputs, targets, sequences })
    }

    pub(super) fn position(&self) -> Position {
        self.windows.position()
    }

    pub(super) fn seek(&mut self, position: Position) -> Result<(), DataError> {
        self.windows.seek(position)
    }

    /// How many windows there are, where that is known.
    pub(super) fn count(&self) -> Option<u32> {
        self.windows.per_epoch()
    }

    /// The tokens at hand.
    pub(super) fn tokens(&self) -> &[u32] {
        self.windows.tokens()
    }

    /// The next so many sequences, one after the other.
    pub(super) fn next(&mut self, rows: usize) -> Result<&[u32], DataError> {
        let Self { windows, context, inputs, targets, sequences } = self;
        let context = *context;
        inputs.resize(rows * context, 0);
        targets.resize(rows * context, 0);
        windows.next_batch(inputs, targets)?;
        sequences.clear();
        for (input, target) in inputs.chunks_exact(context).zip(targets.chunks_exact(context)) {
            sequences.extend_from_slice(input);
            sequences.push(target[context - 1]);
        }
        Ok(sequences)
    }
}

/// What training reads, what exams read, and what counting achieves.
pub(super) struct Reading {
    pub(super) training: Batches,
    pub(super) held_out: Batches,
    pub(super) baselines: Option<Baselines>,
}

impl Reading {
    /// Training goes on at `position`.
    pub(super) fn new(
        text: &Text,
        tokenizer: &Arc<Tokenizer>,
        context: usize,
        seed: u64,
        position: Position,
    ) -> Result<Self, DataError> {
        let part = |part| Batches::new(text, tokenizer, part, context, seed);
        let (mut training, held_out) = (part(Part::Training)?, part(Part::Validation)?);
        // Of the first pool always, so that they are the same whenever training is taken up again.
        let baselines = Baselines::new(tokenizer.vocabulary(), training.tokens(), held_out.tokens());
        training.seek(position)?;
        Ok(Self { training, held_out, baselines })
    }
}
