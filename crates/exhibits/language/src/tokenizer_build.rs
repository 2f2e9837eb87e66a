//! Making a tokenizer, slice by slice.

use super::failure::LanguageFailure;
use vivarium_lm::data::{CharacterScan, WordScan};
use vivarium_lm::{BpeTraining, Corpus, Tokenizer};

/// Pieces of text, or tokens of words in which pairs are counted or merged, of a slice: some milliseconds.
const CHUNKS: u32 = 2;
const TOKENS: usize = 20_000;

/// Words are counted in so much text at most: more of it would hardly change which pairs are frequent.
const MOST_BYTES: u64 = 1 << 24;

/// How far it is.
pub(super) enum TokenizerBuild {
    /// Characters are looked for.
    Characters(Box<CharacterScan>),
    /// Words are counted, for a vocabulary of so many tokens.
    Words(Box<WordScan>, usize),
    /// Pairs are merged.
    Pairs(Box<BpeTraining>),
}

/// What comes after a slice.
pub(super) enum TokenizerBuildStep {
    /// Another one.
    Unfinished(TokenizerBuild),
    /// Nothing: it is made.
    Finished(Tokenizer),
}

impl TokenizerBuild {
    /// Towards a vocabulary of so many tokens; 0: characters.
    pub(super) fn new(corpus: &Corpus, vocabulary: u32) -> Self {
        match vocabulary {
            0 => Self::Characters(Box::default()),
            _ => {
                let survey = WordScan::new(corpus, corpus.holdout(), MOST_BYTES);
                Self::Words(Box::new(survey), vocabulary as usize)
            }
        }
    }

    /// How much of it is done, 0 to 1.
    pub(super) fn done(&self, corpus: &Corpus) -> f64 {
        match self {
            Self::Characters(survey) => survey.done(corpus),
            Self::Words(survey, _) => 0.5 * survey.done(),
            Self::Pairs(training) => 0.5 + 0.5 * training.done(),
        }
    }

    /// Does one slice.
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
