//! Policies: networks that evaluate moves.

use super::engines::CubeEngines;
use super::puzzle::CubePuzzle;
use serde_json::Value;
use vivarium_envs::cube::FaceTurn;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;

/// Immutable network that evaluates moves and solves cubes.
pub(crate) trait CubePolicy: Sized + Send + Sync + 'static {
    type Cube: CubePuzzle;
    /// Search in progress.
    type Search: Send;

    /// Restores a network from the tensors and the complete, validated config of a file.
    ///
    /// # Errors
    /// [`LabError`] with the mismatch.
    fn restore(config: &Value, tensors: &[Tensor]) -> Result<Self, LabError>;

    /// Returns the weights, in the format that [`restore`](Self::restore) reads.
    fn save(&self) -> Vec<Tensor>;

    /// Returns the moves, in the order of the network's outputs.
    fn turns(&self) -> &'static [FaceTurn];

    /// Returns the value of each move in a state, in the order of [`turns`](Self::turns).
    fn values(&self, cpu: &Cpu, cube: Self::Cube) -> Vec<f32>;

    /// Starts a beam search, or returns `None` if there is no beam search for this cube size.
    fn search(&self, cube: Self::Cube, width: u32) -> Option<Self::Search>;

    /// Advances a search by a bounded amount of work.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] if the GPU was lost; the search can continue on the CPU.
    fn advance_search(
        &self,
        engines: &CubeEngines<'_>,
        search: &mut Self::Search,
    ) -> Result<SearchProgress, SliceError>;

    /// Returns the first states of the beam, most likely first, at most `most`.
    fn beam(search: &Self::Search, most: usize) -> Vec<Self::Cube>;

    /// Returns the index of the largest value; ties go to the lowest index.
    fn best(values: &[f32]) -> usize {
        (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
    }
}

/// Progress of a search in one call of [`CubePolicy::advance_search`].
pub(crate) struct SearchProgress {
    /// Number of states evaluated in this call.
    pub(crate) evaluated: u64,
    /// Depth of the search in moves.
    pub(crate) ahead: u32,
    /// `None` while the search is in progress; then its result, which is the solution or `None` if none was found.
    pub(crate) end: Option<Option<Vec<FaceTurn>>>,
}
