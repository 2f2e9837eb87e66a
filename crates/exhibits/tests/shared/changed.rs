//! Checkpoints that somebody has changed.

use vivarium_lab::checkpoint::{self, Header, Tensor};

/// A checkpoint with its header or tensors changed.
pub fn changed(bytes: &[u8], change: impl FnOnce(&mut Header, &mut Vec<Tensor>)) -> Vec<u8> {
    let (mut header, found) = checkpoint::read(bytes).unwrap();
    let mut tensors = found.into_vec();
    change(&mut header, &mut tensors);
    checkpoint::write(&header, &tensors)
}
