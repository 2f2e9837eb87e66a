//! Policy and value networks in the checkpoints of board games.

use crate::error::CliError;
use crate::run;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use vivarium_agents::alphazero::{
    AlphaZeroNetwork, NetworkSize, NetworkSource, SelfPlayGame, network_tensors, read_network,
};
use vivarium_lab::checkpoint::{self, Header, Tensor};

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
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let refuse = |why: String| CliError::failed(format!("{}: {why}", path.display()));
        let (header, tensors) =
            checkpoint::read(&run::read_checkpoint(path)?).map_err(|error| refuse(error.to_string()))?;
        if header.experiment != G::NAME {
            let name = &header.experiment;
            return Err(refuse(format!("this is a checkpoint of {name}, not of {}", G::NAME)));
        }
        let tensors = tensors.into_vec();
        let size = network_size(&tensors).ok_or_else(|| refuse("the file has no player network".into()))?;
        let like = AlphaZeroNetwork::new(size, 0).map_err(|error| refuse(error.to_string()))?;
        let (network, source) = read_network(&like, &tensors).map_err(|error| refuse(error.to_string()))?;
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

/// Derives the network size (width, blocks) from the tensor shapes. Returns `None` if the tensors have no network.
fn network_size(tensors: &[Tensor]) -> Option<NetworkSize> {
    let stem = tensors.iter().find(|tensor| tensor.name == "best/stem.weight")?;
    let [_, width @ 1..=4096] = stem.shape[..] else { return None };
    // Count the tensors that are present, so that a small malicious file cannot allocate a large network.
    let blocks = (0..).take_while(|block| {
        let name = format!("best/block.{block}.0.weight");
        tensors.iter().any(|tensor| tensor.name == name && tensor.shape[..] == [width, width])
    });
    Some(NetworkSize { width, blocks: blocks.count() })
}
