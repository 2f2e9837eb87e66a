//! Asynchronous readback of device buffers.

use vivarium_gpu::{Buffer, Gpu, GpuError, ReadbackRing, floats};

/// Readback of several device buffers of equal length.
pub(crate) struct WeightReadback {
    ring: ReadbackRing,
    len: usize,
    /// Number of gradient steps of the training state that the readback in flight copies; `None` if no readback is in
    /// flight.
    updates: Option<u64>,
    words: Vec<u32>,
}

impl WeightReadback {
    /// Allocates staging memory for `buffers` buffers of `len` f32 values.
    ///
    /// # Errors
    /// [`GpuError`] if the host is out of memory.
    pub fn new(gpu: &Gpu, len: usize, buffers: usize) -> Result<Self, GpuError> {
        Ok(Self { ring: ReadbackRing::new(gpu, buffers * len, 1)?, len, updates: None, words: Vec::new() })
    }

    /// Requests a copy of the buffers after all submitted work. `updates` is the number of submitted gradient steps.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    pub fn request<'a>(
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

    /// Returns the number of gradient steps that the requested contents were trained for; `None` if no readback is in
    /// flight.
    pub fn updates(&self) -> Option<u64> {
        self.updates
    }

    /// Receives the requested copies once they have arrived. Returns the number of gradient steps that the contents
    /// were trained for, or `None` if no copy has arrived. Blocks in a native program, never in a browser.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    pub fn take(&mut self) -> Result<Option<u64>, GpuError> {
        if self.updates.is_none() || !self.ring.poll(&mut self.words)? {
            return Ok(None);
        }
        Ok(self.updates.take())
    }

    /// Returns the received copy of the device buffer with index `index`, or an empty slice if the readback has no such
    /// buffer.
    pub fn get(&self, index: usize) -> &[f32] {
        floats(&self.words).chunks_exact(self.len).nth(index).unwrap_or_default()
    }
}
