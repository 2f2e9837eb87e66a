//! Training state of a language-model run, for front ends.

use crate::protocol::LanguageBaselines;
use serde::{Deserialize, Serialize};

/// JSON document `language`: training state beyond the metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageRun {
    /// Current stage of the run, such as training of the tokenizer.
    pub stage: LanguageStage,
    /// Finished fraction of the current stage, 0 to 1; 0 for training without a limit on the number of gradient steps.
    pub done: f64,
    /// Description of the training text; `None` before it is available.
    pub text: Option<LanguageText>,
    /// Description of the tokenizer; `None` before it is built.
    pub tokenizer: Option<LanguageTokenizer>,
    /// Size of the model; `None` before the tokenizer is built.
    pub model: Option<LanguageModel>,
    /// N-gram baselines on held-out text; `None` before they are computed, or if the text is too short.
    pub baselines: Option<LanguageBaselines>,
    /// Number of gradient steps of the model so far.
    pub updates: u64,
    /// Number of training tokens so far; tokens of repeated passes count again.
    pub tokens: u64,
    /// Number of passes over the training text, including the fraction of the current pass; `None` before the text is
    /// tokenized, also after a checkpoint is opened.
    pub epoch: Option<f64>,
    /// Results of the evaluations, oldest first. If there are more than 512, every second result is dropped.
    pub validation: Vec<LanguageEvaluationRow>,
}

/// Stage of a language-model run: the work in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LanguageStage {
    /// Generation of the built-in text.
    Text,
    /// Waiting for the front end to supply the training text.
    Missing,
    /// Training of the tokenizer on the training text.
    Tokenizer,
    /// Tokenization of the training text, and n-gram counts for the baselines.
    Reading,
    /// Training of the model, and its evaluations.
    Training,
}

/// Description of the training text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageText {
    /// Name of the training text.
    pub name: String,
    /// Whether the training text is the generated encyclopedia.
    pub built_in: bool,
    /// Size of the training text in bytes.
    pub bytes: u64,
    /// Number of chunks into which the training text is divided for tokenization.
    pub chunks: u32,
}

/// Description of the tokenizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageTokenizer {
    /// Kind of tokenizer: characters or byte-pair encoding.
    pub kind: LanguageTokenizerKind,
    /// Number of tokens in the vocabulary.
    pub vocabulary: u32,
    /// First tokens of the training text, at most 60, as [`LanguageToken::text`](super::LanguageToken::text).
    pub example: Vec<String>,
}

/// Kind of tokenizer.
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
    /// Number of attention heads per block.
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
    /// Number of training tokens up to the evaluation.
    pub tokens: u64,
    /// Number of gradient steps up to the evaluation.
    pub updates: u64,
    /// Mean cross-entropy of the evaluation on held-out text, in nats per token.
    pub loss: f64,
    /// Quiz accuracy of the evaluation, 0 to 1; `None` without questions.
    pub quiz: Option<f64>,
}
