//! From the device back to the program: a ring of staging buffers that is never waited for while it turns.

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
use crate::memory::{Buffer, Counted, WORD};
use crate::program::Encoder;

/// Where a staging buffer is on its way.
const IDLE: u8 = 0;
const COPIED: u8 = 1;
const MAPPING: u8 = 2;
const MAPPED: u8 = 3;
const FAILED: u8 = 4;

struct Slot {
    staging: Counted,
    words: usize,
    state: Arc<AtomicU8>,
    /// The submission that the copy is part of.
    #[cfg(not(target_arch = "wasm32"))]
    submission: Option<wgpu::SubmissionIndex>,
}

/// Staging buffers in a ring: copies go in on one side, words come out on the other, in the same order.
pub struct Ring {
    gpu: Gpu,
    slots: Vec<Slot>,
    /// Slots in use, from `oldest` on.
    in_flight: usize,
    oldest: usize,
    waker: Arc<Mutex<Option<Waker>>>,
}

impl Ring {
    /// A ring of `slots` staging buffers of so many words each.
    ///
    /// # Errors
    /// The loss of the device, or [`GpuError::OutOfMemory`].
    pub fn new(gpu: &Gpu, words: usize, slots: usize) -> Result<Self, GpuError> {
        let size = words.max(1) as u64 * WORD;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let slot = |_| {
            Ok(Slot {
                staging: gpu.create("what comes back", size, size, usage)?,
                words: 0,
                state: Arc::default(),
                #[cfg(not(target_arch = "wasm32"))]
                submission: None,
            })
        };
        let slots = (0..slots).map(slot).collect::<Result<_, GpuError>>()?;
        Ok(Self { gpu: gpu.clone(), slots, in_flight: 0, oldest: 0, waker: Arc::default() })
    }

    /// Copies on their way.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Whether the next copy must wait for one to be taken.
    pub fn is_full(&self) -> bool {
        self.in_flight == self.slots.len()
    }

    /// Copies these stretches, one after the other, into the next free staging buffer. Once the submission is made,
    /// [`submitted`](Ring::submitted) must be called.
    ///
    /// # Panics
    /// Where the ring is full: ask [`is_full`](Ring::is_full) first.
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

    /// Asks for what was copied in the submission just made.
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

    /// Puts the words of the oldest copy into `words`, in place of what it held; `false` where they are not there yet, or
    /// nothing is on its way. Does not wait.
    ///
    /// # Errors
    /// The loss of the device, or an error that it reported.
    pub fn take(&mut self, words: &mut Vec<u32>) -> Result<bool, GpuError> {
        self.gpu.poll();
        self.gpu.check()?;
        if self.in_flight == 0 {
            return Ok(false);
        }
        let slot = &self.slots[self.oldest];
        match slot.state.load(Ordering::Acquire) {
            MAPPED => {}
            FAILED => {
                self.gpu.check()?;
                return Err(GpuError::Lost { reason: "its memory could not be read".to_owned() });
            }
            _ => return Ok(false),
        }
        let view = slot
            .staging
            .get_mapped_range(0..slot.words as u64 * WORD)
            .map_err(|error| GpuError::Device { reason: error.to_string() })?;
        words.clear();
        words.extend_from_slice(bytemuck::cast_slice(&view));
        drop(view);
        slot.staging.unmap();
        slot.state.store(IDLE, Ordering::Release);
        self.oldest = (self.oldest + 1) % self.slots.len();
        self.in_flight -= 1;
        Ok(true)
    }

    /// [`take`](Ring::take) once the words are there. Natively it waits on the calling thread, because nobody else lets the
    /// device's callbacks run; so everything that waits by this can be had natively too, by any executor.
    ///
    /// # Errors
    /// Those of [`take`](Ring::take).
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn next(&mut self, words: &mut Vec<u32>) -> Result<(), GpuError> {
        self.wait(words)
    }

    /// [`take`](Ring::take) once the words are there.
    ///
    /// # Errors
    /// Those of [`take`](Ring::take).
    #[cfg(target_arch = "wasm32")]
    pub async fn next(&mut self, words: &mut Vec<u32>) -> Result<(), GpuError> {
        std::future::poll_fn(|context| {
            // First, so that a callback between the look and the return wakes.
            *lock(&self.waker) = Some(context.waker().clone());
            match self.take(words) {
                Ok(false) => Poll::Pending,
                Ok(true) => Poll::Ready(Ok(())),
                Err(error) => Poll::Ready(Err(error)),
            }
        })
        .await
    }

    /// [`take`](Ring::take) as a learner turns by it: natively it waits for what is on its way, at most as long as
    /// [`Gpu::wait_at_most`] says; in a browser it never waits.
    ///
    /// # Errors
    /// Those of [`take`](Ring::take).
    pub fn arrive(&mut self, words: &mut Vec<u32>) -> Result<bool, GpuError> {
        #[cfg(not(target_arch = "wasm32"))]
        match self.gpu.0.patience.get() {
            Some(&patience) => self.wait_for_oldest(Some(patience))?,
            None if self.in_flight > 0 => return self.wait(words).map(|()| true),
            None => {}
        }
        self.take(words)
    }

    /// [`take`](Ring::take), waiting on the calling thread.
    ///
    /// # Errors
    /// Those of [`take`](Ring::take).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&mut self, words: &mut Vec<u32>) -> Result<(), GpuError> {
        while !self.take(words)? {
            self.wait_for_oldest(None)?;
        }
        Ok(())
    }

    /// Waits until the oldest copy on its way is there, not for those submitted after it; at most for `timeout`.
    #[cfg(not(target_arch = "wasm32"))]
    fn wait_for_oldest(&self, timeout: Option<Duration>) -> Result<(), GpuError> {
        if self.in_flight == 0 {
            return Ok(());
        }
        self.gpu.wait_for(self.slots[self.oldest].submission.clone(), timeout).map(drop)
    }
}

impl Gpu {
    /// The words of a stretch of a buffer, once everything submitted is done. Makes a staging buffer: for now and then.
    ///
    /// # Errors
    /// The loss of the device, or an error that it reported.
    pub async fn read(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u32>, GpuError> {
        let (mut ring, mut words) = (self.staged(buffer, range)?, Vec::new());
        ring.next(&mut words).await?;
        Ok(words)
    }

    /// [`read`](Gpu::read) on the calling thread.
    ///
    /// # Errors
    /// Those of [`read`](Gpu::read).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_blocking(&self, buffer: &Buffer, range: Range<usize>) -> Result<Vec<u32>, GpuError> {
        let (mut ring, mut words) = (self.staged(buffer, range)?, Vec::new());
        ring.wait(&mut words)?;
        Ok(words)
    }

    fn staged(&self, buffer: &Buffer, range: Range<usize>) -> Result<Ring, GpuError> {
        let mut ring = Ring::new(self, range.len(), 1)?;
        self.submit(|encoder| ring.copy(encoder, [(buffer, range)]))?;
        ring.submitted();
        Ok(ring)
    }
}

/// Words as the numbers that they stand for.
pub fn floats(words: &[u32]) -> &[f32] {
    bytemuck::cast_slice(words)
}
