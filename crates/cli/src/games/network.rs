//! Policy and value networks in the checkpoints of board games.

use crate::error::CliError;
use crate::run;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSource, SelfPlayGame, network_tensors};
use vivarium_envs::backgammon::State;
use vivarium_exhibit_games::read_playing_network;
use vivarium_lab::checkpoint::{self, Header};

/// Policy and value network of a board-game checkpoint, with its origin.
pub struct TrainedNetwork<G> {
    /// Policy and value network.
    pub network: Arc<AlphaZeroNetwork<G>>,
    /// Origin of the network: promoted by a won match, newest network because no match has been won yet, or a file
    /// with weights only.
    pub source: NetworkSource,
    header: Header,
}

/// Checkpoint with the weights of the page's backgammon network.
const BACKGAMMON_NETWORK: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../www/src/assets/networks/backgammon.safetensors"
));

impl TrainedNetwork<State> {
    /// Returns the backgammon network that is part of the program: the trained network of the page.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the embedded file is invalid.
    pub fn built_in() -> Result<Self, CliError> {
        let refuse = |error| CliError::failed(format!("the built-in network: {error}"));
        let (header, network, source) = read_playing_network(BACKGAMMON_NETWORK).map_err(refuse)?;
        Ok(Self { network: Arc::new(network), source, header })
    }
}

impl<G: SelfPlayGame> TrainedNetwork<G> {
    /// Reads the playing network of a checkpoint: the promoted network, or the newest network if no promotion match
    /// has been won. A file with weights only has one network.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file is invalid or belongs to another experiment.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let refuse = |error| CliError::failed(format!("{}: {error}", path.display()));
        let (header, network, source) = read_playing_network(&run::read_checkpoint(path)?).map_err(refuse)?;
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

    /// Writes the weights to `path` without optimizer state, in the format of the pretrained networks of the web
    /// page.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written.
    pub fn export_weights(&self, path: &Path) -> Result<(), CliError> {
        let header = Header { more: Value::Null, ..self.header.clone() };
        let bytes = checkpoint::write(&header, &network_tensors(&self.network));
        checkpoint::file::replace(path, &bytes).map_err(|error| CliError::file("write", path, error))
    }
}
