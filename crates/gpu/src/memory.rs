//! Buffers of the device, from a pool in power-of-two classes.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use crate::lock::lock;

/// Bytes of a word; everything on the device is made of 32-bit words.
pub(crate) const WORD: u64 = 4;

/// A stretch of the device's memory, in 32-bit words. When the last handle goes, the memory is kept for the next of its
/// class, until it is [given back](crate::Gpu::give_back) or needed for something else.
#[derive(Clone)]
pub struct Buffer(Arc<Held>);

struct Held {
    raw: Option<Counted>,
    words: usize,
    pool: Arc<Pool>,
}

impl Buffer {
    /// The first words of this memory, which goes back to the pool in the end.
    pub(crate) fn new(raw: Counted, words: usize, pool: Arc<Pool>) -> Self {
        Self(Arc::new(Held { raw: Some(raw), words, pool }))
    }

    /// How many words were asked for. There may be room for more.
    #[allow(clippy::len_without_is_empty)] // A buffer is never empty.
    pub fn len(&self) -> usize {
        self.0.words
    }

    /// The buffer itself, as large as its class.
    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        self.0.raw.as_ref().expect("a buffer keeps its memory for as long as it lives")
    }

    /// Whether both handles are of one stretch.
    pub(crate) fn is_same_as(&self, other: &Buffer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Buffer({} words)", self.0.words)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(raw) = self.raw.take() {
            lock(&self.pool.free).entry(raw.size()).or_default().push(raw);
        }
    }
}

/// A buffer of the device that counts as memory for as long as it lives. All memory of a device is made of these.
pub(crate) struct Counted {
    raw: wgpu::Buffer,
    totals: Arc<Mutex<MemoryReport>>,
}

impl Counted {
    /// Counts a buffer that was just created.
    pub(crate) fn new(raw: wgpu::Buffer, totals: Arc<Mutex<MemoryReport>>) -> Self {
        let mut report = lock(&totals);
        report.bytes += raw.size();
        report.buffers_created += 1;
        drop(report);
        Self { raw, totals }
    }
}

impl std::ops::Deref for Counted {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.raw
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        // A browser would keep its memory until the handle is collected as garbage; work that was submitted still has it.
        self.raw.destroy();
        lock(&self.totals).bytes -= self.raw.size();
    }
}

/// What a device's memory is used for: values, uniforms and staging buffers. Compiled kernels are not among it; they stay with
/// the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryReport {
    /// Bytes that the program holds, in use or kept for later.
    pub bytes: u64,
    /// Buffers made since the device was opened: it stays the same while nothing new is made.
    pub buffers_created: u64,
}

/// The free buffers, by size.
pub(crate) struct Pool {
    pub(crate) free: Mutex<HashMap<u64, Vec<Counted>>>,
    pub(crate) totals: Arc<Mutex<MemoryReport>>,
    /// Bytes of the largest single buffer.
    pub(crate) largest: u64,
    /// Bytes that all buffers may have together.
    pub(crate) limit: AtomicU64,
}

impl Pool {
    pub(crate) fn new(largest: u64) -> Self {
        Self { free: Mutex::default(), totals: Arc::default(), largest, limit: u64::MAX.into() }
    }
}
