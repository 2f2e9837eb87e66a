//! Where the bytes of data come from.

pub use vivarium_lm::{Memory, Source};
