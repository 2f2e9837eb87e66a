//! Transformer language models: tokenizers, data loading, training on CPU and GPU, text generation.
//!
//! - [`Gpt`]: decoder-only transformer, GPT-2 (Radford et al. 2019,
//!   <https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf>).
//! - [`LanguageLearner`]: the learner: model, optimizer and training text, on CPU and GPU.
//! - [`LanguageTrainer`]: gradient steps with AdamW or Muon on the CPU; `gpu_trainer::LanguageGpuTrainer` on the GPU.
//! - [`LanguageConfig`], [`LanguagePreset`]: hyperparameters.
//! - [`Tokenizer`], [`Bpe`], [`BpeTraining`], [`Characters`]: byte-level BPE and character tokenizers.
//! - [`Corpus`], [`Windows`], [`Holdout`]: shuffled training sequences and held-out text from files of any size.
//! - [`IncrementalDecoder`], [`TextGenerator`], [`Sampling`]: decoding with a KV cache.
//! - [`baselines::Baselines`]: held-out losses of unigram, bigram and trigram models.
//! - [`encyclopedia::Encyclopedia`]: generated training text with a multiple-choice quiz.
//!
//! ```
//! use vivarium_lm::{LanguageConfig, LanguageTrainer, Tokenizer};
//! use vivarium_graph::Cpu;
//!
//! let text = "the cat sat on the mat. the cat sat on the hat.";
//! let tokenizer = Tokenizer::bpe_of_text(text, 260)?;
//! let config = LanguageConfig { context: 8, layers: 1, heads: 2, width: 16, batch: 2, ..LanguageConfig::default() };
//! let mut trainer = LanguageTrainer::new(config, tokenizer.vocabulary(), 1)?;
//! let tokens = tokenizer.tokens(text)?;
//! let metrics = trainer.step(&Cpu::new(1), &tokens[..18])?; // two sequences of context + 1 tokens
//! assert!(metrics.loss > 0.0);
//! # Ok::<(), vivarium_lm::LanguageError>(())
//! ```
//!
//! # Data
//!
//! A [`Corpus`] is divided into chunks at line ends or wiki pages. The boundaries of a chunk are computed from its
//! number, so files larger than memory need no index. [`Windows`] tokenizes random chunks into a shuffle buffer and
//! samples sequences from the buffer without replacement. The orders of chunks and windows are pseudorandom
//! permutations of their indices. A position in the training text is therefore three numbers ([`TextPosition`]), from
//! which training resumes exactly.
//!
//! The [encyclopedia] is generated from tables of facts and sentence templates. The wording of its questions occurs in
//! no article; the quiz therefore measures recall of facts rather than of sentences. Some facts are stated only in
//! articles about other subjects.
//!
//! # Model
//!
//! A sequence is one row of the computation graph; only attention mixes the tokens of a row. Attention is computed in
//! blocks with an online softmax and recomputed in the backward pass (FlashAttention, Dao et al. 2022,
//! <https://arxiv.org/abs/2205.14135>), so no context × context matrix is stored. Output head and cross-entropy are one
//! operation over blocks of tokens and chunks of the vocabulary. Graph operations on sequences are a cargo feature of
//! `vivarium-graph`.
//!
//! A gradient step is computed by gradient accumulation over micro-batches, and allocates no memory after the first
//! step. Decoding uses the same parameters in a graph that is split at the attention layers; attention is computed over
//! a KV cache. Weights have the names and shapes of GPT-2's checkpoints.

pub mod baselines;
mod config;
pub mod data;
mod embedding_map;
pub mod encyclopedia;
mod error;
mod generation;
#[cfg(feature = "gpu")]
pub mod gpu_learner;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
mod learner;
pub mod model;
mod presets;
mod sampling;
mod state;
pub mod tokenizer;
mod trainer;

pub use config::{LanguageConfig, LanguageNorm, LanguageOptimizer};
pub use data::{
    BatchStream, ByteSource, Corpus, DataError, DataSplit, Holdout, MemorySource, TextPosition, Windows,
};
pub use embedding_map::EmbeddingMap;
pub use error::{LanguageError, TEXT_FIELD};
pub use generation::TextGenerator;
pub use learner::LanguageLearner;
pub use model::{Gpt, IncrementalDecoder};
pub use presets::LanguagePreset;
pub use sampling::{Sampling, top_tokens};
pub use tokenizer::{Bpe, BpeTraining, Characters, Tokenizer, TokenizerError, WordCache, WordCounts};
pub use trainer::{LanguageStepWork, LanguageTrainer, StepMetrics};
pub use vivarium_learn::{Advance, Learner};
