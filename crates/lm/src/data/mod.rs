//! Training data of any size: files, folders, MediaWiki dumps, or byte sources of a browser.
//!
//! A [`Corpus`] is divided into chunks of 1 to 64 KiB at line ends or wiki pages. A chunk boundary depends only on the
//! chunk number and nearby bytes, so chunks have random access without an index. [`Windows`] permutes the chunks,
//! tokenizes some of them into a shuffle buffer of about 4 MiB of text, and returns the windows of the buffer in random
//! order. Memory use is limited to one buffer. A position in the training text consists of three numbers: epoch, buffer
//! and window.

mod batches;
mod corpus;
mod document;
mod error;
#[cfg(not(target_family = "wasm"))]
mod files;
mod holdout;
mod lines;
mod pages;
mod scan;
mod shuffle_buffer;
mod wikitext;
mod windows;

pub use batches::BatchStream;
pub use corpus::{Corpus, Format};
pub use document::{Document, ReadBuffers};
pub use error::DataError;
#[cfg(not(target_family = "wasm"))]
pub use files::open;
pub use holdout::{DataSplit, Holdout};
pub use scan::{CharacterScan, WordScan};
pub use vivarium_learn::{ByteSource, MemorySource};
pub use wikitext::plain_text;
pub use windows::{TextPosition, Windows};
