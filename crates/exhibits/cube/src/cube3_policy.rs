//! Policy network of the 3×3×3 cube.

#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuBeamSearch;
use vivarium_agents::cube3::{self, BeamSearch, BeamSearchSettings};
use vivarium_envs::cube::{Cube3, TurnMetric};
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};

/// Policy network of the 3×3×3 cube, with the turn metric (quarter or half turns) in which the network was trained.
pub(crate) struct Cube3Policy {
    pub(crate) network: cube3::Cube3Network,
    pub(crate) metric: TurnMetric,
}

impl Cube3Policy {
    /// Creates a beam search of width `width` that starts from `cube`.
    pub(crate) fn beam_search(&self, cube: Cube3, width: u32) -> BeamSearch {
        let settings = BeamSearchSettings {
            metric: self.metric,
            width: width as usize,
            ..BeamSearchSettings::default()
        };
        BeamSearch::new(settings, cube)
    }

    /// Uploads the network to a GPU, for concurrent beam searches whose states are evaluated in batches of up to
    /// `states`.
    ///
    /// # Errors
    /// [`GpuError`] if the network does not fit or the device rejects a kernel.
    #[cfg(feature = "gpu")]
    pub(crate) fn gpu_beam_search(&self, gpu: &Gpu, states: usize) -> Result<GpuBeamSearch, GpuError> {
        GpuBeamSearch::new(gpu, &self.network, self.metric, states)
    }
}
