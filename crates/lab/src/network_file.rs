//! Weights-only network files, and validation of the playback interval of games.

use crate::checkpoint::{self, Header, Tensor, Tensors};
use crate::error::LabError;
use crate::info::Schema;
use crate::protocol::Reply;

/// Maximum playback interval (time between two displayed moves), in seconds.
const LONGEST_PACE: f32 = 60.0;

/// Maximum size in bytes of a file from which a network is loaded.
const LARGEST_FILE: usize = 64 << 20;

/// Validates a playback interval, the time in seconds between two displayed moves; `None` stands for manual playback.
///
/// # Errors
/// [`LabError::Invalid`] with the allowed range.
pub fn check_pace(seconds: Option<f32>) -> Result<Option<f32>, LabError> {
    match seconds.filter(|seconds| !(0.0..=LONGEST_PACE).contains(seconds)) {
        None => Ok(seconds),
        Some(seconds) => {
            let allowed = format!("must be 0 to {LONGEST_PACE} seconds, or none for manual playback");
            Err(LabError::invalid("pace", seconds.to_string(), allowed))
        }
    }
}

/// Reads a file with a network of the experiment `schema`: a checkpoint of a run, or a file with weights only. The
/// returned config is complete and validated.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid, too large or of another experiment.
pub fn open_network(schema: &Schema, bytes: &[u8]) -> Result<(Header, Tensors), LabError> {
    if bytes.len() > LARGEST_FILE {
        let most = LARGEST_FILE >> 20;
        return Err(LabError::checkpoint(format!(
            "the file is larger than {most} MiB, the maximum for networks"
        )));
    }
    let (header, tensors) = checkpoint::read(bytes)?;
    if header.experiment != schema.name {
        let message =
            format!("it belongs to {}; a checkpoint of {} is required", header.experiment, schema.name);
        return Err(LabError::checkpoint(message));
    }
    let config = schema.config_of(&header)?;
    Ok((Header { config, ..header }, tensors))
}

/// Creates the reply to a user command that exports a network: a file to download. The file contains `header` and
/// `tensors`, the weights of the network, without the state that only training needs.
pub fn network_file(header: &Header, tensors: &[Tensor]) -> Reply {
    Reply::File {
        name: format!("{}-player.safetensors", header.experiment),
        mime: "application/octet-stream".into(),
        bytes: checkpoint::write(header, tensors),
    }
}
