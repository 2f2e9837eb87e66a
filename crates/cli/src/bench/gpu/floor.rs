//! What work takes a device at the least, by what it asks of it.

use super::device;
use crate::bench::{Figure, Reporter};
use std::cell::OnceCell;
use vivarium_gpu::{Cost, Gpu, GpuError};

/// Measured when it is first needed, and then kept.
pub struct Floor<'a> {
    gpu: &'a Gpu,
    /// How long the repetitions of a measurement take.
    seconds: f64,
    measured: OnceCell<Measured>,
}

/// What everything on a device costs.
#[derive(Clone, Copy)]
pub struct Measured {
    /// Seconds of a dispatch that does nothing, among many of a submission.
    pub dispatch: f64,
    /// Seconds of a submission of one.
    pub submission: f64,
    /// Bytes a second that are read and written by a large copy.
    pub copy: f64,
}

impl<'a> Floor<'a> {
    /// Of this device.
    pub fn new(gpu: &'a Gpu, seconds: f64) -> Self {
        Self { gpu, seconds, measured: OnceCell::new() }
    }

    /// What it is made of.
    ///
    /// # Errors
    /// What the device reports.
    pub fn measured(&self) -> Result<Measured, GpuError> {
        if let Some(known) = self.measured.get() {
            return Ok(*known);
        }
        let (dispatch, submission) = device::dispatch(self.gpu, self.seconds)?;
        let copy = device::copy(self.gpu, self.seconds)?;
        Ok(*self.measured.get_or_init(|| Measured { dispatch, submission, copy }))
    }

    /// Seconds that work takes at the least: its dispatches, as if each did nothing, and its copies, with nothing overlapping. What
    /// kernels compute, and what they read and write, is left out.
    ///
    /// # Errors
    /// What the device reports.
    pub fn seconds(&self, cost: Cost) -> Result<f64, GpuError> {
        let Measured { dispatch, copy, .. } = self.measured()?;
        Ok(cost.dispatches as f64 * dispatch + cost.bytes_copied as f64 / copy)
    }
}

/// Measures and reports these figures.
///
/// # Errors
/// What the device reports.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), GpuError> {
    let name = &gpu.adapter_info().name;
    if reporter.wants("gpu/dispatch") || reporter.wants("gpu/submission") {
        let measured = floor.measured()?;
        reporter.report(Figure::new("gpu/dispatch", measured.dispatch * 1e6, "µs").on_gpu(name));
        reporter.report(Figure::new("gpu/submission", measured.submission * 1e6, "µs").on_gpu(name));
    }
    if reporter.wants("gpu/readback") {
        let seconds = device::readback(gpu, reporter.seconds())?;
        reporter.report(Figure::new("gpu/readback", seconds * 1e6, "µs").on_gpu(name));
    }
    if reporter.wants("gpu/copy") {
        reporter.report(Figure::new("gpu/copy", floor.measured()?.copy * 1e-9, "GB/s").on_gpu(name));
    }
    Ok(())
}
