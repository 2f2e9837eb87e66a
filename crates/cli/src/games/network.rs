//! Policy and value networks in the checkpoints of board games.

use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSource, SelfPlayGame};
use vivarium_exhibit_games::read_playing_network;
use vivarium_lab::checkpoint::Header;

/// Policy and value network of a board-game checkpoint, with its origin.
pub struct TrainedNetwork<G> {
    /// Policy and value network.
    pub network: Arc<AlphaZeroNetwork<G>>,
    /// Origin of the network: promoted by a won match, newest network because no match has been won yet, or a file
    /// with weights only.
    pub source: NetworkSource,
    header: Header,
}

impl<G: SelfPlayGame> TrainedNetwork<G> {
    /// Reads the playing network of a checkpoint: the promoted network, or the newest network if no promotion match
    /// has been won. A file with weights only has one network.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file is invalid or belongs to another experiment.
    pub fn read(file: &CheckpointFile) -> Result<Self, CliError> {
        let read = read_playing_network(file.bytes());
        let (header, network, source) = read.map_err(|error| file.refuse(error))?;
        Ok(Self { network: Arc::new(network), source, header })
    }

    /// Returns the number of training steps of the network: decisions in self-play.
    pub fn steps(&self) -> u64 {
        self.header.steps
    }

    /// Returns a short description of the network's origin, for display.
    pub fn label(&self) -> &'static str {
        match self.source {
            NetworkSource::Promoted => "the best network",
            NetworkSource::Newest => "the newest network (none has won a promotion match yet)",
            NetworkSource::Alone => "the network",
        }
    }
}
