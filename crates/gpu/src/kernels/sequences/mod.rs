//! What only learners of sequences need: attention, tables, and the head of a vocabulary with its loss.

mod attention;
mod embedding;
mod head;

pub use attention::{Attention, AttentionGradient, WIDEST_HEAD, attention, attention_gradient};
pub use embedding::{EmbeddingGradient, embedding_gradient};
pub use head::{Head, HeadGradient, head_gradient, head_loss};
