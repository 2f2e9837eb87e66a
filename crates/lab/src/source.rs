//! Where the bytes of data come from.

pub use vivarium_learn::{ByteSource, MemorySource};

/// The most bytes of data in a page, which holds all of them in memory.
pub const LARGEST_IN_PAGE: u64 = 256_000_000;
