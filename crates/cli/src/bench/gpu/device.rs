//! Overheads of a device: dispatches, submissions, readback and copies.

use crate::bench::timing;
use vivarium_gpu::{Gpu, GpuError, GpuRecorder, Shader};

/// Number of dispatches in the longer of two timed submissions; the shorter one has a single dispatch. The difference
/// of the two durations gives the cost of a dispatch.
const DISPATCHES: usize = 1024;

/// Number of 32-bit words that are read back: about as many as the metrics of a training iteration.
const READ: usize = 64;

/// Number of 32-bit words that the copy benchmark copies: 64 MiB, or the maximum buffer size of the adapter if that is
/// smaller.
const COPIED: usize = 1 << 24;

/// Returns two durations in seconds: of one dispatch in a submission with many dispatches, and of a submission with one
/// dispatch until its completion.
///
/// # Errors
/// Device errors.
pub fn dispatch(gpu: &Gpu, seconds: f64) -> Result<(f64, f64), GpuError> {
    let words = gpu.zeros("count", 1)?;
    let mut recorder = GpuRecorder::new(gpu);
    Shader::new("count", &[vivarium_gpu::shader!("count.wgsl")])
        .buffers([("words", &words)])
        .record(&mut recorder, [1, 1, 1])?;
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

/// Returns the latency in seconds of reading a few words back from an idle device.
///
/// # Errors
/// Device errors.
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

/// Returns the bandwidth of copying a large buffer in bytes per second; each byte counts twice (read and write).
///
/// # Errors
/// Device errors.
pub fn copy(gpu: &Gpu, seconds: f64) -> Result<f64, GpuError> {
    let words = COPIED.min(gpu.adapter_info().largest_buffer as usize / 4);
    let (from, to) = (gpu.zeros("from", words)?, gpu.buffer("to", words)?);
    let mut recorder = GpuRecorder::new(gpu);
    recorder.copy(&from, 0, &to, 0, words);
    let program = recorder.finish()?;
    // Several copies per submission, to amortize the cost of the submission.
    let times = 8;
    let seconds = fastest(seconds, || {
        gpu.submit(|encoder| encoder.repeat(&program, times))?;
        gpu.wait()
    })?;
    Ok((times * words * 4 * 2) as f64 / seconds)
}

/// Returns the mean duration in seconds of a call of `work` over many overlapping calls: while the program waits for
/// the results of one call, the device executes the next call.
///
/// # Errors
/// The first error of `work`.
pub fn one_of_many<E>(gpu: &Gpu, seconds: f64, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let together = if gpu.adapter_info().software { 4 } else { 16 };
    let all = fastest(seconds, || (0..together).try_for_each(|_| work()))?;
    Ok(all / f64::from(together))
}

/// Returns the duration of the fastest call of fallible `work` in seconds, like [`timing::fastest`]. Stops at the first
/// error.
///
/// # Errors
/// The first error of `work`.
pub fn fastest<E>(seconds: f64, mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut outcome = Ok(());
    let fastest = timing::fastest(seconds, || {
        if outcome.is_ok() {
            outcome = work();
        }
    });
    outcome.map(|()| fastest)
}
