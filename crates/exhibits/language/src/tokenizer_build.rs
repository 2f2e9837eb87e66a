//! Incremental training of the tokenizer.

use super::failure::LanguageFailure;
use vivarium_lm::data::{CharacterScan, WordScan};
use vivarium_lm::{BpeTraining, Corpus, Tokenizer};

/// Number of text chunks that are scanned per call of [`TokenizerBuild::advance`], which takes some milliseconds.
const CHUNKS: u32 = 2;
/// Number of tokens of words that are processed per call of [`TokenizerBuild::advance`] in BPE training.
const TOKENS: usize = 20_000;

/// Maximum bytes of text for the word counts; more text hardly changes the frequent pairs.
const MAX_BYTES: u64 = 1 << 24;

/// Phase of the tokenizer training.
pub(super) enum TokenizerBuild {
    /// Scan for the character set.
    Characters(Box<CharacterScan>),
    /// Word counts, for a vocabulary of this size.
    Words(Box<WordScan>, usize),
    /// BPE merges.
    Pairs(Box<BpeTraining>),
}

/// Result of [`TokenizerBuild::advance`].
pub(super) enum TokenizerBuildStep {
    /// Work remains.
    Unfinished(TokenizerBuild),
    /// The tokenizer is complete.
    Finished(Tokenizer),
}

impl TokenizerBuild {
    /// Starts training a tokenizer with `vocabulary` tokens; 0 selects characters.
    pub(super) fn new(corpus: &Corpus, vocabulary: u32) -> Self {
        match vocabulary {
            0 => Self::Characters(Box::default()),
            _ => {
                let survey = WordScan::new(corpus, corpus.holdout(), MAX_BYTES);
                Self::Words(Box::new(survey), vocabulary as usize)
            }
        }
    }

    /// Returns the finished fraction, 0 to 1.
    pub(super) fn done(&self, corpus: &Corpus) -> f64 {
        match self {
            Self::Characters(survey) => survey.done(corpus),
            Self::Words(survey, _) => 0.5 * survey.done(),
            Self::Pairs(training) => 0.5 + 0.5 * training.done(),
        }
    }

    /// Performs a bounded part of the training.
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
