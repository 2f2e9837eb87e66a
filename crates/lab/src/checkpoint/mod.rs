//! Checkpoints: the complete state of a run as one `safetensors` file.
//!
//! The file's metadata entry `vivarium` holds checksums and a [`Header`] as JSON. Front ends may add entries
//! ([`add_note`]), which experiments ignore. A file is read and validated completely before it is used, so an invalid
//! file changes nothing.

mod checksum;
pub mod evaluation;
#[cfg(not(target_arch = "wasm32"))]
pub mod file;
mod note;
mod tensors;

pub use note::{add_note, read_note};
pub use tensors::{Tensor, TensorData, Tensors, check_min_values, flat};

use crate::error::LabError;
use safetensors::{SafeTensors, tensor::SafeTensorError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, Read};

/// Format version that this program writes. Earlier versions are readable.
///
/// | version | change |
/// | --- | --- |
/// | 1 | initial format |
/// | 2 | checksums, which detect damaged files |
///
/// A config field that is missing in a file takes its default: the file was written by a program version without this
/// field.
pub const FORMAT_VERSION: u32 = 2;

/// First format version of checkpoint files that contain checksums.
const FIRST_CHECKED: u64 = 2;

/// Metadata of a checkpoint: name of the experiment, config, seed, number of training steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Registered name of the experiment that the checkpoint was saved from, such as `cartpole`.
    pub experiment: String,
    /// Complete config of the saved run.
    pub config: Value,
    /// Seed of the random numbers of the saved run.
    pub seed: u64,
    /// Number of training steps of the saved run, in the unit of [`Progress::steps`](crate::protocol::Progress::steps).
    pub steps: u64,
    /// Additional metadata whose format the experiment defines; null if the experiment has none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub more: Value,
}

/// Serializes a checkpoint in format version [`FORMAT_VERSION`]. Equal states give equal bytes.
#[must_use]
pub fn write(header: &Header, tensors: &[Tensor]) -> Vec<u8> {
    let text = serde_json::to_string(header).unwrap_or_default();
    let text = text.replacen('{', &format!("{{{},\"format_version\":{FORMAT_VERSION},", checksum::FIELD), 1);
    let metadata = [(checksum::KEY.to_owned(), text)].into_iter().collect();
    let named = tensors.iter().map(|tensor| (tensor.name.as_str(), tensors::SerializedTensor(tensor)));
    // Serialization fails only for headers above 100 MB and for shapes that do not match their data.
    let mut bytes =
        safetensors::serialize(named, Some(metadata)).expect("the tensors' shapes match their data");
    let data = note::data_start(&bytes);
    checksum::stamp(&mut bytes, data);
    bytes
}

/// Reads the header of a checkpoint file, without the tensors.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid.
pub fn read_header(bytes: &[u8]) -> Result<Header, LabError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| damaged(bytes, &error))?;
    let is_checked = checksum::check_header(&bytes[..note::data_start(bytes)])?;
    let text =
        metadata.metadata().as_ref().and_then(|entries| entries.get(checksum::KEY)).ok_or_else(|| {
            LabError::checkpoint(
                "the safetensors file is not one of Vivarium's: its metadata has no entry vivarium",
            )
        })?;
    let broken = |error: serde_json::Error| {
        LabError::checkpoint(format!("its metadata entry vivarium is invalid: {error}"))
    };
    let entry: Value = serde_json::from_str(text).map_err(broken)?;
    // Check the version first, because later versions may have other fields.
    let version = &entry["format_version"];
    let Some(known) = version.as_u64().filter(|version| (1..=FORMAT_VERSION.into()).contains(version)) else {
        return Err(LabError::checkpoint(format!(
            "it has format version {version}; this program reads versions 1 to {FORMAT_VERSION}"
        )));
    };
    if known >= FIRST_CHECKED && !is_checked {
        return Err(LabError::checkpoint("it is damaged: it has no checksum"));
    }
    serde_json::from_value(entry).map_err(broken)
}

/// Reads the number of training steps from the header of a checkpoint file; `None` if the header is damaged.
///
/// # Errors
/// I/O errors of `file`.
pub fn read_steps(file: &mut dyn Read) -> io::Result<Option<u64>> {
    let entry = read_note(file, checksum::KEY)?;
    Ok(entry.and_then(|text| serde_json::from_str::<Header>(&text).ok()).map(|header| header.steps))
}

/// Reads the header and the tensors of a checkpoint file, and verifies the checksums.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid.
pub fn read(bytes: &[u8]) -> Result<(Header, Tensors), LabError> {
    let header = read_header(bytes)?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(bytes, &error))?;
    let (start, data) = bytes.split_at(note::data_start(bytes));
    checksum::check_data(start, data)?;
    Ok((header, Tensors::read(&file)?))
}

/// Reads the tensors of any safetensors file, such as a file of another program, without header and checksums.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid.
pub fn read_tensors(bytes: &[u8]) -> Result<Tensors, LabError> {
    Tensors::read(&SafeTensors::deserialize(bytes).map_err(|error| damaged(bytes, &error))?)
}

/// Serializes tensors as a safetensors file for other programs, without header and checksums. `metadata` are pairs of
/// key and text.
#[must_use]
pub fn write_tensors(tensors: &[Tensor], metadata: &[(&str, &str)]) -> Vec<u8> {
    let metadata = metadata.iter().map(|&(key, text)| (key.to_owned(), text.to_owned())).collect();
    let named = tensors.iter().map(|tensor| (tensor.name.as_str(), tensors::SerializedTensor(tensor)));
    safetensors::serialize(named, Some(metadata)).expect("the tensors' shapes match their data")
}

/// Converts an error of the safetensors reader to a user-facing error, which also states the size of the file. `bytes`
/// is the content of the file.
fn damaged(bytes: &[u8], error: &SafeTensorError) -> LabError {
    let reason = match error {
        _ if bytes.is_empty() => "it is empty".into(),
        SafeTensorError::HeaderTooSmall
        | SafeTensorError::InvalidHeaderLength
        | SafeTensorError::MetadataIncompleteBuffer => "it is truncated or not a safetensors file".into(),
        SafeTensorError::HeaderTooLarge
        | SafeTensorError::InvalidHeader(_)
        | SafeTensorError::InvalidHeaderDeserialization(_) => "it is not a safetensors file".into(),
        other => format!("its tensors are inconsistent: {other}"),
    };
    LabError::checkpoint(format!("{reason} ({} bytes)", bytes.len()))
}
