//! Text as numbers and back.

mod characters;
mod error;

pub use characters::Characters;
pub use error::TokenizerError;
