//! The network of the cube of 3×3×3.

#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuSearches;
use vivarium_agents::cube3::{self, Search, SearchSettings};
use vivarium_envs::cube::{Cube3, Metric};
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};

/// The network, and which turns are its moves.
pub(crate) struct ThreeNetwork {
    pub(crate) network: cube3::Network,
    pub(crate) metric: Metric,
}

impl ThreeNetwork {
    /// A search for a solution with a beam of this width.
    pub(crate) fn searching(&self, cube: Cube3, width: u32) -> Search {
        let settings =
            SearchSettings { metric: self.metric, width: width as usize, ..SearchSettings::default() };
        Search::new(settings, cube)
    }

    /// The network on a GPU, for searches that ask about so many states at a time.
    ///
    /// # Errors
    /// [`GpuError`] where it does not fit there, or a kernel is refused.
    #[cfg(feature = "gpu")]
    pub(crate) fn searches_on(&self, gpu: &Gpu, states: usize) -> Result<GpuSearches, GpuError> {
        GpuSearches::new(gpu, &self.network, self.metric, states)
    }
}
