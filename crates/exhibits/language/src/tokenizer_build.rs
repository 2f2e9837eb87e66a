//! Incremental training of the tokenizer.

use super::failure::LanguageFailure;
use vivarium_lm::data::{CharacterScan, WordScan};
use vivarium_lm::{BpeTraining, Corpus, Tokenizer};

/// Number of chunks of the training text that one call of [`TokenizerBuild::advance`] scans. A call takes some
/// milliseconds.
const CHUNKS: u32 = 2;
/// Amount of BPE training in one call of [`TokenizerBuild::advance`], in tokens. A call ends when the words that it has
/// processed have at least this many tokens in total.
const TOKENS: usize = 20_000;

/// Maximum number of bytes of the training text whose words are counted. Counting more text would hardly change which
/// token pairs are the most frequent.
const MAX_BYTES: u64 = 1 << 24;

/// Training of a tokenizer in progress, with the data of its current phase.
pub(super) enum TokenizerBuild {
    /// Scan of the training text for its character set (character-level tokenizer).
    Characters(Box<CharacterScan>),
    /// BPE, first phase: counts the words of the training text. Also holds the requested vocabulary size.
    Words(Box<WordScan>, usize),
    /// BPE, second phase: finds the merges, which are pairs of tokens that become one token.
    Pairs(Box<BpeTraining>),
}

/// Result of one call of [`TokenizerBuild::advance`]: the training to continue, or the complete tokenizer.
pub(super) enum TokenizerBuildStep {
    /// The tokenizer training is not complete and has to be continued.
    Unfinished(TokenizerBuild),
    /// The tokenizer training is complete.
    Finished(Tokenizer),
}

impl TokenizerBuild {
    /// Starts the training of a BPE tokenizer with `vocabulary` tokens; 0 selects a character-level tokenizer.
    pub(super) fn new(corpus: &Corpus, vocabulary: u32) -> Self {
        match vocabulary {
            0 => Self::Characters(Box::default()),
            _ => {
                let survey = WordScan::new(corpus, corpus.holdout(), MAX_BYTES);
                Self::Words(Box::new(survey), vocabulary as usize)
            }
        }
    }

    /// Returns the finished fraction of the tokenizer training, 0 to 1.
    pub(super) fn done(&self, corpus: &Corpus) -> f64 {
        match self {
            Self::Characters(survey) => survey.done(corpus),
            Self::Words(survey, _) => 0.5 * survey.done(),
            Self::Pairs(training) => 0.5 + 0.5 * training.done(),
        }
    }

    /// Advances the training of the tokenizer by a bounded amount of work. Returns the training to continue, or the
    /// complete tokenizer.
    pub(super) fn advance(self, corpus: &Corpus) -> Result<TokenizerBuildStep, LanguageFailure> {
        Ok(match self {
            Self::Characters(mut survey) => match survey.advance(corpus, CHUNKS)? {
                true => TokenizerBuildStep::Unfinished(Self::Characters(survey)),
                false => TokenizerBuildStep::Finished(Tokenizer::Characters(survey.characters()?)),
            },
            Self::Words(mut survey, vocabulary) => match survey.advance(corpus, CHUNKS)? {
                true => TokenizerBuildStep::Unfinished(Self::Words(survey, vocabulary)),
                false => TokenizerBuildStep::Unfinished(Self::Pairs(Box::new(BpeTraining::new(
                    survey.words(),
                    vocabulary,
                )?))),
            },
            Self::Pairs(mut training) => match training.advance(TOKENS) {
                true => TokenizerBuildStep::Unfinished(Self::Pairs(training)),
                false => TokenizerBuildStep::Finished(Tokenizer::Bpe(training.bpe())),
            },
        })
    }
}
