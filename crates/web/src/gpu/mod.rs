//! The GPU in the page: opening one, and what is reported to the page.

#[cfg(feature = "control")]
mod bench;
#[cfg(feature = "control")]
mod tasks;

use crate::bench::Figure;
use crate::problem::Refusal;
use vivarium_gpu::{AdapterChoice, Checked, Gpu, self_check};
use vivarium_lab::protocol::GpuReport;

/// Opens what the browser offers and compares a handful of its computations with the processor's.
pub async fn open() -> Result<(Gpu, GpuReport), Refusal> {
    let gpu = Gpu::open(&AdapterChoice::Best).await?;
    let report = gpu.report().clone();
    let checked = self_check(&gpu).await?;
    let wrong = |Checked { name, worst_error, tolerance, .. }: &Checked| {
        format!("{name} is off by {worst_error:.1e}, where {tolerance:.0e} is allowed")
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

/// Measures on the GPU; nothing in a module of learners that have no such figures.
pub async fn measure(name: &str, gpu: &Gpu) -> Result<Vec<Figure>, Refusal> {
    #[cfg(feature = "control")]
    return Ok(bench::measure(name, gpu).await?.into_iter().collect());
    #[cfg(not(feature = "control"))]
    {
        let _ = (name, gpu);
        Ok(Vec::new())
    }
}
