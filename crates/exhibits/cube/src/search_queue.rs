//! Beam searches by one network: on the GPU where training is there, and on the CPU otherwise.

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

/// Searches that a GPU has side by side: together they keep a large one busy.
const TOGETHER: usize = 64;

/// What evaluates the states of searches. A search that is under way goes on where the engine changes.
#[derive(Default)]
pub(crate) struct BeamSearchEngine {
    #[cfg(feature = "gpu")]
    device: Option<Device<GpuBeamSearch>>,
    /// Whether the network does not fit on the GPU at hand.
    #[cfg(feature = "gpu")]
    too_large: bool,
}

impl BeamSearchEngine {
    /// Does one slice of work: on a GPU for all searches, on the CPU for the first that goes on. Returns whether it is done: in
    /// a browser, a GPU may need longer, and until then the searches must stay the same. The network must be the same in all
    /// slices.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] where the GPU was lost; on the CPU the searches can go on.
    pub(crate) fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        network: &Cube3Policy,
        searches: &mut [BeamSearch],
    ) -> Result<bool, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = self.on(engines.gpu.as_ref(), network, searches)? {
            return device.advance(engines.cpu, searches).map_err(SliceError::Gpu);
        }
        if let Some(search) = searches.iter_mut().find(|search| search.status() == SearchStatus::Searching) {
            search.advance(engines.cpu, &network.network);
        }
        Ok(true)
    }

    /// The network on this GPU; `None` where there is no GPU or the network does not fit.
    #[cfg(feature = "gpu")]
    fn on(
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
            match Device::new(gpu, |gpu| network.searches_on(gpu, states)) {
                Ok(device) => self.device = Some(device),
                Err(GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. }) => self.too_large = true,
                Err(error) => return Err(SliceError::Gpu(error)),
            }
        }
        Ok(self.device.as_mut().map(|device| &mut device.trainer))
    }
}

/// Many searches: side by side on a GPU, one after another on the CPU.
#[derive(Default)]
pub(crate) struct SearchQueue {
    engine: BeamSearchEngine,
    searches: Vec<BeamSearch>,
    /// Whether a GPU is at work on them.
    waiting: bool,
}

impl SearchQueue {
    /// Does one slice of work on searches by this network, which must be the same in all slices; `ended` sees those that it
    /// ended. Where there is room, the `next` ones begin.
    ///
    /// # Errors
    /// Those of [`BeamSearchEngine::advance`].
    pub(crate) fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        network: &Cube3Policy,
        next: impl Iterator<Item = BeamSearch>,
        mut ended: impl FnMut(&BeamSearch),
    ) -> Result<(), SliceError> {
        if !self.waiting {
            let most = if engines.has_gpu() { TOGETHER } else { 1 };
            self.searches.extend(next.take(most.saturating_sub(self.searches.len())));
        }
        self.waiting = false;
        self.waiting = !self.engine.advance(engines, network, &mut self.searches)?;
        if !self.waiting {
            self.searches.retain(|search| {
                let goes_on = search.status() == SearchStatus::Searching;
                if !goes_on {
                    ended(search);
                }
                goes_on
            });
        }
        Ok(())
    }
}
