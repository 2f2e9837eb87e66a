//! Text to learn from, whatever its size: files, folders, MediaWiki dumps, or bytes that a browser hands over.
//!
//! A [`Corpus`] is cut into *pieces* of some kilobytes at line ends or pages. Where a piece begins follows from its
//! number and the few bytes around, so that nothing is read beforehand and any piece is read by itself. [`Windows`] put
//! the pieces into a random order, hold a *pool* of them as tokens, and draw windows from it in a random order. So memory
//! is that of a pool, however much text there is; and a place in the text is three numbers.

mod corpus;
mod document;
mod error;
#[cfg(not(target_family = "wasm"))]
mod files;
mod holdout;
mod lines;
mod pages;
mod pool;
mod survey;
mod wikitext;
mod windows;

pub use corpus::{Corpus, Format};
pub use document::{Document, Scratch};
pub use error::DataError;
#[cfg(not(target_family = "wasm"))]
pub use files::open;
pub use holdout::{Holdout, Part};
pub use survey::{CharacterSurvey, WordSurvey};
pub use vivarium_learn::{Memory, Source};
pub use wikitext::plain_text;
pub use windows::{Position, Windows};
