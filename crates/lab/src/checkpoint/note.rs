//! Notes: additional metadata entries of a checkpoint, written by front ends.

use super::checksum;
use serde_json::{Map, Value};
use std::io::{self, Read};

/// JSON key, in the header of a safetensors file, of the object that holds all metadata entries.
const METADATA: &str = "__metadata__";

/// Size in bytes of the field at the start of a safetensors file that holds the header length (little-endian u64).
const LENGTH: usize = 8;

/// Alignment of the tensor data in a safetensors file, in bytes.
const ALIGNMENT: usize = 8;

/// Maximum header length that the safetensors format allows, in bytes.
const LONGEST_HEADER: u64 = 100_000_000;

/// Adds a note (a metadata entry with the key `name` and the value `text`) to a safetensors file, or replaces the note
/// of this name. `bytes` is the content of the file. Does nothing if the content is invalid.
pub fn add_note(bytes: &mut Vec<u8>, name: &str, text: &str) {
    let Ok(Some(mut header)) = read_header(&mut bytes.as_slice()) else { return };
    let data = data_start(bytes);
    let metadata = header.entry(METADATA).or_insert_with(|| Value::Object(Map::new()));
    let Some(entries) = metadata.as_object_mut() else { return };
    entries.insert(name.to_owned(), text.into());
    let mut start = vec![0; LENGTH];
    start.extend(Value::Object(header).to_string().into_bytes());
    start.resize(start.len().next_multiple_of(ALIGNMENT), b' ');
    let length = (start.len() - LENGTH) as u64;
    start[..LENGTH].copy_from_slice(&length.to_le_bytes());
    checksum::stamp_header(&mut start);
    bytes.splice(..data, start);
}

/// Reads the note (a metadata entry) with the key `name` from the header of a safetensors file. Returns `None` if the
/// file has no such note or the header is damaged.
///
/// # Errors
/// I/O errors of `file`.
pub fn read_note(file: &mut dyn Read, name: &str) -> io::Result<Option<String>> {
    let header = read_header(file)?;
    Ok(header.and_then(|header| Some(header.get(METADATA)?.get(name)?.as_str()?.to_owned())))
}

/// Returns the byte offset at which the tensor data starts in a safetensors file, as its header length states; at most
/// the length of the file.
pub(super) fn data_start(bytes: &[u8]) -> usize {
    (length(bytes).saturating_add(LENGTH as u64)).min(bytes.len() as u64) as usize
}

/// Reads the header length of a safetensors file from its first 8 bytes.
fn length(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |length| u64::from_le_bytes(*length))
}

/// Reads the header of a safetensors file and verifies its checksum. Returns `None` if the header is missing or
/// damaged.
fn read_header(file: &mut dyn Read) -> io::Result<Option<Map<String, Value>>> {
    let mut bytes = Vec::new();
    file.take(LENGTH as u64).read_to_end(&mut bytes)?;
    let length = length(&bytes);
    if length > LONGEST_HEADER {
        return Ok(None);
    }
    file.take(length).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 == LENGTH as u64 + length && checksum::check_header(&bytes).is_ok();
    Ok(bytes.get(LENGTH..).filter(|_| is_whole).and_then(|text| serde_json::from_slice(text).ok()))
}
