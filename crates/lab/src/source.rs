//! Byte sources from which experiments read training data, such as a text.

pub use vivarium_learn::{ByteSource, MemorySource};

/// Maximum size in bytes of a data source (such as a training text) that the web page accepts. The page holds the data
/// in memory.
pub const LARGEST_IN_PAGE: u64 = 256_000_000;
