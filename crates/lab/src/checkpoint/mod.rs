//! Checkpoints: the whole state of a run as one `safetensors` file.
//!
//! The file's metadata has an entry, `vivarium`, that holds checksums and a [`Header`] as JSON, and possibly others that a
//! front end adds ([`add_note`]), which no experiment reads. A file is read completely and judged before anything is made of
//! it, so that a bad one changes nothing.

mod checksum;
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

/// The version that this program writes. It reads earlier ones as well.
///
/// | version | what changed |
/// | --- | --- |
/// | 1 | |
/// | 2 | has checksums |
///
/// A config field that a file lacks is one that the program that wrote it did not know: the field takes its default. (A damaged
/// file is recognized by its checksums.)
pub const FORMAT_VERSION: u32 = 2;

/// The first version that has checksums.
const FIRST_CHECKED: u32 = 2;

/// The key of the metadata entry.
const KEY: &str = "vivarium";

/// What a checkpoint says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT_VERSION`] of the program that wrote it first.
    pub format_version: u32,
    /// The registered name.
    pub experiment: String,
    /// The whole config.
    pub config: Value,
    /// The seed of the run.
    pub seed: u64,
    /// Steps so far.
    pub steps: u64,
    /// What else the experiment remembers, in words of its own; null where that is nothing.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub more: Value,
}

/// The bytes of a checkpoint; equal states give equal bytes.
#[must_use]
pub fn write(header: &Header, tensors: &[Tensor]) -> Vec<u8> {
    let text = serde_json::to_string(header).unwrap_or_default();
    let text = text.replacen('{', &format!("{{{},", checksum::FIELD), 1);
    let metadata = [(KEY.to_owned(), text)].into_iter().collect();
    let named = tensors.iter().map(|tensor| (tensor.name.as_str(), tensors::SerializedTensor(tensor)));
    // It fails for a header beyond 100 MB or a shape that does not match its data, neither of which can be here.
    let mut bytes =
        safetensors::serialize(named, Some(metadata)).expect("tensors whose shapes match their data");
    let data = note::data_start(&bytes);
    checksum::stamp(&mut bytes, data);
    bytes
}

/// Reads the header alone: what experiment a file belongs to.
///
/// # Errors
/// [`LabError::Checkpoint`] saying what is wrong with the file.
pub fn read_header(bytes: &[u8]) -> Result<Header, LabError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| damaged(bytes, &error))?;
    let is_checked = checksum::check_header(&bytes[..note::data_start(bytes)])?;
    let text = metadata.metadata().as_ref().and_then(|entries| entries.get(KEY)).ok_or_else(|| {
        LabError::checkpoint(
            "this is a safetensors file, but not one of Vivarium's: its metadata has no vivarium entry",
        )
    })?;
    let broken = |error: serde_json::Error| {
        LabError::checkpoint(format!("its vivarium entry cannot be read: {error}"))
    };
    let entry: Value = serde_json::from_str(text).map_err(broken)?;
    // The version comes first: a later one may have other fields.
    let version = &entry["format_version"];
    if !version.as_u64().is_some_and(|version| (1..=FORMAT_VERSION.into()).contains(&version)) {
        return Err(LabError::checkpoint(format!(
            "it is of format version {version}; this program reads versions 1 to {FORMAT_VERSION}"
        )));
    }
    let header: Header = serde_json::from_value(entry).map_err(broken)?;
    if header.format_version >= FIRST_CHECKED && !is_checked {
        return Err(LabError::checkpoint("it is damaged: it has no checksum"));
    }
    Ok(header)
}

/// Reads a whole file.
///
/// # Errors
/// [`LabError::Checkpoint`] saying what is wrong with it.
pub fn read(bytes: &[u8]) -> Result<(Header, Tensors), LabError> {
    let header = read_header(bytes)?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(bytes, &error))?;
    let (start, data) = bytes.split_at(note::data_start(bytes));
    checksum::check_data(start, data)?;
    Ok((header, Tensors::read(&file)?))
}

/// Says in words what the format's reader found.
fn damaged(bytes: &[u8], error: &SafeTensorError) -> LabError {
    let reason = match error {
        _ if bytes.is_empty() => "it is empty".into(),
        SafeTensorError::HeaderTooSmall
        | SafeTensorError::InvalidHeaderLength
        | SafeTensorError::MetadataIncompleteBuffer => "it is cut short or not a safetensors file".into(),
        SafeTensorError::HeaderTooLarge
        | SafeTensorError::InvalidHeader(_)
        | SafeTensorError::InvalidHeaderDeserialization(_) => "it is not a safetensors file".into(),
        other => format!("its tensors do not fit together: {other}"),
    };
    LabError::checkpoint(format!("{reason} ({} bytes)", bytes.len()))
}
