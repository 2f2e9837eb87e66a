//! Language models: text as tokens, and what learns to continue it.

pub mod baselines;
pub mod data;
pub mod encyclopedia;
pub mod tokenizer;

pub use data::{Corpus, DataError, Holdout, Memory, Part, Position, Source, Windows};
pub use tokenizer::{Bpe, BpeTraining, Characters, Tokenizer, TokenizerError, WordCache, WordCounts};
