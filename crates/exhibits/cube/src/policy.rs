//! A network that judges moves.

use super::engines::CubeEngines;
use super::puzzle::CubePuzzle;
use serde_json::Value;
use vivarium_envs::cube::FaceTurn;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::error::LabError;
use vivarium_lab::train::SliceError;

/// A network that judges moves, and does not change.
pub(crate) trait CubePolicy: Sized + Send + Sync + 'static {
    type Cube: CubePuzzle;
    /// A search under way.
    type Search: Send;

    /// The one of a file, from its tensors and its whole and checked config.
    ///
    /// # Errors
    /// [`LabError`] naming what does not fit.
    fn restore(config: &Value, tensors: &[Tensor]) -> Result<Self, LabError>;

    /// Its weights, as [`restore`](Self::restore) takes them.
    fn save(&self) -> Vec<Tensor>;

    /// Its moves.
    fn turns(&self) -> &'static [FaceTurn];

    /// What it thinks of each of its moves.
    fn values(&self, cpu: &Cpu, cube: Self::Cube) -> Vec<f32>;

    /// A search with a beam of this width; `None` where there is none for this cube.
    fn search(&self, cube: Self::Cube, width: u32) -> Option<Self::Search>;

    /// Does one slice of a search's work.
    ///
    /// # Errors
    /// [`SliceError::Gpu`] where the GPU was lost; on the CPU the search can go on.
    fn seek(
        &self,
        engines: &CubeEngines<'_>,
        search: &mut Self::Search,
    ) -> Result<SearchProgress, SliceError>;

    /// The likeliest ways of a search, at most so many.
    fn ways(search: &Self::Search, most: usize) -> Vec<Self::Cube>;

    /// The move that it finds best, the first of equals.
    fn best(values: &[f32]) -> usize {
        (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
    }
}

/// Where a search is.
pub(crate) struct SearchProgress {
    /// States that were evaluated in this slice.
    pub(crate) evaluated: u64,
    /// Moves that it has looked ahead.
    pub(crate) ahead: u32,
    /// What came of it, when it is over: turns that solve the cube, or nothing.
    pub(crate) end: Option<Option<Vec<FaceTurn>>>,
}
