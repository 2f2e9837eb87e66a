//! The network of the cube of 3×3×3.

#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuBeamSearch;
use vivarium_agents::cube3::{self, BeamSearch, BeamSearchSettings};
use vivarium_envs::cube::{Cube3, TurnMetric};
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};

/// The network, and which turns are its moves.
pub(crate) struct Cube3Policy {
    pub(crate) network: cube3::Cube3Network,
    pub(crate) metric: TurnMetric,
}

impl Cube3Policy {
    /// A search for a solution with a beam of this width.
    pub(crate) fn searching(&self, cube: Cube3, width: u32) -> BeamSearch {
        let settings = BeamSearchSettings {
            metric: self.metric,
            width: width as usize,
            ..BeamSearchSettings::default()
        };
        BeamSearch::new(settings, cube)
    }

    /// The network on a GPU, for searches that ask about so many states at a time.
    ///
    /// # Errors
    /// [`GpuError`] where it does not fit there, or a kernel is refused.
    #[cfg(feature = "gpu")]
    pub(crate) fn searches_on(&self, gpu: &Gpu, states: usize) -> Result<GpuBeamSearch, GpuError> {
        GpuBeamSearch::new(gpu, &self.network, self.metric, states)
    }
}
