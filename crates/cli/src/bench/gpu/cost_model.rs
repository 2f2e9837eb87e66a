//! Lower bound of the duration of GPU work, from its dispatches and copies.

use super::device;
use crate::bench::{BenchFigure, Reporter};
use std::cell::OnceCell;
use vivarium_gpu::{Cost, Gpu, GpuError};

/// Name suffixes of the three results of a measurement: duration or rate, number of dispatches, and number of copied
/// bytes.
pub const RESULT_SUFFIXES: [&str; 3] = ["", "/dispatches", "/bytes"];

/// Cost model of a GPU device, which computes lower bounds of durations from numbers of dispatches and copied bytes.
/// The costs are measured on first use.
pub struct CostModel<'a> {
    gpu: &'a Gpu,
    /// Approximate duration of each measurement in seconds.
    seconds: f64,
    measured: OnceCell<DeviceCosts>,
}

/// Measured costs of a GPU device: durations of dispatches and submissions, and copy bandwidth.
#[derive(Clone, Copy)]
pub struct DeviceCosts {
    /// Duration in seconds of one nearly empty dispatch in a submission with many dispatches.
    pub dispatch: f64,
    /// Duration in seconds of a submission with one dispatch, until completion.
    pub submission: f64,
    /// Bandwidth of a large copy within the device, in bytes per second. Each byte counts twice (read and write).
    pub copy: f64,
}

impl<'a> CostModel<'a> {
    /// Creates the cost model of a device. Each measurement takes about `seconds` seconds.
    pub fn new(gpu: &'a Gpu, seconds: f64) -> Self {
        Self { gpu, seconds, measured: OnceCell::new() }
    }

    /// Returns the measured costs of the GPU device: the seconds that a dispatch and a submission take, and the copy
    /// bandwidth in bytes per second. The first call runs the measurements.
    ///
    /// # Errors
    /// [`GpuError`] if the device fails.
    pub fn measured(&self) -> Result<DeviceCosts, GpuError> {
        if let Some(known) = self.measured.get() {
            return Ok(*known);
        }
        let (dispatch, submission) = device::dispatch_costs(self.gpu, self.seconds)?;
        let copy = device::copy_bandwidth(self.gpu, self.seconds)?;
        Ok(*self.measured.get_or_init(|| DeviceCosts { dispatch, submission, copy }))
    }

    /// Returns a lower bound, in seconds, of the duration of GPU work with the given numbers of dispatches and copied
    /// bytes. The bound is the duration of the same number of empty dispatches plus the duration of the copies;
    /// computation and memory accesses of kernels are excluded.
    ///
    /// # Errors
    /// [`GpuError`] if the device fails.
    pub fn seconds(&self, cost: Cost) -> Result<f64, GpuError> {
        let DeviceCosts { dispatch, copy, .. } = self.measured()?;
        Ok(cost.dispatches as f64 * dispatch + cost.bytes_copied as f64 / copy)
    }
}

/// Measures and reports the costs of the device: dispatch, submission, readback and copy.
///
/// # Errors
/// [`GpuError`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), GpuError> {
    let name = &gpu.adapter_info().name;
    if reporter.selects("gpu/dispatch") || reporter.selects("gpu/submission") {
        let measured = cost_model.measured()?;
        reporter.report(BenchFigure::new("gpu/dispatch", measured.dispatch * 1e6, "µs").on_gpu(name));
        reporter.report(BenchFigure::new("gpu/submission", measured.submission * 1e6, "µs").on_gpu(name));
    }
    if reporter.selects("gpu/readback") {
        let seconds = device::readback_latency(gpu, reporter.seconds())?;
        reporter.report(BenchFigure::new("gpu/readback", seconds * 1e6, "µs").on_gpu(name));
    }
    if reporter.selects("gpu/copy") {
        reporter
            .report(BenchFigure::new("gpu/copy", cost_model.measured()?.copy * 1e-9, "GB/s").on_gpu(name));
    }
    Ok(())
}
