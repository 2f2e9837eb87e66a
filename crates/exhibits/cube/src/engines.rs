//! Compute engines (CPU and GPU) for background evaluations and for searches.

#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;

/// Engines for background evaluations and searches: the CPU, and the GPU if training runs on a GPU.
pub(crate) struct CubeEngines<'a> {
    pub(crate) cpu: &'a Cpu,
    #[cfg(feature = "gpu")]
    pub(crate) gpu: Option<Gpu>,
}

impl CubeEngines<'_> {
    /// Returns whether a GPU is available for evaluations and searches.
    pub(crate) fn has_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.gpu.is_some();
        #[cfg(not(feature = "gpu"))]
        return false;
    }
}

impl<'a> From<&'a Cpu> for CubeEngines<'a> {
    /// Creates the engines for evaluations and searches on the CPU only, without a GPU.
    fn from(cpu: &'a Cpu) -> Self {
        Self {
            cpu,
            #[cfg(feature = "gpu")]
            gpu: None,
        }
    }
}
