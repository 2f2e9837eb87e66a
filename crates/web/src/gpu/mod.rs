//! The GPU engine in the page.

#[cfg(feature = "control")]
mod bench;
#[cfg(feature = "control")]
mod tasks;

use crate::bench::measurement::Figure;
use crate::error::SessionError;
use vivarium_gpu::{AdapterChoice, CheckResult, Gpu, self_check};
use vivarium_lab::protocol::GpuReport;

/// Opens the browser's GPU and compares its kernels with the CPU (self-check). Returns the GPU and a report with the
/// adapter and the kernels that disagree.
pub async fn open() -> Result<(Gpu, GpuReport), SessionError> {
    let gpu = Gpu::open(&AdapterChoice::Best).await?;
    let report = gpu.adapter_info().clone();
    let checked = self_check(&gpu).await?;
    let wrong = |CheckResult { name, worst_error, tolerance, .. }: &CheckResult| {
        format!("{name} has error {worst_error:.1e} (tolerance {tolerance:.0e})")
    };
    let opened = GpuReport {
        name: report.name,
        backend: report.backend,
        software: report.software,
        largest_buffer: report.largest_buffer,
        checked: checked.len() as u32,
        disagreements: checked.iter().filter(|one| !one.agrees).map(wrong).collect(),
    };
    Ok((gpu, opened))
}

/// Runs the GPU benchmark `name` and returns its results. The list is empty in wasm modules without GPU benchmarks.
pub async fn measure(name: &str, gpu: &Gpu) -> Result<Vec<Figure>, SessionError> {
    #[cfg(feature = "control")]
    return Ok(bench::measure(name, gpu).await?.into_iter().collect());
    #[cfg(not(feature = "control"))]
    {
        let _ = (name, gpu);
        Ok(Vec::new())
    }
}
