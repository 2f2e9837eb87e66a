//! How training goes.

use crate::protocol::LanguageBaselines;
use serde::{Deserialize, Serialize};

/// The document `language`: how training goes, beside what metrics say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageRun {
    /// What goes on.
    pub stage: LanguageStage,
    /// How much of that stage is done, 0 to 1; of training 0 where it goes on until somebody stops it.
    pub done: f64,
    /// The text; `None` before there is one.
    pub text: Option<LanguageText>,
    /// What cuts it into tokens; `None` before it is made.
    pub tokenizer: Option<LanguageTokenizer>,
    /// What learns; `None` before there is a tokenizer.
    pub model: Option<LanguageModel>,
    /// What counting achieves on held-out text; `None` before it is read, and where there is too little of it.
    pub baselines: Option<LanguageBaselines>,
    /// Gradient steps.
    pub updates: u64,
    /// Tokens learned from.
    pub tokens: u64,
    /// How often the text has been read, with what has been read of it since; `None` before it is cut into tokens, as after
    /// a reload.
    pub epoch: Option<f64>,
    /// Every evaluation so far, the oldest first. Where there are more than 512, earlier ones are thinned out.
    pub validation: Vec<LanguageEvaluationRow>,
}

/// What goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageStage {
    /// The built-in text is written.
    Text,
    /// A text is waited for that somebody has to bring.
    Missing,
    /// A tokenizer is made from the text.
    Tokenizer,
    /// Text is cut into tokens and counted.
    Reading,
    /// The model learns.
    Training,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageText {
    /// What it is called.
    pub name: String,
    /// Whether it is the one that writes itself.
    pub built_in: bool,
    /// How long it is.
    pub bytes: u64,
    /// Pieces of some kilobytes that it is read in.
    pub chunks: u32,
}

/// What cuts text into tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageTokenizer {
    /// Of which kind.
    pub kind: LanguageTokenizerKind,
    /// How many tokens it knows.
    pub vocabulary: u32,
    /// The first tokens of the text, at most 60, as [`LanguageToken::text`](super::LanguageToken::text).
    pub example: Vec<String>,
}

/// What tokens are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageTokenizerKind {
    /// Characters.
    Characters,
    /// Bytes, and pairs of tokens that often stand side by side.
    BytePairs,
}

/// What learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageModel {
    /// Numbers that it learns.
    pub parameters: u64,
    /// Blocks that a token passes through.
    pub layers: u32,
    /// Ways in which each of them looks back at once.
    pub heads: u32,
    /// Numbers that stand for a token between two of them.
    pub width: u32,
    /// Tokens that it sees at once.
    pub context: u32,
    /// Bytes held for training: weights, gradient, optimizer and working memory.
    pub memory_bytes: u64,
    /// Floating point operations of a gradient step for each of its tokens.
    pub flops_per_token: f64,
}

/// The result of an evaluation beside training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageEvaluationRow {
    /// Tokens that had been learned from.
    pub tokens: u64,
    /// Gradient steps before it.
    pub updates: u64,
    /// Mean cross-entropy on held-out text, in nats a token.
    pub loss: f64,
    /// The share of questions that it answered rightly; `None` where there were none.
    pub quiz: Option<f64>,
}
