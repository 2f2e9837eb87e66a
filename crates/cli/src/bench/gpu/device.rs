//! Overheads of a GPU device: dispatches, submissions, readback and copies.

use crate::bench::timing;
use vivarium_gpu::{Gpu, GpuError, GpuRecorder, Shader};

/// Number of dispatches in the longer of two timed submissions; the shorter submission has one dispatch. The
/// difference of the two durations gives the cost of a dispatch.
const DISPATCHES: usize = 1024;

/// Number of 32-bit words that the readback benchmark reads: about as many as the metrics of a training iteration.
const READBACK_WORDS: usize = 64;

/// Maximum number of 32-bit words that the copy benchmark copies: 256 MiB, more than the caches of a GPU hold. A
/// smaller maximum buffer size of the adapter limits the copy.
const COPY_WORDS: usize = 1 << 26;

/// Maximum number of 32-bit words that the copy benchmark copies on a software adapter: 64 MiB.
const SOFTWARE_COPY_WORDS: usize = 1 << 24;

/// Returns two durations in seconds: the duration of one dispatch in a submission with many dispatches, and the
/// duration of a submission with one dispatch until completion.
///
/// # Errors
/// [`GpuError`] if the device fails.
pub fn dispatch_costs(gpu: &Gpu, seconds: f64) -> Result<(f64, f64), GpuError> {
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

/// Returns the duration in seconds of reading [`READBACK_WORDS`] words back from an idle device.
///
/// # Errors
/// [`GpuError`] if the device fails.
pub fn readback_latency(gpu: &Gpu, seconds: f64) -> Result<f64, GpuError> {
    let words = gpu.zeros("read", READBACK_WORDS)?;
    let mut ring = vivarium_gpu::ReadbackRing::new(gpu, READBACK_WORDS, 1)?;
    let mut read = Vec::new();
    fastest(seconds, || {
        gpu.submit(|encoder| ring.copy(encoder, [(&words, 0..READBACK_WORDS)]))?;
        ring.submitted();
        ring.wait(&mut read)
    })
}

/// Returns the bandwidth of copying a large buffer within the device, in bytes per second: the higher bandwidth of the
/// device's copy command and of a kernel. Each byte counts twice (read and write).
///
/// # Errors
/// [`GpuError`] if the device fails.
pub fn copy_bandwidth(gpu: &Gpu, seconds: f64) -> Result<f64, GpuError> {
    let report = gpu.adapter_info();
    let most = if report.software { SOFTWARE_COPY_WORDS } else { COPY_WORDS };
    // Both copies move whole vectors of four words.
    let words = most.min(report.largest_buffer as usize / 4) / 4 * 4;
    let (source, copied) = (gpu.zeros("source", words)?, gpu.buffer("copied", words)?);
    let mut command = GpuRecorder::new(gpu);
    command.copy(&source, 0, &copied, 0, words);
    let mut kernel = GpuRecorder::new(gpu);
    Shader::new("copy", &[vivarium_gpu::shader!("copy.wgsl")])
        .buffers([("source", &source), ("copied", &copied)])
        .record_each(&mut kernel, words / 4)?;
    // Several copies per submission, to amortize the cost of the submission.
    let times = 8;
    let mut shortest = f64::INFINITY;
    for recorder in [command, kernel] {
        let program = recorder.finish()?;
        let submission = fastest(seconds, || {
            gpu.submit(|encoder| encoder.repeat(&program, times))?;
            gpu.wait()
        })?;
        shortest = shortest.min(submission);
    }
    Ok((times * words * 4 * 2) as f64 / shortest)
}

/// Returns the mean duration in seconds of a call of `work` in a sequence of overlapping calls: the device executes
/// the next call while the program waits for the results of the previous call.
///
/// # Errors
/// The first error of `work`.
pub fn overlapping_call_seconds<E>(
    gpu: &Gpu,
    seconds: f64,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    let together = if gpu.adapter_info().software { 4 } else { 16 };
    let all = fastest(seconds, || (0..together).try_for_each(|_| work()))?;
    Ok(all / f64::from(together))
}

/// Returns the duration in seconds of the fastest call of `work` within about `seconds` seconds, as
/// [`timing::fastest`] does for infallible functions. Stops at the first error.
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
