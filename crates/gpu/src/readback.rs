//! Readback from the device to the host: a ring of staging buffers.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
#[cfg(target_arch = "wasm32")]
use std::task::Poll;
use std::task::Waker;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::lock::lock;
use crate::memory::{Buffer, CountedBuffer, WORD};
use crate::program::Encoder;

/// State of a staging buffer that holds no data. The following constants are the other states: a copy advances the
/// state to `COPIED`, the mapping into host memory to `MAPPING` and `MAPPED` or, after an error, to `FAILED`.
const IDLE: u8 = 0;
const COPIED: u8 = 1;
const MAPPING: u8 = 2;
const MAPPED: u8 = 3;
const FAILED: u8 = 4;

struct StagingSlot {
    staging: CountedBuffer,
    words: usize,
    state: Arc<AtomicU8>,
    /// Index of the submission that contains the copy into this staging buffer.
    #[cfg(not(target_arch = "wasm32"))]
    submission: Option<wgpu::SubmissionIndex>,
}

/// FIFO of staging buffers for reading device memory back to the host. The results of copies are read in the order in
/// which the copies were recorded.
pub struct ReadbackRing {
    gpu: Gpu,
    slots: Vec<StagingSlot>,
    /// Number of staging buffers whose copies have not been read. The oldest of these buffers is at index `oldest` in
    /// the ring.
    in_flight: usize,
    oldest: usize,
    waker: Arc<Mutex<Option<Waker>>>,
}

impl ReadbackRing {
    /// Creates a ring of `slots` staging buffers of `words` 32-bit words each.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`], or [`GpuError::Lost`] if the device was lost.
    pub fn new(gpu: &Gpu, words: usize, slots: usize) -> Result<Self, GpuError> {
        let size = words.max(1) as u64 * WORD;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let slot = |_| {
            Ok(StagingSlot {
                staging: gpu.create("the readback buffer", size, size, usage)?,
                words: 0,
                state: Arc::default(),
                #[cfg(not(target_arch = "wasm32"))]
                submission: None,
            })
        };
        let slots = (0..slots).map(slot).collect::<Result<_, GpuError>>()?;
        Ok(Self { gpu: gpu.clone(), slots, in_flight: 0, oldest: 0, waker: Arc::default() })
    }

    /// Returns the number of copies whose results have not been read.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns whether each staging buffer holds a copy that has not been read.
    pub fn is_full(&self) -> bool {
        self.in_flight == self.slots.len()
    }

    /// Appends commands that copy these buffer ranges, one after the other, into the next free staging buffer. Call
    /// [`submitted`](ReadbackRing::submitted) after the submission.
    ///
    /// # Panics
    /// Panics if the ring is full; see [`is_full`](ReadbackRing::is_full).
    pub fn copy<'a>(
        &mut self,
        encoder: &mut Encoder,
        parts: impl IntoIterator<Item = (&'a Buffer, Range<usize>)>,
    ) {
        assert!(!self.is_full(), "all {} staging buffers are in use", self.slots.len());
        let index = (self.oldest + self.in_flight) % self.slots.len();
        let slot = &mut self.slots[index];
        slot.words = 0;
        for (buffer, range) in parts {
            encoder.copy_raw(buffer, range.start, &slot.staging, slot.words, range.len());
            slot.words += range.len();
        }
        slot.state.store(COPIED, Ordering::Release);
        self.in_flight += 1;
    }

    /// Starts to map the staging buffers of the last submission's copies into host memory. Call this method after each
    /// submission that contains a [`copy`](ReadbackRing::copy).
    pub fn submitted(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.state.load(Ordering::Acquire) == COPIED) {
            slot.state.store(MAPPING, Ordering::Release);
            #[cfg(not(target_arch = "wasm32"))]
            slot.submission.clone_from(&lock(&self.gpu.0.newest));
            let (state, waker) = (slot.state.clone(), self.waker.clone());
            let bytes = 0..slot.words as u64 * WORD;
            slot.staging.map_async(wgpu::MapMode::Read, bytes, move |result| {
                state.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release);
                if let Some(waker) = lock(&waker).take() {
                    waker.wake();
                }
            });
        }
    }

    /// Replaces the contents of `words` by the oldest unread copy, and frees its staging buffer. Returns `false` if the
    /// copy is not complete or no copy is in flight. Never blocks.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost or reported an error.
    pub fn take(&mut self, words: &mut Vec<u32>) -> Result<bool, GpuError> {
        self.gpu.poll();
        self.gpu.check()?;
        if self.in_flight == 0 {
            return Ok(false);
        }
        let slot = &self.slots[self.oldest];
        match slot.state.load(Ordering::Acquire) {
            MAPPED => {}
            FAILED => return Err(self.not_mapped()),
            _ => return Ok(false),
        }
        // In a browser, the loss of the device may unmap the buffer before the loss is reported.
        let range = slot.staging.get_mapped_range(0..slot.words as u64 * WORD);
        let view = range.map_err(|_| self.not_mapped())?;
        words.clear();
        words.extend_from_slice(bytemuck::cast_slice(&view));
        drop(view);
        slot.staging.unmap();
        slot.state.store(IDLE, Ordering::Release);
        self.oldest = (self.oldest + 1) % self.slots.len();
        self.in_flight -= 1;
        Ok(true)
    }

    /// Returns the error of a staging buffer that could not be mapped: the error of the device, if one is known.
    fn not_mapped(&self) -> GpuError {
        let lost = GpuError::Lost { reason: "a staging buffer could not be mapped".to_owned() };
        self.gpu.check().err().unwrap_or(lost)
    }

    /// Waits for the oldest unread copy and reads it into `words`. Natively, this future blocks the calling thread,
    /// because only that thread runs the callbacks of the device. Therefore any executor can run the future.
    ///
    /// # Errors
    /// Errors of [`wait`](ReadbackRing::wait).
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn next(&mut self, words: &mut Vec<u32>) -> Result<(), GpuError> {
        self.wait(words)
    }

    /// Waits for the oldest unread copy and reads it into `words`. In a browser, the future does not block.
    ///
    /// # Errors
    /// Errors of [`wait`](ReadbackRing::wait).
    #[cfg(target_arch = "wasm32")]
    pub async fn next(&mut self, words: &mut Vec<u32>) -> Result<(), GpuError> {
        self.check_submitted()?;
        std::future::poll_fn(|context| {
            // Set before `take`, so that a callback in between wakes this task.
            *lock(&self.waker) = Some(context.waker().clone());
            match self.take(words) {
                Ok(false) => Poll::Pending,
                Ok(true) => Poll::Ready(Ok(())),
                Err(error) => Poll::Ready(Err(error)),
            }
        })
        .await
    }

    /// Reads the oldest copy into `words` and returns `true` if the copy is complete, else returns `false`. Natively,
    /// blocks for at most the time of [`Gpu::set_max_wait`] (unlimited if not set); in a browser, never blocks.
    ///
    /// # Errors
    /// Errors of [`take`](ReadbackRing::take).
    pub fn poll(&mut self, words: &mut Vec<u32>) -> Result<bool, GpuError> {
        #[cfg(not(target_arch = "wasm32"))]
        match self.gpu.0.max_wait.get() {
            Some(&max_wait) => self.wait_for_oldest(Some(max_wait))?,
            None if self.in_flight > 0 => return self.wait(words).map(|()| true),
            None => {}
        }
        self.take(words)
    }

    /// Blocks the calling thread until the oldest copy is complete, and reads it into `words`.
    ///
    /// # Errors
    /// [`GpuError::NoReadback`] if no copy is in flight, or the oldest copy was not
    /// [submitted](ReadbackRing::submitted). Errors of [`take`](ReadbackRing::take).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&mut self, words: &mut Vec<u32>) -> Result<(), GpuError> {
        self.check_submitted()?;
        while !self.take(words)? {
            self.wait_for_oldest(None)?;
        }
        Ok(())
    }

    /// Returns an error if no copy is in flight or the oldest copy was not submitted, because a wait for the copy would
    /// never end.
    fn check_submitted(&self) -> Result<(), GpuError> {
        self.gpu.check()?;
        let is_submitted =
            self.in_flight > 0 && self.slots[self.oldest].state.load(Ordering::Acquire) != COPIED;
        if is_submitted { Ok(()) } else { Err(GpuError::NoReadback) }
    }

    /// Blocks until the oldest copy is complete, for at most `timeout`. Does not wait for later submissions.
    #[cfg(not(target_arch = "wasm32"))]
    fn wait_for_oldest(&self, timeout: Option<Duration>) -> Result<(), GpuError> {
        if self.in_flight == 0 {
            return Ok(());
        }
        self.gpu.wait_for(self.slots[self.oldest].submission.clone(), timeout).map(drop)
    }
}

impl Gpu {
    /// Reads a word range of a buffer after all submitted work is complete. Creates a staging buffer on each call; use
    /// a [`ReadbackRing`] for frequent reads.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost or reported an error.
    pub async fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u32>, GpuError> {
        let (mut ring, mut words) = (self.staged(buffer, range)?, Vec::new());
        ring.next(&mut words).await?;
        Ok(words)
    }

    /// Reads a word range of a buffer after all submitted work is complete. Blocks the calling thread.
    ///
    /// # Errors
    /// Errors of [`read`](Gpu::read).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_blocking(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u32>, GpuError> {
        let (mut ring, mut words) = (self.staged(buffer, range)?, Vec::new());
        ring.wait(&mut words)?;
        Ok(words)
    }

    fn staged(&self, buffer: &Buffer, range: Range<usize>) -> Result<ReadbackRing, GpuError> {
        let mut ring = ReadbackRing::new(self, range.len(), 1)?;
        self.submit(|encoder| ring.copy(encoder, [(buffer, range)]))?;
        ring.submitted();
        Ok(ring)
    }
}

/// Reinterprets 32-bit words as `f32` values, without conversion.
pub fn floats(words: &[u32]) -> &[f32] {
    bytemuck::cast_slice(words)
}
