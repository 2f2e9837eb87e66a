//! Checkpoints with modified content.

use vivarium_lab::checkpoint::{self, Header, Tensor};

/// Returns the checkpoint `bytes` after `change` has modified its header or tensors, with valid checksums.
pub fn changed(bytes: &[u8], change: impl FnOnce(&mut Header, &mut Vec<Tensor>)) -> Vec<u8> {
    let (mut header, found) = checkpoint::read(bytes).unwrap();
    let mut tensors = found.into_vec();
    change(&mut header, &mut tensors);
    checkpoint::write(&header, &tensors)
}
