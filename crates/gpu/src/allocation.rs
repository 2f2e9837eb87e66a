//! Allocation of buffers, uploads, and release of unused memory.

use std::sync::atomic::Ordering;

use crate::device::{Gpu, device_error};
use crate::error::GpuError;
use crate::lock::lock;
use crate::memory::{Buffer, CountedBuffer, MemoryReport, WORD};

/// Smallest size class of the buffer pool: 256 bytes, WebGPU's default alignment of binding offsets. Smaller buffers
/// occupy 256 bytes too.
const SMALLEST: u64 = 256;

impl Gpu {
    /// Allocates a buffer of `words` 32-bit words. Its contents are undefined. `what` describes the purpose of the
    /// buffer in error messages.
    ///
    /// # Errors
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`].
    pub fn buffer(&self, what: &str, words: usize) -> Result<Buffer, GpuError> {
        let needed = words as u64 * WORD;
        let pool = &self.0.pool;
        if needed > pool.largest {
            return Err(GpuError::BufferTooLarge { what: what.to_owned(), needed, allowed: pool.largest });
        }
        let needed = needed.max(SMALLEST);
        let class = needed.next_power_of_two().min(pool.largest);
        let kept = lock(&pool.free).get_mut(&class).and_then(Vec::pop);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let raw = match kept {
            Some(raw) => raw,
            None => self.create(what, class, needed, usage)?,
        };
        Ok(Buffer::new(raw, words, pool.clone()))
    }

    /// Creates a buffer of `wanted` bytes, such as the whole size class of the pool. If memory is exhausted, releases
    /// all unused buffers of the pool and tries again with `needed` bytes, the smallest size that serves the caller.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] with `what` as the purpose; any other error of the device.
    pub(crate) fn create(
        &self,
        what: &str,
        wanted: u64,
        needed: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<CountedBuffer, GpuError> {
        self.check()?;
        if let Some(raw) = self.attempt(what, wanted, usage)? {
            return Ok(raw);
        }
        self.free_memory()?;
        if let Some(raw) = self.attempt(what, needed, usage)? {
            return Ok(raw);
        }
        let (held, limit) = (self.memory().bytes, self.0.pool.limit.load(Ordering::Relaxed));
        let allowed = (limit < u64::MAX).then_some(limit);
        Err(GpuError::OutOfMemory { what: what.to_owned(), bytes: needed, held, allowed })
    }

    /// Creates a buffer of `size` bytes. Returns `None` if device memory is exhausted or the total size of all buffers
    /// would exceed the limit set by [`limit_memory`](Gpu::limit_memory).
    fn attempt(
        &self,
        what: &str,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<Option<CountedBuffer>, GpuError> {
        let pool = &self.0.pool;
        if self.memory().bytes.saturating_add(size) > pool.limit.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let descriptor = wgpu::BufferDescriptor { label: Some(what), size, usage, mapped_at_creation: false };
        match self.try_create(|device| device.create_buffer(&descriptor)) {
            Ok(raw) => {
                let raw = CountedBuffer::new(raw, pool.totals.clone());
                self.check()?;
                Ok(Some(raw))
            }
            Err(wgpu::Error::OutOfMemory { .. }) => Ok(None),
            Err(error) => Err(device_error(error)),
        }
    }

    /// Releases unused buffers. Natively, waits until the driver has freed them: dropped buffers stay allocated until
    /// the work that uses them completes, and the staging memory of writes until the next submission completes.
    fn free_memory(&self) -> Result<(), GpuError> {
        self.release_unused();
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.submit(|_| {})?;
            self.wait()?;
        }
        Ok(())
    }

    /// Releases the unused buffers of the pool, such as the buffers of a finished training run. Returns whether the
    /// pool had unused buffers.
    pub fn release_unused(&self) -> bool {
        let kept = std::mem::take(&mut *lock(&self.0.pool.free));
        let any = kept.values().any(|buffers| !buffers.is_empty());
        drop(kept);
        self.poll();
        any
    }

    /// Sets the maximum total size of all device buffers, in bytes. Allocations beyond the limit fail with
    /// [`GpuError::OutOfMemory`].
    pub fn limit_memory(&self, bytes: u64) {
        self.0.pool.limit.store(bytes, Ordering::Relaxed);
    }

    /// Allocates a buffer of `words` 32-bit words, all zero.
    ///
    /// # Errors
    /// Errors of [`buffer`](Gpu::buffer).
    pub fn zeros(&self, what: &str, words: usize) -> Result<Buffer, GpuError> {
        let buffer = self.buffer(what, words)?;
        self.submit(|encoder| encoder.clear(&buffer, 0..words))?;
        Ok(buffer)
    }

    /// Allocates a buffer and writes `words`, 32-bit values of type `f32`, `u32` or `i32`, as its contents.
    ///
    /// # Errors
    /// Errors of [`buffer`](Gpu::buffer).
    pub fn upload<T: bytemuck::NoUninit>(&self, what: &str, words: &[T]) -> Result<Buffer, GpuError> {
        let buffer = self.buffer(what, words.len())?;
        self.write(&buffer, 0, words);
        Ok(buffer)
    }

    /// Writes 32-bit words to a buffer, from the word offset `offset` on. The write takes effect after all earlier
    /// submissions and before the next submission.
    ///
    /// # Panics
    /// Panics if the words exceed the buffer or are not 32 bits wide.
    pub fn write<T: bytemuck::NoUninit>(&self, buffer: &Buffer, offset: usize, words: &[T]) {
        assert_eq!(size_of::<T>() as u64, WORD, "the device's memory is made of 32-bit words");
        assert!(
            offset + words.len() <= buffer.len(),
            "{words} words at {offset} go beyond {buffer:?}",
            words = words.len()
        );
        self.0.queue.write_buffer(buffer.raw(), offset as u64 * WORD, bytemuck::cast_slice(words));
    }

    /// Returns the number of device-memory bytes that are allocated now, and the number of buffers created since the
    /// device was opened.
    pub fn memory(&self) -> MemoryReport {
        *lock(&self.0.pool.totals)
    }
}
