//! The model: a decoder-only transformer, GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask
//! Learners", <https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf>).

mod batch;
mod export;
mod gpt;
mod graph;
mod incremental_decoder;

pub(crate) use batch::TokenBatch;
pub use gpt::Gpt;
pub(crate) use gpt::mean;
pub(crate) use graph::GptGraph;
pub use incremental_decoder::IncrementalDecoder;
