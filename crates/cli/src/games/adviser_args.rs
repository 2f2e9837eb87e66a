//! Options of commands that search with a network: checkpoint, and simulations or plies.

use super::network::TrainedNetwork;
use super::tree_search::TreeSearch;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::values::whole;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, SelfPlayGame};
use vivarium_envs::backgammon::State;
use vivarium_exhibit_games::advice::{Adviser, Expectimax, MAX_PLIES, StopSignal};

/// Default number of plays that a hint lists.
pub const NUM_HINTS: u32 = 5;

/// Network and search of an adviser.
#[derive(Args, Clone, Debug)]
pub struct AdviserArgs {
    /// Checkpoint file or run folder [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Search simulations per play; 0 disables the search; doubling decisions use none
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 800, value_parser = whole(0u32, 1_000_000))]
    pub simulations: u32,
    /// Search depth of expectimax in plies (rolls) instead of simulations, 0 to 2; 0 is the network without a search
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "simulations", value_parser = whole(0u8, MAX_PLIES))]
    pub plies: Option<u8>,
}

impl AdviserArgs {
    /// Reads the network and creates the adviser, which searches the best `plays` plays until `stop`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the search needs too much memory.
    pub fn adviser(
        &self,
        network: Arc<AlphaZeroNetwork<State>>,
        plays: u32,
        stop: StopSignal,
    ) -> Result<Box<dyn Adviser>, CliError> {
        Ok(match self.plies {
            Some(plies) => Box::new(Expectimax::new(network, plies, stop).map_err(CliError::failed_by)?),
            None => Box::new(
                TreeSearch::new(network, self.simulations, plays, stop).map_err(CliError::failed_by)?,
            ),
        })
    }

    /// Creates the adviser with the largest search depth, which checks the default depth. Returns `None` if the command line selects
    /// the depth.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the search needs too much memory.
    pub fn deepest_adviser(
        &self,
        network: Arc<AlphaZeroNetwork<State>>,
    ) -> Result<Option<Expectimax>, CliError> {
        if self.plies.is_some() {
            return Ok(None);
        }
        let adviser = Expectimax::new(network, MAX_PLIES, StopSignal::default());
        adviser.map(Some).map_err(CliError::failed_by)
    }

    /// Reads the network of the checkpoint, or of the program.
    ///
    /// # Errors
    /// [`CliError`] if the checkpoint is invalid.
    pub fn network(&self) -> Result<Arc<AlphaZeroNetwork<State>>, CliError> {
        let file = CheckpointFile::open(self.checkpoint.as_deref(), State::NAME)?;
        Ok(TrainedNetwork::<State>::read(&file)?.network)
    }
}
