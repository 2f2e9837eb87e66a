//! Taking buffers from the pool, writing to them, and giving them back.

use std::sync::atomic::Ordering;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::lock::lock;
use crate::memory::{Buffer, Counted, MemoryReport, WORD};

/// The smallest class, in bytes: what a binding's offset is a multiple of.
const SMALLEST: u64 = 256;

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

    /// A new buffer of `wanted` bytes; where there is no room for it, all that is not in use goes back to the device, and then
    /// `needed` bytes will do.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] naming `what` it is for, or the loss of the device.
    pub(crate) fn create(
        &self,
        what: &str,
        wanted: u64,
        needed: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<Counted, GpuError> {
        self.check()?;
        if let Some(raw) = self.attempt(what, wanted, usage)? {
            return Ok(raw);
        }
        self.make_room()?;
        if let Some(raw) = self.attempt(what, needed, usage)? {
            return Ok(raw);
        }
        let (held, limit) = (self.memory().bytes, self.0.pool.limit.load(Ordering::Relaxed));
        let allowed = (limit < u64::MAX).then_some(limit);
        Err(GpuError::OutOfMemory { what: what.to_owned(), bytes: needed, held, allowed })
    }

    /// A new buffer; `None` where there is no room for it.
    fn attempt(&self, what: &str, size: u64, usage: wgpu::BufferUsages) -> Result<Option<Counted>, GpuError> {
        let pool = &self.0.pool;
        if self.memory().bytes.saturating_add(size) > pool.limit.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let descriptor = wgpu::BufferDescriptor { label: Some(what), size, usage, mapped_at_creation: false };
        let raw = Counted::new(self.0.device.create_buffer(&descriptor), pool.totals.clone());
        match self.take_fault() {
            None => Ok(Some(raw)),
            Some(lost @ GpuError::Lost { .. }) => Err(lost),
            Some(_) => Ok(None),
        }
    }

    /// Gives back what is not in use, and natively waits until the device has it: it keeps what was dropped until the work that
    /// uses it is done, and what was written until the next submission is.
    fn make_room(&self) -> Result<(), GpuError> {
        self.give_back();
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.submit(|_| {})?;
            self.wait()?;
        }
        Ok(())
    }

    /// Gives the memory back that is kept for later; whether there was any. A run that leaves the device does so.
    pub fn give_back(&self) -> bool {
        let kept = std::mem::take(&mut *lock(&self.0.pool.free));
        let any = kept.values().any(|buffers| !buffers.is_empty());
        drop(kept);
        self.poll();
        any
    }

    /// Refuses memory where buffers would have more bytes together than this: where others need the rest of it.
    pub fn limit_memory(&self, bytes: u64) {
        self.0.pool.limit.store(bytes, Ordering::Relaxed);
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
