//! Results of an evaluation: held-out loss, n-gram baselines, quiz.

use serde::{Deserialize, Serialize};

/// Result of an evaluation on held-out text and quiz questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageEvaluation {
    /// Mean cross-entropy on held-out text, in nats per token.
    pub loss: f64,
    /// Perplexity on held-out text: e to the power of the loss.
    pub perplexity: f64,
    /// Standard deviation, over the windows, of the mean loss of a window, in nats per token.
    pub std: f64,
    /// Number of evaluated windows (sequences of context length) of held-out text.
    pub windows: u32,
    /// Number of held-out tokens that the model predicted.
    pub tokens: u64,
    /// Vocabulary size of the tokenizer.
    pub vocabulary: u32,
    /// N-gram baselines on the same split; `None` if the text is too short.
    pub baselines: Option<LanguageBaselines>,
    /// Quiz about the built-in text; `None` for other texts.
    pub quiz: Option<LanguageQuiz>,
}

impl LanguageEvaluation {
    /// Returns the quiz accuracy, 0 to 1; `None` without questions.
    pub(crate) fn quiz_share(&self) -> Option<f64> {
        self.quiz.as_ref()?.all.share()
    }
}

/// Held-out losses of n-gram models in nats per token.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageBaselines {
    /// Loss of the uniform distribution over the vocabulary: ln(vocabulary size).
    pub uniform: f64,
    /// Loss of the unigram model: relative token frequencies.
    pub unigram: f64,
    /// Loss of the bigram model: conditional on the previous token.
    pub bigram: f64,
    /// Loss of the trigram model: conditional on the two previous tokens.
    pub trigram: f64,
}

/// Scores of the multiple-choice quiz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageQuiz {
    /// Score over all quiz questions.
    pub all: LanguageScore,
    /// Score over the questions whose fact the training text states only in articles about other subjects than the
    /// question's.
    pub elsewhere: LanguageScore,
    /// Scores of the quiz questions by topic, such as "capitals of countries".
    pub topics: Vec<(String, LanguageScore)>,
}

/// Score of quiz questions: number of questions, and number of correct answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageScore {
    /// Number of quiz questions asked.
    pub asked: u32,
    /// Number of quiz questions answered correctly.
    pub right: u32,
}

impl LanguageScore {
    /// Returns the accuracy, 0 to 1; `None` without questions.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.asked > 0).then(|| f64::from(self.right) / f64::from(self.asked))
    }
}
