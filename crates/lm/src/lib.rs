//! Language models: text as tokens, and what learns to continue it.

pub mod tokenizer;

pub use tokenizer::{Bpe, BpeTraining, Characters, Tokenizer, TokenizerError, WordCache, WordCounts};
