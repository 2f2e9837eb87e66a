//! How well a model predicts text that was held out, and what it knows.

use serde::{Deserialize, Serialize};

/// How well a model predicts text that was held out, and what it knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "language")]
pub struct LanguageEvaluation {
    /// Mean cross-entropy in nats a token.
    pub loss: f64,
    /// e to the power of the loss: among how many tokens it is as unsure as if all of them were alike.
    pub perplexity: f64,
    /// Standard deviation of the mean loss of a window of text, in nats a token.
    pub std: f64,
    /// Windows of text.
    pub windows: u32,
    /// Tokens that it had to predict in all of them.
    pub tokens: u64,
    /// Tokens of its vocabulary.
    pub vocabulary: u32,
    /// What counting achieves on the same text; `None` where there was too little of it.
    pub baselines: Option<LanguageBaselines>,
    /// Questions about the built-in text; `None` for any other.
    pub quiz: Option<LanguageQuiz>,
}

impl LanguageEvaluation {
    /// The share of the questions that it answered; `None` where none were asked.
    pub(crate) fn quiz_share(&self) -> Option<f64> {
        self.quiz.as_ref()?.all.share()
    }
}

/// Losses of models that only count, in nats a token.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageBaselines {
    /// All tokens are alike.
    pub uniform: f64,
    /// Tokens are as likely as they are frequent.
    pub unigram: f64,
    /// They depend on the token before.
    pub bigram: f64,
    /// They depend on the two tokens before.
    pub trigram: f64,
}

/// How many questions were answered rightly, each with one of four answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageQuiz {
    /// All questions.
    pub all: LanguageScore,
    /// Those whose fact is stated only in articles about something else.
    pub elsewhere: LanguageScore,
    /// By what they ask for, such as "capitals of countries".
    pub topics: Vec<(String, LanguageScore)>,
}

/// Questions, and right answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageScore {
    /// Of these,
    pub asked: u32,
    /// so many.
    pub right: u32,
}

impl LanguageScore {
    /// The share of right answers; `None` if nothing was asked.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.asked > 0).then(|| f64::from(self.right) / f64::from(self.asked))
    }
}
