//! Where bytes come from.

use std::io;
use std::sync::Arc;

/// Bytes of known length that can be read from any place: a file, or what a browser handed over.
pub trait ByteSource: Send + Sync {
    /// What errors call it, such as its path.
    fn name(&self) -> &str;

    /// How many bytes there are. They stay what they are while they are learned from.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `into` with the bytes from `at` on.
    ///
    /// # Errors
    /// What the system says, or that the bytes end before.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;
}

/// Bytes in memory.
#[derive(Clone, Debug)]
pub struct MemorySource {
    name: String,
    bytes: Arc<[u8]>,
}

impl MemorySource {
    /// Bytes under a name.
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
