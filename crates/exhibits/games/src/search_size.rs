//! How large searches may grow.

use super::rules::TableGame;
use vivarium_lab::error::LabError;
use vivarium_mcts::{Tree, TreeLimits};

/// The most simulations of a search.
pub(crate) const LARGEST_SEARCH: u32 = 100_000;

/// Leaves of the one tree that are evaluated together.
pub(crate) const LEAVES: usize = 16;

/// How large a search of so many simulations may grow. With what is left of the one before, it may be twice as many.
pub(crate) fn search_limits<G: TableGame>(simulations: u32) -> TreeLimits {
    let nodes = 2 * simulations as usize + 64;
    TreeLimits { nodes, edges: nodes / 2 * G::USUAL_BRANCHES + 4 * G::MAX_BRANCHES, leaves: LEAVES }
}

/// Refuses a search that memory is not kept for.
///
/// # Errors
/// [`LabError::Invalid`] saying how much it would take.
pub(crate) fn check_search<G: TableGame>(field: &str, simulations: u32) -> Result<(), LabError> {
    if simulations <= LARGEST_SEARCH {
        return Ok(());
    }
    let [needed, kept] = [simulations, LARGEST_SEARCH].map(|simulations| {
        format!("{:.0} MB", Tree::<G>::bytes(search_limits::<G>(simulations)) as f64 / 1e6)
    });
    Err(LabError::invalid(
        format!("{field}.simulations"),
        simulations.to_string(),
        format!(
            "its search would take {needed} of memory; {kept} are kept for one, which is {LARGEST_SEARCH} simulations"
        ),
    ))
}
