//! Networks of checkpoints.

use crate::failure::Failure;
use crate::run;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use vivarium_agents::alphazero::{Learnable, Network, NetworkSize, read_best};
use vivarium_kernels::simd;
use vivarium_lab::checkpoint::{self, Header, Tensor};

/// The best network of a checkpoint, or of a file that holds it alone, and the steps of training behind it: decisions of
/// self-play.
///
/// # Errors
/// [`Failure::Failed`] saying what is wrong with the file, or whose it is.
pub fn read<G: Learnable>(path: &Path) -> Result<(Arc<Network<G>>, u64), Failure> {
    let refuse = |why: String| Failure::failed(format!("{}: {why}", path.display()));
    let (header, tensors) =
        checkpoint::read(&run::read_bytes(path)?).map_err(|error| refuse(error.to_string()))?;
    if header.experiment != G::NAME {
        return Err(refuse(format!("this is a checkpoint of {}, not of {}", header.experiment, G::NAME)));
    }
    let tensors = tensors.into_all();
    let size = size(&tensors).ok_or_else(|| refuse("it holds no network of a player".into()))?;
    let like = Network::new(simd::level(), size, 0).map_err(|error| refuse(error.to_string()))?;
    let network = read_best(&like, &tensors).map_err(|error| refuse(error.to_string()))?;
    Ok((Arc::new(network), header.steps))
}

/// Writes the best network of a checkpoint alone, without what learning goes on from: what a page brings along.
///
/// # Errors
/// [`Failure::Failed`] saying what is wrong with the file, or why the other one cannot be written.
pub fn extract(from: &Path, to: &Path) -> Result<(), Failure> {
    let refuse = |error| Failure::failed(format!("{}: {error}", from.display()));
    let (header, tensors) = checkpoint::read(&run::read_bytes(from)?).map_err(refuse)?;
    let network: Vec<_> =
        tensors.into_all().into_iter().filter(|tensor| tensor.name.starts_with("best/")).collect();
    let bytes = checkpoint::write(&Header { more: Value::Null, ..header }, &network);
    checkpoint::file::replace(to, &bytes).map_err(|error| Failure::file("write", to, error))
}

/// How large the network of these tensors is.
fn size(tensors: &[Tensor]) -> Option<NetworkSize> {
    let stem = tensors.iter().find(|tensor| tensor.name == "best/stem.weight")?;
    let blocks = (0..).take_while(|block| {
        let name = format!("best/block.{block}.0.weight");
        tensors.iter().any(|tensor| tensor.name == name)
    });
    let [_, width @ 1..=4096] = stem.shape[..] else { return None };
    Some(NetworkSize { width, blocks: blocks.count() })
}
