//! What tables of all kinds share: the pace at which what was decided is done, and files with a network alone.

use crate::checkpoint::{self, Header, Tensor, Tensors};
use crate::error::LabError;
use crate::info::Schema;
use crate::protocol::Reply;

/// The longest pace, in seconds.
const LONGEST_PACE: f32 = 60.0;

/// The largest file with a network that is opened, in bytes.
const LARGEST_FILE: usize = 64 << 20;

/// Refuses a pace that nobody would wait for.
///
/// # Errors
/// [`LabError::Invalid`] saying what is allowed.
pub fn check_pace(seconds: Option<f32>) -> Result<Option<f32>, LabError> {
    match seconds.filter(|seconds| !(0.0..=LONGEST_PACE).contains(seconds)) {
        None => Ok(seconds),
        Some(seconds) => {
            let allowed = format!("seconds from 0 to {LONGEST_PACE}, or none to wait for a person");
            Err(LabError::invalid("pace", seconds.to_string(), allowed))
        }
    }
}

/// What a file with a network of an experiment holds, be it a whole run or the network alone. Its config is whole
/// and checked.
///
/// # Errors
/// [`LabError::Checkpoint`] saying what is wrong with it.
pub fn open_network(schema: &Schema, bytes: &[u8]) -> Result<(Header, Tensors), LabError> {
    if bytes.len() > LARGEST_FILE {
        let most = LARGEST_FILE >> 20;
        return Err(LabError::checkpoint(format!("it is larger than {most} MiB, which no network here is")));
    }
    let (header, tensors) = checkpoint::read(bytes)?;
    if header.experiment != schema.name {
        let message = format!("it is one of {}, and this is {}", header.experiment, schema.name);
        return Err(LabError::checkpoint(message));
    }
    let config = schema.config_of(&header)?;
    Ok((Header { config, ..header }, tensors))
}

/// A network alone as a file for a person to keep.
pub fn network_file(header: &Header, tensors: &[Tensor]) -> Reply {
    Reply::File {
        name: format!("{}-player.safetensors", header.experiment),
        mime: "application/octet-stream".into(),
        bytes: checkpoint::write(header, tensors),
    }
}
