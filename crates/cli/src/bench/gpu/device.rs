//! What any work on the device costs beside the work itself: dispatches, submissions, the way back, and copies.

use crate::bench::timing;
use vivarium_gpu::{Gpu, GpuError, GpuRecorder};

/// Adds one to a word: a dispatch that has to wait for the one before it, as those of a training step do.
const COUNT: &str = "
    @group(0) @binding(0) var<storage, read_write> words: array<u32>;
    @compute @workgroup_size(1)
    fn main() { words[0] += 1u; }";

/// Dispatches in the long one of the two submissions that are compared.
const DISPATCHES: usize = 1024;

/// Words that are read back: about as many as the metrics of an iteration.
const READ: usize = 64;

/// Words that are copied: 64 MiB, or what the adapter allows.
const COPIED: usize = 1 << 24;

/// Seconds of one dispatch among many of a submission, and of a submission of one, from handing it over to its end.
///
/// # Errors
/// What the device reports.
pub fn dispatch(gpu: &Gpu, seconds: f64) -> Result<(f64, f64), GpuError> {
    let kernel = gpu.kernel("count", COUNT, &[])?;
    let words = gpu.zeros("count", 1)?;
    let mut recorder = GpuRecorder::new(gpu);
    recorder.dispatch(&kernel, &[&words], &[], [1, 1, 1]);
    let program = recorder.finish()?;
    let submission = |times: usize| {
        fastest(seconds, || {
            gpu.submit(|encoder| encoder.repeat(&program, times))?;
            gpu.wait()
        })
    };
    let (one, many) = (submission(1)?, submission(DISPATCHES)?);
    Ok(((many - one).max(0.0) / (DISPATCHES - 1) as f64, one))
}

/// Seconds from asking for a few words, with nothing else to do for the device, until the program has them.
///
/// # Errors
/// What the device reports.
pub fn readback(gpu: &Gpu, seconds: f64) -> Result<f64, GpuError> {
    let words = gpu.zeros("read", READ)?;
    let mut ring = vivarium_gpu::ReadbackRing::new(gpu, READ, 1)?;
    let mut read = Vec::new();
    fastest(seconds, || {
        gpu.submit(|encoder| ring.copy(encoder, [(&words, 0..READ)]))?;
        ring.submitted();
        ring.wait(&mut read)
    })
}

/// Bytes a second that are read and written when one large buffer is copied to another; each byte counts twice.
///
/// # Errors
/// What the device reports.
pub fn copy(gpu: &Gpu, seconds: f64) -> Result<f64, GpuError> {
    let words = COPIED.min(gpu.adapter_info().largest_buffer as usize / 4);
    let (from, to) = (gpu.zeros("from", words)?, gpu.buffer("to", words)?);
    let mut recorder = GpuRecorder::new(gpu);
    recorder.copy(&from, 0, &to, 0, words);
    let program = recorder.finish()?;
    // Several in one submission, so that its own cost does not count.
    let times = 8;
    let seconds = fastest(seconds, || {
        gpu.submit(|encoder| encoder.repeat(&program, times))?;
        gpu.wait()
    })?;
    Ok((times * words * 4 * 2) as f64 / seconds)
}

/// Seconds of one of many pieces of work that overlap: while one is waited for, the device is at the next. Several are taken
/// together, since the device may have finished one before anybody asks for it.
///
/// # Errors
/// The first of the work's.
pub fn one_of_many<E>(gpu: &Gpu, seconds: f64, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let together = if gpu.adapter_info().software { 4 } else { 16 };
    let all = fastest(seconds, || (0..together).try_for_each(|_| work()))?;
    Ok(all / f64::from(together))
}

/// [`timing::fastest`] of work that can fail; once it has, it is not tried again.
///
/// # Errors
/// The first of the work's.
pub fn fastest<E>(seconds: f64, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut outcome = Ok(());
    let fastest = timing::fastest(seconds, || {
        if outcome.is_ok() {
            outcome = work();
        }
    });
    outcome.map(|()| fastest)
}
