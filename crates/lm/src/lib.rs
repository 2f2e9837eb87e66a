//! Language models: text as tokens, and what learns to continue it.

pub mod baselines;
mod config;
pub mod data;
pub mod encyclopedia;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod map;
pub mod model;
mod presets;
mod sampling;
mod state;
pub mod tokenizer;
mod trainer;
mod writing;

pub use config::{LanguageConfig, Optimizer};
pub use data::{Corpus, DataError, Holdout, Memory, Part, Position, Source, Windows};
pub use error::LanguageError;
pub use map::EmbeddingMap;
pub use model::{Gpt, Reader};
pub use presets::Preset;
pub use sampling::{Sampling, likeliest};
pub use tokenizer::{Bpe, BpeTraining, Characters, Tokenizer, TokenizerError, WordCache, WordCounts};
pub use trainer::{Learned, Trainer};
pub use writing::Writing;
