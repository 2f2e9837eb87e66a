//! Buffers of the device, from a pool in power-of-two classes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::device::{Gpu, lock};
use crate::error::GpuError;

/// Bytes of a word; everything on the device is made of 32-bit words.
pub(crate) const WORD: u64 = 4;

/// The smallest class, in bytes: what a binding's offset is a multiple of.
const SMALLEST: u64 = 256;

/// A stretch of the device's memory, in 32-bit words. When the last handle goes, the memory is kept for the next of its
/// class.
#[derive(Clone)]
pub struct Buffer(Arc<Held>);

struct Held {
    raw: Option<Counted>,
    words: usize,
    pool: Arc<Pool>,
}

impl Buffer {
    /// How many words were asked for. There may be room for more.
    #[allow(clippy::len_without_is_empty)] // Nobody asks for none.
    pub fn len(&self) -> usize {
        self.0.words
    }

    /// The buffer itself, as large as its class.
    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        self.0.raw.as_ref().expect("a buffer keeps its memory for as long as it lives")
    }

    /// Whether both handles are of one stretch.
    pub(crate) fn is(&self, other: &Buffer) -> bool {
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

/// A buffer of the device that counts as memory for as long as it lives.
pub(crate) struct Counted {
    raw: wgpu::Buffer,
    totals: Arc<Mutex<MemoryReport>>,
}

impl std::ops::Deref for Counted {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.raw
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        lock(&self.totals).bytes -= self.raw.size();
    }
}

/// What a device's memory is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryReport {
    /// Bytes that the program holds, in use or kept for later.
    pub bytes: u64,
    /// Buffers made since the device was opened: it stays the same while nothing new is made.
    pub buffers_created: u64,
}

/// The buffers that nobody uses at the moment, by size.
pub(crate) struct Pool {
    free: Mutex<HashMap<u64, Vec<Counted>>>,
    totals: Arc<Mutex<MemoryReport>>,
    largest: u64,
}

impl Pool {
    pub(crate) fn new(largest: u64) -> Self {
        Self { free: Mutex::default(), totals: Arc::default(), largest }
    }
}

impl Gpu {
    /// Room for so many words; what is in them is not defined.
    ///
    /// # Errors
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`], both naming `what` it is for.
    pub fn buffer(&self, what: &str, words: usize) -> Result<Buffer, GpuError> {
        let needed = words as u64 * WORD;
        let pool = &self.0.pool;
        if needed > pool.largest {
            return Err(GpuError::BufferTooLarge { what: what.to_owned(), needed, allowed: pool.largest });
        }
        let bytes = needed.max(SMALLEST).next_power_of_two().min(pool.largest);
        let kept = lock(&pool.free).get_mut(&bytes).and_then(Vec::pop);
        let raw = match kept {
            Some(raw) => raw,
            None => self.create(what, bytes)?,
        };
        Ok(Buffer(Arc::new(Held { raw: Some(raw), words, pool: pool.clone() })))
    }

    /// A new buffer; what is kept for later is given back for it where there is no room otherwise.
    fn create(&self, what: &str, bytes: u64) -> Result<Counted, GpuError> {
        self.check()?;
        for _ in 0..2 {
            let raw = self.counted(&wgpu::BufferDescriptor {
                label: Some(what),
                size: bytes,
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            match self.take_fault() {
                None => return Ok(raw),
                Some(GpuError::Lost { reason }) => return Err(GpuError::Lost { reason }),
                Some(_) => drop(raw),
            }
            if !self.give_back() {
                break;
            }
        }
        let held = self.memory().bytes;
        Err(GpuError::OutOfMemory { what: what.to_owned(), bytes, held })
    }

    /// A new buffer, counted.
    pub(crate) fn counted(&self, descriptor: &wgpu::BufferDescriptor<'_>) -> Counted {
        let raw = self.0.device.create_buffer(descriptor);
        let totals = self.0.pool.totals.clone();
        let mut report = lock(&totals);
        report.bytes += raw.size();
        report.buffers_created += 1;
        drop(report);
        Counted { raw, totals }
    }

    /// Gives the memory back that is kept for later; whether there was any.
    pub fn give_back(&self) -> bool {
        let kept = std::mem::take(&mut *lock(&self.0.pool.free));
        !kept.is_empty()
    }

    /// Room for so many words, all zero.
    ///
    /// # Errors
    /// Those of [`buffer`](Gpu::buffer).
    pub fn zeros(&self, what: &str, words: usize) -> Result<Buffer, GpuError> {
        let buffer = self.buffer(what, words)?;
        self.submit(|encoder| encoder.clear(&buffer, 0..words))?;
        Ok(buffer)
    }

    /// Room for these words, holding them: `f32`, `u32` or `i32`.
    ///
    /// # Errors
    /// Those of [`buffer`](Gpu::buffer).
    pub fn upload<T: bytemuck::NoUninit>(&self, what: &str, words: &[T]) -> Result<Buffer, GpuError> {
        let buffer = self.buffer(what, words.len())?;
        self.write(&buffer, 0, words);
        Ok(buffer)
    }

    /// Writes words from `offset` on, before whatever is submitted next and after what was submitted before.
    ///
    /// # Panics
    /// Where they do not fit, or are not of 32 bits: a mistake in the program.
    pub fn write<T: bytemuck::NoUninit>(&self, buffer: &Buffer, offset: usize, words: &[T]) {
        assert_eq!(size_of::<T>() as u64, WORD, "the device's memory is made of 32-bit words");
        assert!(
            offset + words.len() <= buffer.len(),
            "{words} words at {offset} go beyond {buffer:?}",
            words = words.len()
        );
        self.0.queue.write_buffer(buffer.raw(), offset as u64 * WORD, bytemuck::cast_slice(words));
    }

    /// What the memory is used for.
    pub fn memory(&self) -> MemoryReport {
        *lock(&self.0.pool.totals)
    }
}
