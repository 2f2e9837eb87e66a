//! Interface of cube policies, each computed by a network: values of moves, and beam search for a solution.

use super::engines::CubeEngines;
use super::puzzle::TableCube;
use serde_json::Value;
use vivarium_envs::cube::FaceTurn;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::InferenceNetwork;
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;

/// Policy that an immutable network computes: values of the moves in a cube state, and beam search for a solution.
pub(crate) trait CubePolicy: Sized + Send + Sync + 'static {
    type Cube: TableCube;
    /// State of a beam search in progress.
    type Search: Send;

    /// Restores a network from the tensors and the config of a checkpoint or network file. The config must be complete
    /// and validated.
    ///
    /// # Errors
    /// [`LabError`] describing the mismatch between the tensors and the config.
    fn restore(config: &Value, tensors: &[Tensor]) -> Result<Self, LabError>;

    /// Returns the weights as tensors, in the format that [`restore`](Self::restore) reads.
    fn save(&self) -> Vec<Tensor>;

    /// Returns the network in the form from which ONNX files are exported. `config` must be the config from which the
    /// network was restored.
    ///
    /// # Errors
    /// [`LabError`] if the config is inconsistent.
    fn inference_network(&self, config: &Value) -> Result<InferenceNetwork, LabError>;

    /// Returns the moves among which the network chooses, in the order of its outputs.
    fn turns(&self) -> &'static [FaceTurn];

    /// Returns the network's value of each move in state `cube`, in the order of [`turns`](Self::turns).
    fn values(&self, cpu: &Cpu, cube: Self::Cube) -> Vec<f32>;

    /// Creates a beam search of width `width` from state `cube`; `None` if this cube size has no beam search.
    fn search(&self, cube: Self::Cube, width: u32) -> Option<Self::Search>;

    /// Advances a beam search by a bounded amount of work.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] if the GPU was lost; the search can continue on the CPU.
    fn advance_search(
        &self,
        engines: &CubeEngines<'_>,
        search: &mut Self::Search,
    ) -> Result<SearchProgress, SliceError>;

    /// Returns at most `most` of the cube states in the beam of `search`, most likely first.
    fn beam(search: &Self::Search, most: usize) -> Vec<Self::Cube>;

    /// Returns the index of the largest element of `values`; ties go to the lowest index.
    fn best(values: &[f32]) -> usize {
        (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
    }
}

/// Progress of a beam search in one call of [`CubePolicy::advance_search`].
pub(crate) struct SearchProgress {
    /// Number of cube states evaluated in this call.
    pub(crate) evaluated: u64,
    /// Depth that the beam search has reached, in moves.
    pub(crate) ahead: u32,
    /// Result of the search. `None`: in progress. `Some(Some(solution))`: solved. `Some(None)`: ended without a
    /// solution.
    pub(crate) end: Option<Option<Vec<FaceTurn>>>,
}
