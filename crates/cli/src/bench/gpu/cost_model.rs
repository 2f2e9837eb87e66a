//! Lower bound of the duration of GPU work, from its dispatches and copies.

use super::device;
use crate::bench::{BenchFigure, Reporter};
use std::cell::OnceCell;
use vivarium_gpu::{Cost, Gpu, GpuError};

/// Name suffixes of the three results of one measurement: duration or rate, number of dispatches, and number of copied
/// bytes.
pub const PARTS: [&str; 3] = ["", "/dispatches", "/bytes"];

/// Cost model of a GPU device, for lower bounds of durations. The costs are measured on first use.
pub struct CostModel<'a> {
    gpu: &'a Gpu,
    /// Approximate duration of each measurement in seconds.
    seconds: f64,
    measured: OnceCell<DeviceCosts>,
}

/// Measured costs of a GPU device: durations of dispatches and submissions, and copy bandwidth.
#[derive(Clone, Copy)]
pub struct DeviceCosts {
    /// Duration in seconds of one empty dispatch in a submission with many dispatches.
    pub dispatch: f64,
    /// Duration of a submission with one dispatch, in seconds.
    pub submission: f64,
    /// Bandwidth of a large copy in bytes per second; each byte counts twice (read and write).
    pub copy: f64,
}

impl<'a> CostModel<'a> {
    /// Creates the cost model of a device. A measurement takes about `seconds`.
    pub fn new(gpu: &'a Gpu, seconds: f64) -> Self {
        Self { gpu, seconds, measured: OnceCell::new() }
    }

    /// Returns the costs of the device; the first call measures them.
    ///
    /// # Errors
    /// Device errors.
    pub fn measured(&self) -> Result<DeviceCosts, GpuError> {
        if let Some(known) = self.measured.get() {
            return Ok(*known);
        }
        let (dispatch, submission) = device::dispatch(self.gpu, self.seconds)?;
        let copy = device::copy(self.gpu, self.seconds)?;
        Ok(*self.measured.get_or_init(|| DeviceCosts { dispatch, submission, copy }))
    }

    /// Returns a lower bound, in seconds, of the duration of GPU work with the given dispatches and copies: the time of
    /// as many empty dispatches plus the time of the copies. Computation and memory traffic of kernels are excluded.
    ///
    /// # Errors
    /// Device errors.
    pub fn seconds(&self, cost: Cost) -> Result<f64, GpuError> {
        let DeviceCosts { dispatch, copy, .. } = self.measured()?;
        Ok(cost.dispatches as f64 * dispatch + cost.bytes_copied as f64 / copy)
    }
}

/// Measures and reports the costs of the device: dispatch, submission, readback and copy.
///
/// # Errors
/// Device errors.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), GpuError> {
    let name = &gpu.adapter_info().name;
    if reporter.wants("gpu/dispatch") || reporter.wants("gpu/submission") {
        let measured = cost_model.measured()?;
        reporter.report(BenchFigure::new("gpu/dispatch", measured.dispatch * 1e6, "µs").on_gpu(name));
        reporter.report(BenchFigure::new("gpu/submission", measured.submission * 1e6, "µs").on_gpu(name));
    }
    if reporter.wants("gpu/readback") {
        let seconds = device::readback(gpu, reporter.seconds())?;
        reporter.report(BenchFigure::new("gpu/readback", seconds * 1e6, "µs").on_gpu(name));
    }
    if reporter.wants("gpu/copy") {
        reporter
            .report(BenchFigure::new("gpu/copy", cost_model.measured()?.copy * 1e-9, "GB/s").on_gpu(name));
    }
    Ok(())
}
