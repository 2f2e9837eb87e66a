//! Data sources of experiments.

pub use vivarium_learn::{ByteSource, MemorySource};

/// Maximum size of a data source in the page, in bytes. The page holds the data in memory.
pub const LARGEST_IN_PAGE: u64 = 256_000_000;
