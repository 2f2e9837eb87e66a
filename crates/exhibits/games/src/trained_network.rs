//! Playing network of a checkpoint file, for matches and analysis without a run.

use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSize, NetworkSource, SelfPlayGame, read_network};
use vivarium_lab::checkpoint::{self, Header, Tensor};
use vivarium_lab::error::LabError;

/// Reads the playing network of a checkpoint file of the game `G`: the promoted network, or the newest network if no
/// promotion match has been won. A file with weights only has one network. Returns the header of the file, the network
/// and its origin.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid or belongs to another experiment.
pub fn read_playing_network<G: SelfPlayGame>(
    bytes: &[u8],
) -> Result<(Header, AlphaZeroNetwork<G>, NetworkSource), LabError> {
    let (header, tensors) = checkpoint::read(bytes)?;
    if header.experiment != G::NAME {
        let name = &header.experiment;
        let message = format!("it belongs to {name}; a checkpoint of {} is required", G::NAME);
        return Err(LabError::checkpoint(message));
    }
    let tensors = tensors.into_vec();
    let size = network_size(&tensors).ok_or_else(|| LabError::checkpoint("it has no player network"))?;
    let refuse = |why: String| LabError::checkpoint(why);
    let like = AlphaZeroNetwork::new(size, 0).map_err(|error| refuse(error.to_string()))?;
    let (network, source) = read_network(&like, &tensors).map_err(|error| refuse(error.to_string()))?;
    Ok((header, network, source))
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
