//! A network defined once: shapes, autodiff, fusion, memory plan; runs on the CPU through the kernels.

/// The CPU engine: a SIMD level and a number of threads.
#[derive(Debug)]
pub struct Cpu;
