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

    /// How often all of it has been seen, with the share that has been seen since.
    pub(super) fn epochs(&self) -> f64 {
        self.windows.epochs()
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

/// A text that is being opened: a pool of it is read at a time.
#[derive(Default)]
pub(super) enum Opening {
    /// Nothing is read yet.
    #[default]
    Closed,
    /// The training part is.
    Training(Box<Batches>),
    /// Both parts are.
    Both(Box<[Batches; 2]>),
    /// What counting achieves is known, and training is at its place.
    Open(Box<Reading>),
}

impl Opening {
    /// Does one slice, for windows of `context` tokens in the order of a seed. Training goes on at `position`.
    pub(super) fn advance(
        self,
        text: &Text,
        tokenizer: &Arc<Tokenizer>,
        (context, seed): (usize, u64),
        position: Position,
    ) -> Result<Self, DataError> {
        let part = |part| Batches::new(text, tokenizer, part, context, seed);
        Ok(match self {
            Self::Closed => Self::Training(Box::new(part(Part::Training)?)),
            Self::Training(training) => Self::Both(Box::new([*training, part(Part::Validation)?])),
            Self::Both(both) => {
                let [mut training, held_out] = *both;
                // Of the first pool always, so that they are the same whenever training is taken up again.
                let baselines = Baselines::new(tokenizer.vocabulary(), training.tokens(), held_out.tokens());
                training.seek(position)?;
                Self::Open(Box::new(Reading { training, held_out, baselines }))
            }
            open @ Self::Open(_) => open,
        })
    }

    /// How much of it is done, 0 to 1.
    pub(super) fn done(&self) -> f64 {
        match self {
            Self::Closed => 0.0,
            Self::Training(_) => 0.4,
            Self::Both(_) => 0.5,
            Self::Open(_) => 1.0,
        }
    }
}
