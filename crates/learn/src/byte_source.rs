//! Random-access byte sources for training corpora.

use std::io;
use std::sync::Arc;

/// Bytes of known length with random access: a file on disk, or a file that a user opened in a browser.
pub trait ByteSource: Send + Sync {
    /// Returns the name of the source for error messages, such as a path.
    fn name(&self) -> &str;

    /// Returns the length of the source in bytes. The contents must not change during training.
    fn len(&self) -> u64;

    /// Returns whether the length is 0.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `into` with the bytes from offset `at` on.
    ///
    /// # Errors
    /// An I/O error, or [`io::ErrorKind::UnexpectedEof`] if the source ends before `into` is full.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;
}

/// A byte source in memory.
#[derive(Clone, Debug)]
pub struct MemorySource {
    name: String,
    bytes: Arc<[u8]>,
}

impl MemorySource {
    /// Creates a source with a name for error messages.
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

impl ByteSource for MemorySource {
    fn name(&self) -> &str {
        &self.name
    }

    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.bytes.get(at..));
        let found = from.and_then(|bytes| bytes.get(..into.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(found);
        Ok(())
    }
}
