//! The engines at hand for what goes on beside training.

#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;

/// The CPU, and the GPU where training is there.
pub(crate) struct CubeEngines<'a> {
    pub(crate) cpu: &'a Cpu,
    #[cfg(feature = "gpu")]
    pub(crate) gpu: Option<Gpu>,
}

impl CubeEngines<'_> {
    /// Whether there is a GPU.
    pub(crate) fn has_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.gpu.is_some();
        #[cfg(not(feature = "gpu"))]
        return false;
    }
}

impl<'a> From<&'a Cpu> for CubeEngines<'a> {
    /// The CPU alone.
    fn from(cpu: &'a Cpu) -> Self {
        Self {
            cpu,
            #[cfg(feature = "gpu")]
            gpu: None,
        }
    }
}
