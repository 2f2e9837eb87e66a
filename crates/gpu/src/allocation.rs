//! Taking buffers from the pool, and writing to them.

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
        let bytes = needed.max(SMALLEST).next_power_of_two().min(pool.largest);
        let kept = lock(&pool.free).get_mut(&bytes).and_then(Vec::pop);
        let raw = match kept {
            Some(raw) => raw,
            None => self.create(what, bytes)?,
        };
        Ok(Buffer::new(raw, words, pool.clone()))
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
        Counted::new(self.0.device.create_buffer(descriptor), self.0.pool.totals.clone())
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
