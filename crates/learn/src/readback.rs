//! Buffers of the device that are copied to the host without anybody waiting for them.

use vivarium_gpu::{Buffer, Gpu, GpuError, ReadbackRing, floats};

/// Copies of some buffers of one length.
pub(crate) struct WeightReadback {
    ring: ReadbackRing,
    len: usize,
    /// Gradient steps after which what is on its way was learned; `None` where nothing is.
    updates: Option<u64>,
    words: Vec<u32>,
}

impl WeightReadback {
    /// Room for so many buffers of `len` numbers.
    ///
    /// # Errors
    /// [`GpuError`] where the host has no room for it.
    pub fn new(gpu: &Gpu, len: usize, buffers: usize) -> Result<Self, GpuError> {
        Ok(Self { ring: ReadbackRing::new(gpu, buffers * len, 1)?, len, updates: None, words: Vec::new() })
    }

    /// Asks for the buffers as they are after all that was submitted so far, which was so many gradient steps.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    pub fn ask<'a>(
        &mut self,
        gpu: &Gpu,
        buffers: impl Iterator<Item = &'a Buffer>,
        updates: u64,
    ) -> Result<(), GpuError> {
        let Self { ring, len, .. } = self;
        gpu.submit(|encoder| ring.copy(encoder, buffers.map(|buffer| (buffer, 0..*len))))?;
        self.ring.submitted();
        self.updates = Some(updates);
        Ok(())
    }

    /// After how many gradient steps what is on its way was learned, if anything is.
    pub fn updates(&self) -> Option<u64> {
        self.updates
    }

    /// Takes in what was asked for, once it is here, and returns after how many gradient steps it was learned. Natively it waits
    /// for it; in a browser it never waits.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    pub fn take(&mut self) -> Result<Option<u64>, GpuError> {
        if self.updates.is_none() || !self.ring.poll(&mut self.words)? {
            return Ok(None);
        }
        Ok(self.updates.take())
    }

    /// The copy of buffer `index`, of those that were taken in; nothing where there was none.
    pub fn get(&self, index: usize) -> &[f32] {
        floats(&self.words).chunks_exact(self.len).nth(index).unwrap_or_default()
    }
}
