//! Options of commands that evaluate positions: network or GNU Backgammon, and simulations or plies.

use super::gnubg::{Gnubg, GnubgStrength};
use super::network::TrainedNetwork;
use super::tree_search::TreeSearch;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::values::whole;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, SelfPlayGame};
use vivarium_envs::backgammon::{Position, State};
use vivarium_exhibit_games::advice::race::RaceMethod;
use vivarium_exhibit_games::advice::{Adviser, Expectimax, MAX_PLIES, StopSignal, plies_text};

/// Default number of plays that a hint lists.
pub const NUM_HINTS: u32 = 5;

/// Evaluator and search of an adviser.
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
    /// Evaluate by GNU Backgammon, which must be installed, instead of a network
    #[arg(long, value_enum, value_name = "PROGRAM", hide_possible_values = false, conflicts_with_all = ["checkpoint", "simulations", "plies"])]
    pub by: Option<GnubgStrength>,
}

/// Evaluator of an adviser.
#[derive(Clone)]
pub enum AdviserEvaluator {
    /// Network of the program or of a checkpoint.
    Network(Arc<AlphaZeroNetwork<State>>),
    /// GNU Backgammon.
    Gnubg(GnubgStrength),
}

impl AdviserArgs {
    /// Returns the evaluator: GNU Backgammon, the network of the checkpoint, or that of the program.
    ///
    /// # Errors
    /// [`CliError`] if the checkpoint is invalid.
    pub fn evaluator(&self) -> Result<AdviserEvaluator, CliError> {
        if let Some(strength) = self.by {
            return Ok(AdviserEvaluator::Gnubg(strength));
        }
        let file = CheckpointFile::open(self.checkpoint.as_deref(), State::NAME)?;
        Ok(AdviserEvaluator::Network(TrainedNetwork::<State>::read(&file)?.network))
    }

    /// Creates the adviser. With a network, it searches the best `plays` plays until `stop`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the search needs too much memory, or GNU Backgammon is not installed.
    pub fn adviser(
        &self,
        evaluator: AdviserEvaluator,
        plays: u32,
        stop: StopSignal,
    ) -> Result<Box<dyn Adviser>, CliError> {
        Ok(match (evaluator, self.plies) {
            (AdviserEvaluator::Gnubg(strength), _) => {
                Box::new(Gnubg::start(strength.plies()).map_err(CliError::failed)?)
            }
            (AdviserEvaluator::Network(network), Some(plies)) => {
                Box::new(Expectimax::new(network, plies, stop).map_err(CliError::failed_by)?)
            }
            (AdviserEvaluator::Network(network), None) => Box::new(
                TreeSearch::new(network, self.simulations, plays, stop).map_err(CliError::failed_by)?,
            ),
        })
    }

    /// Creates the adviser with the largest search depth, which checks the default depth. Returns `None` if the command line selects
    /// the depth.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the search needs too much memory.
    pub fn deepest_adviser(&self, evaluator: AdviserEvaluator) -> Result<Option<Expectimax>, CliError> {
        match (evaluator, self.plies) {
            (AdviserEvaluator::Network(network), None) => {
                let adviser = Expectimax::new(network, MAX_PLIES, StopSignal::default());
                adviser.map(Some).map_err(CliError::failed_by)
            }
            (AdviserEvaluator::Network(_), Some(_)) | (AdviserEvaluator::Gnubg(_), _) => Ok(None),
        }
    }

    /// Returns the method of the probabilities after a play in a position, as a sentence without a full stop.
    pub fn method_of_plays(&self, position: &Position) -> String {
        if let Some(strength) = self.by {
            return format!("Probabilities by {}", strength.title());
        }
        match (RaceMethod::of(position), self.plies, self.simulations) {
            (Some(method), ..) => format!("Probabilities by {}", method.name()),
            (None, Some(0), _) | (None, None, 0) => {
                "Probabilities by the network, without a search".to_owned()
            }
            (None, Some(plies), _) => format!("Probabilities by expectimax to {}", plies_text(plies)),
            (None, None, simulations) => format!(
                "Winning probability by a search of {simulations} simulations; shares of gammons without a search"
            ),
        }
    }
}
