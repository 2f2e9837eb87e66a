//! Checks of a config for a game, and the random streams of a run.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
use crate::error::LearnerError;
use vivarium_config::Config;
use vivarium_mcts::{Tree, TreeLimits};

/// Stream indices for `rng::derive`, one for each purpose of random numbers. The seed of a purpose is derived from the
/// run's seed and the stream index.
pub(super) mod rng_stream {
    pub const WEIGHTS: u32 = 20;
    pub const SELF_PLAY: u32 = 21;
    pub const SAMPLES: u32 = 22;
    pub const MATCH: u32 = 23;
}

/// Maximum memory of the search trees of all self-play games, in bytes. Configs that need more memory are rejected.
const MAX_TREE_BYTES: u64 = 2 << 30;

/// Returns an error if a config field is invalid, or if the search trees of all games need more than
/// [`MAX_TREE_BYTES`].
pub(super) fn check<G: SelfPlayGame>(config: &AlphaZeroConfig) -> Result<(), LearnerError> {
    config.check()?;
    let games = u64::from(config.workers * config.games);
    let bytes = games * Tree::<G>::bytes(TreeLimits::for_simulations::<G>(config.simulations));
    if config.search_share > 0.0 && bytes > MAX_TREE_BYTES {
        let [needed, most] = [bytes, MAX_TREE_BYTES].map(|bytes| bytes >> 20);
        let allowed = format!(
            "the search trees of {games} games need {needed} MiB (limit {most} MiB); reduce simulations, workers or games"
        );
        return Err(config.refused("simulations", allowed).into());
    }
    Ok(())
}
