//! Limits of the search trees at the table.

use super::rules::TableGame;
use vivarium_lab::error::LabError;
use vivarium_mcts::{Tree, TreeLimits};

/// Maximum number of simulations of a search.
pub(crate) const MAX_SIMULATIONS: u32 = 100_000;

/// Number of leaves per batch of network evaluations. Virtual loss makes the leaves of a tree differ.
pub(crate) const LEAVES: usize = 16;

/// Returns the memory limits of a search tree for a number of simulations, with a reserve for a reused subtree.
pub(crate) fn search_limits<G: TableGame>(simulations: u32) -> TreeLimits {
    let nodes = 2 * simulations as usize + 64;
    TreeLimits { nodes, edges: nodes / 2 * G::TYPICAL_BRANCHES + 4 * G::MAX_BRANCHES, leaves: LEAVES }
}

/// Checks that the number of simulations is at most [`MAX_SIMULATIONS`].
///
/// # Errors
/// [`LabError::Invalid`], which states the memory that the search would need.
pub(crate) fn check_search<G: TableGame>(field: &str, simulations: u32) -> Result<(), LabError> {
    if simulations <= MAX_SIMULATIONS {
        return Ok(());
    }
    let [needed, kept] = [simulations, MAX_SIMULATIONS].map(|simulations| {
        format!("{:.0} MB", Tree::<G>::bytes(search_limits::<G>(simulations)) as f64 / 1e6)
    });
    Err(LabError::invalid(
        format!("{field}.simulations"),
        simulations.to_string(),
        format!("the search would need {needed} of memory (limit {kept}, {MAX_SIMULATIONS} simulations)"),
    ))
}
