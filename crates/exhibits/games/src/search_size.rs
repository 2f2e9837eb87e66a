//! Size limits of the search trees that are used while a user plays or analyzes a game.

use super::rules::TableGame;
use vivarium_lab::error::LabError;
use vivarium_mcts::{Tree, TreeLimits};

/// Maximum number of simulations per decision of a search.
pub(crate) const MAX_SIMULATIONS: u32 = 100_000;

/// Number of search leaves that the network evaluates in one batch. Virtual loss makes the simulations of a batch
/// select different leaves.
pub(crate) const LEAVES: usize = 16;

/// Returns the memory limits of a search tree for `simulations` simulations per decision, including a reserve for the
/// subtree kept from the previous decision.
pub(crate) fn search_limits<G: TableGame>(simulations: u32) -> TreeLimits {
    let nodes = 2 * simulations as usize + 64;
    TreeLimits { nodes, edges: nodes / 2 * G::TYPICAL_BRANCHES + 4 * G::MAX_BRANCHES, leaves: LEAVES }
}

/// Checks that `simulations` is at most [`MAX_SIMULATIONS`]. `field` is the name of the command argument that the error
/// states.
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
