//! Networks of checkpoints.

use crate::failure::Failure;
use crate::run;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use vivarium_agents::alphazero::{
    AlphaZeroNetwork, NetworkSize, NetworkSource, SelfPlayGame, network_tensors, read_network,
};
use vivarium_lab::checkpoint::{self, Header, Tensor};

/// The network of a checkpoint that plays.
pub struct Trained<G> {
    /// The network itself.
    pub network: Arc<AlphaZeroNetwork<G>>,
    /// Which of the checkpoint's networks it is.
    pub source: NetworkSource,
    header: Header,
}

impl<G: SelfPlayGame> Trained<G> {
    /// Reads it from a checkpoint of a whole run, or from a file that holds a network alone.
    ///
    /// # Errors
    /// [`Failure::Failed`] saying what is wrong with the file, or whose it is.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::failed(format!("{}: {why}", path.display()));
        let (header, tensors) =
            checkpoint::read(&run::read_checkpoint(path)?).map_err(|error| refuse(error.to_string()))?;
        if header.experiment != G::NAME {
            let name = &header.experiment;
            return Err(refuse(format!("this is a checkpoint of {name}, not of {}", G::NAME)));
        }
        let tensors = tensors.into_vec();
        let size = size(&tensors).ok_or_else(|| refuse("it holds no network of a player".into()))?;
        let like = AlphaZeroNetwork::new(size, 0).map_err(|error| refuse(error.to_string()))?;
        let (network, source) = read_network(&like, &tensors).map_err(|error| refuse(error.to_string()))?;
        Ok(Self { network: Arc::new(network), source, header })
    }

    /// Steps of training behind it: positions of self-play.
    pub fn steps(&self) -> u64 {
        self.header.steps
    }

    /// What it is called beside others of its run.
    pub fn label(&self) -> &'static str {
        match self.source {
            NetworkSource::Promoted => "the best network",
            NetworkSource::Newest => "the newest network (none has won a promotion match yet)",
            NetworkSource::Alone => "the network",
        }
    }

    /// Writes it alone, without what learning goes on from: what a page brings along.
    ///
    /// # Errors
    /// [`Failure::Failed`] saying why the file cannot be written.
    pub fn write_alone(&self, path: &Path) -> Result<(), Failure> {
        let header = Header { more: Value::Null, ..self.header.clone() };
        let bytes = checkpoint::write(&header, &network_tensors(&self.network));
        checkpoint::file::replace(path, &bytes).map_err(|error| Failure::file("write", path, error))
    }
}

/// How large the network of these tensors is.
fn size(tensors: &[Tensor]) -> Option<NetworkSize> {
    let stem = tensors.iter().find(|tensor| tensor.name == "best/stem.weight")?;
    let [_, width @ 1..=4096] = stem.shape[..] else { return None };
    // A layer as wide as the stem says: a small file must not have a large network made.
    let blocks = (0..).take_while(|block| {
        let name = format!("best/block.{block}.0.weight");
        tensors.iter().any(|tensor| tensor.name == name && tensor.shape[..] == [width, width])
    });
    Some(NetworkSize { width, blocks: blocks.count() })
}
