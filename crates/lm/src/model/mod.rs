//! The model: a transformer that predicts the next token (Radford et al. 2019, "GPT-2").

mod batch;
mod definition;
mod gpt;
mod reader;

pub(crate) use batch::Batch;
pub(crate) use definition::Definition;
pub use gpt::Gpt;
pub(crate) use gpt::mean;
pub use reader::Reader;
