//! Device buffers, allocated from a pool with power-of-two size classes.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use crate::lock::lock;

/// Size of a word in bytes. All device memory consists of 32-bit words.
pub(crate) const WORD: u64 = 4;

/// A device buffer of 32-bit words. When the last handle is dropped, the memory returns to the pool. The pool keeps the
/// memory until [`Gpu::release_unused`](crate::Gpu::release_unused) is called or another allocation needs it.
#[derive(Clone)]
pub struct Buffer(Arc<PooledBuffer>);

struct PooledBuffer {
    raw: Option<CountedBuffer>,
    words: usize,
    pool: Arc<BufferPool>,
}

impl Buffer {
    /// Creates a buffer of `words` words in the allocation `raw`, which returns to `pool` when the last handle is
    /// dropped.
    pub(crate) fn new(raw: CountedBuffer, words: usize, pool: Arc<BufferPool>) -> Self {
        Self(Arc::new(PooledBuffer { raw: Some(raw), words, pool }))
    }

    /// Returns the length in 32-bit words, as requested. The underlying allocation may be larger.
    #[allow(clippy::len_without_is_empty)] // A buffer is never empty.
    pub fn len(&self) -> usize {
        self.0.words
    }

    /// Returns the underlying wgpu buffer. Its length is the requested length, rounded up to a size class of the pool.
    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        self.0.raw.as_ref().expect("a buffer has memory until it is dropped")
    }

    /// Returns whether `self` and `other` are handles of the same device buffer.
    pub(crate) fn is_same_as(&self, other: &Buffer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Buffer({} words)", self.0.words)
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        if let Some(raw) = self.raw.take() {
            lock(&self.pool.free).entry(raw.size()).or_default().push(raw);
        }
    }
}

/// A wgpu buffer that is included in the [`MemoryReport`] while it exists.
pub(crate) struct CountedBuffer {
    raw: wgpu::Buffer,
    totals: Arc<Mutex<MemoryReport>>,
}

impl CountedBuffer {
    /// Wraps a new wgpu buffer, and adds its size to `totals`.
    pub(crate) fn new(raw: wgpu::Buffer, totals: Arc<Mutex<MemoryReport>>) -> Self {
        let mut report = lock(&totals);
        report.bytes += raw.size();
        report.buffers_created += 1;
        drop(report);
        Self { raw, totals }
    }
}

impl std::ops::Deref for CountedBuffer {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.raw
    }
}

impl Drop for CountedBuffer {
    fn drop(&mut self) {
        // Without `destroy`, a browser frees the memory at garbage collection. Submitted work keeps it until complete.
        self.raw.destroy();
        lock(&self.totals).bytes -= self.raw.size();
    }
}

/// Device memory of all buffers: data that kernels read and write, uniforms, and staging buffers for readback. Compiled
/// kernels are not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryReport {
    /// Number of allocated bytes of device memory, in use or unused in the pool.
    pub bytes: u64,
    /// Number of buffers created since the device was opened. Training creates no buffers after its first iteration.
    pub buffers_created: u64,
}

/// Pool of unused device buffers, by size in bytes, and the limits of allocation.
pub(crate) struct BufferPool {
    pub(crate) free: Mutex<HashMap<u64, Vec<CountedBuffer>>>,
    pub(crate) totals: Arc<Mutex<MemoryReport>>,
    /// Maximum size in bytes of a single device buffer on this adapter.
    pub(crate) largest: u64,
    /// Maximum total size in bytes of all device buffers, including unused buffers in the pool.
    pub(crate) limit: AtomicU64,
}

impl BufferPool {
    pub(crate) fn new(largest: u64) -> Self {
        Self { free: Mutex::default(), totals: Arc::default(), largest, limit: u64::MAX.into() }
    }
}
