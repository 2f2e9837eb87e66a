//! Modified checkpoints.

use vivarium_lab::checkpoint::{self, Header, Tensor};

/// Returns the checkpoint with a modified header or modified tensors, and valid checksums.
pub fn changed(bytes: &[u8], change: impl FnOnce(&mut Header, &mut Vec<Tensor>)) -> Vec<u8> {
    let (mut header, found) = checkpoint::read(bytes).unwrap();
    let mut tensors = found.into_vec();
    change(&mut header, &mut tensors);
    checkpoint::write(&header, &tensors)
}
