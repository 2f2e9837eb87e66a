//! Training state of a language-model run, for front ends.

use crate::protocol::LanguageBaselines;
use serde::{Deserialize, Serialize};

/// JSON document `language`: training state beyond the metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageRun {
    /// Current stage of the run, such as training of the tokenizer.
    pub stage: LanguageStage,
    /// Finished fraction of the run's current stage, 0 to 1. 0 if the stage is training and the number of gradient
    /// steps is unlimited.
    pub done: f64,
    /// Description of the training text; `None` before the text of a new run is available.
    pub text: Option<LanguageText>,
    /// Description of the tokenizer; `None` before the tokenizer is built.
    pub tokenizer: Option<LanguageTokenizer>,
    /// Size of the model; `None` before the tokenizer is built.
    pub model: Option<LanguageModel>,
    /// Losses of n-gram models on held-out text; `None` before these losses are computed, or if the text is too short.
    pub baselines: Option<LanguageBaselines>,
    /// Number of gradient steps of the model so far.
    pub updates: u64,
    /// Number of training tokens so far; tokens of repeated passes count again.
    pub tokens: u64,
    /// Number of passes over the training text so far, including the fraction of the current pass. `None` before the
    /// text is tokenized, which is also necessary after a checkpoint is opened.
    pub epoch: Option<f64>,
    /// Results of the evaluations, oldest first. If there are more than 512, every second result is dropped.
    pub validation: Vec<LanguageEvaluationRow>,
}

/// Stage of a language-model run: the work in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageStage {
    /// Generation of the built-in training text.
    Text,
    /// Waiting for the front end to supply the training text.
    Missing,
    /// Training of the tokenizer on the training text is in progress.
    Tokenizer,
    /// Tokenization of the training text, and n-gram counts for the baselines.
    Reading,
    /// Training of the model, and its evaluations.
    Training,
}

/// Description of the training text: name, size and number of chunks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageText {
    /// Display name of the training text.
    pub name: String,
    /// Whether the training text is the generated encyclopedia.
    pub built_in: bool,
    /// Size of the training text in bytes.
    pub bytes: u64,
    /// Number of chunks into which the training text is divided for tokenization.
    pub chunks: u32,
}

/// Description of the tokenizer: kind, vocabulary size, and an example of its tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageTokenizer {
    /// Kind of tokenizer: characters or byte-pair encoding.
    pub kind: LanguageTokenizerKind,
    /// Number of tokens in the vocabulary of the tokenizer.
    pub vocabulary: u32,
    /// Characters of the first tokens of the training text, at most 60 tokens. Incomplete UTF-8 characters are shown as
    /// `⟨e4⟩`, end-of-document as `⟨end⟩`.
    pub example: Vec<String>,
}

/// Kind of tokenizer: character-level or byte-pair encoding (BPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageTokenizerKind {
    /// Character-level tokenizer.
    Characters,
    /// Byte-level byte-pair encoding (BPE).
    BytePairs,
}

/// Size of the transformer, its memory and its compute cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageModel {
    /// Number of parameters of the model.
    pub parameters: u64,
    /// Number of transformer blocks of the model.
    pub layers: u32,
    /// Number of attention heads per transformer block.
    pub heads: u32,
    /// Embedding width of the model: the length of a token's vector.
    pub width: u32,
    /// Context length: maximum number of tokens that the model attends to.
    pub context: u32,
    /// Memory for training in bytes: weights, gradients, optimizer state, working memory.
    pub memory_bytes: u64,
    /// Number of floating-point operations of a gradient step, per training token.
    pub flops_per_token: f64,
}

/// Result of one of the periodic evaluations during training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageEvaluationRow {
    /// Number of training tokens before the evaluation.
    pub tokens: u64,
    /// Number of gradient steps before the evaluation.
    pub updates: u64,
    /// Mean cross-entropy on held-out text, in nats per token.
    pub loss: f64,
    /// Fraction of quiz questions that were answered correctly, 0 to 1; `None` without quiz questions.
    pub quiz: Option<f64>,
}
