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
    /// Standard deviation of a window's mean loss over the evaluated windows, in nats per token.
    pub std: f64,
    /// Number of evaluated windows (sequences of context length) of held-out text.
    pub windows: u32,
    /// Number of held-out tokens whose loss was computed.
    pub tokens: u64,
    /// Number of tokens in the tokenizer's vocabulary.
    pub vocabulary: u32,
    /// Losses of n-gram models on the held-out text of the evaluation; `None` if the text is too short.
    pub baselines: Option<LanguageBaselines>,
    /// Scores of the multiple-choice quiz about the built-in training text; `None` for other training texts.
    pub quiz: Option<LanguageQuiz>,
}

impl LanguageEvaluation {
    /// Returns the fraction of quiz questions that were answered correctly, 0 to 1; `None` without quiz questions.
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
    /// Loss of the unigram model, which predicts the relative frequency of each token.
    pub unigram: f64,
    /// Loss of the bigram model, which conditions on the previous token.
    pub bigram: f64,
    /// Loss of the trigram model, which conditions on the two previous tokens.
    pub trigram: f64,
}

/// Scores of the model in the multiple-choice quiz about the built-in training text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageQuiz {
    /// Score over all quiz questions.
    pub all: LanguageScore,
    /// Score over the questions about facts that the training text states only in articles about other subjects.
    /// Example: the capital of a country that only articles about cities state.
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
    /// Returns the fraction of questions that were answered correctly, 0 to 1; `None` without questions.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.asked > 0).then(|| f64::from(self.right) / f64::from(self.asked))
    }
}
