//! Engine and queue of beam searches, which run on the GPU if training runs there, or else on the CPU.

use super::cube3_policy::Cube3Policy;
use super::engines::CubeEngines;
#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuBeamSearch;
use vivarium_agents::cube3::{BeamSearch, SearchStatus};
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::train::SliceError;

/// Maximum number of concurrent beam searches on a GPU. 64 searches keep a large GPU busy.
const MAX_CONCURRENT: usize = 64;

/// Engine of beam searches: computes the network's outputs for the states of the searches, on the GPU or on the CPU. A
/// search in progress continues when training moves between GPU and CPU.
#[derive(Default)]
pub(crate) struct BeamSearchEngine {
    #[cfg(feature = "gpu")]
    device: Option<Device<GpuBeamSearch>>,
    /// Whether the network does not fit into the memory of the current GPU.
    #[cfg(feature = "gpu")]
    too_large: bool,
}

impl BeamSearchEngine {
    /// Advances `searches` by a bounded amount of work: all searches on a GPU, only the first unfinished search on the
    /// CPU. Returns `false` while the GPU is busy (only in a browser). Until a call returns `true`, the caller must not
    /// change `searches`. The network must be the same in all calls.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] if the GPU was lost; the searches can continue on the CPU.
    pub(crate) fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        network: &Cube3Policy,
        searches: &mut [BeamSearch],
    ) -> Result<bool, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = self.gpu_searches(engines.gpu.as_ref(), network, searches)? {
            return device.advance(engines.cpu, searches).map_err(SliceError::Gpu);
        }
        if let Some(search) = searches.iter_mut().find(|search| search.status() == SearchStatus::Searching) {
            search.advance(engines.cpu, &network.network);
        }
        Ok(true)
    }

    /// Returns the beam-search evaluator on `gpu`. If the evaluator does not exist yet, creates it and uploads the
    /// network. Returns `None` if `gpu` is `None` or the network does not fit into GPU memory.
    #[cfg(feature = "gpu")]
    fn gpu_searches(
        &mut self,
        gpu: Option<&Gpu>,
        network: &Cube3Policy,
        searches: &[BeamSearch],
    ) -> Result<Option<&mut GpuBeamSearch>, SliceError> {
        let is_there = |device: &Device<GpuBeamSearch>| gpu.is_some_and(|gpu| gpu.is_same_as(device.gpu()));
        if !self.device.as_ref().is_some_and(is_there) {
            self.device = None;
        }
        let Some(gpu) = gpu else {
            self.too_large = false;
            return Ok(None);
        };
        if self.device.is_none() && !self.too_large {
            let states = searches.iter().map(|search| search.settings().width).sum();
            match Device::new(gpu, |gpu| network.gpu_beam_search(gpu, states)) {
                Ok(device) => self.device = Some(device),
                Err(GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. }) => self.too_large = true,
                Err(error) => return Err(SliceError::Gpu(error)),
            }
        }
        Ok(self.device.as_mut().map(|device| &mut device.trainer))
    }
}

/// Queue of beam searches, which run concurrently on a GPU and one after another on the CPU.
#[derive(Default)]
pub(crate) struct SearchQueue {
    engine: BeamSearchEngine,
    searches: Vec<BeamSearch>,
    /// Whether the last call of [`advance`](Self::advance) made no progress because the GPU was busy.
    gpu_busy: bool,
}

impl SearchQueue {
    /// Advances the queued beam searches by a bounded amount of work. First takes new searches from `next` until the
    /// queue is full ([`MAX_CONCURRENT`] searches on a GPU, one on the CPU). Passes each completed search to the
    /// callback `completed`. The network must be the same in all calls.
    ///
    /// # Errors
    /// The same errors as [`BeamSearchEngine::advance`].
    pub(crate) fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        network: &Cube3Policy,
        next: impl Iterator<Item = BeamSearch>,
        mut completed: impl FnMut(&BeamSearch),
    ) -> Result<(), SliceError> {
        if !self.gpu_busy {
            let most = if engines.has_gpu() { MAX_CONCURRENT } else { 1 };
            self.searches.extend(next.take(most.saturating_sub(self.searches.len())));
        }
        self.gpu_busy = false;
        self.gpu_busy = !self.engine.advance(engines, network, &mut self.searches)?;
        if !self.gpu_busy {
            self.searches.retain(|search| {
                let in_progress = search.status() == SearchStatus::Searching;
                if !in_progress {
                    completed(search);
                }
                in_progress
            });
        }
        Ok(())
    }
}
