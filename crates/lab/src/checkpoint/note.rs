//! Notes of a front end in a checkpoint: entries of the file's metadata beside the experiment's own.

use super::checksum;
use serde_json::{Map, Value};
use std::io::{self, Read};

/// What the format calls its metadata.
const METADATA: &str = "__metadata__";

/// Bytes of the number before the header: the header's length, little-endian.
const LENGTH: usize = 8;

/// The data begins at a multiple of this.
const ALIGNMENT: usize = 8;

/// The longest header that the format allows, in bytes.
const LONGEST_HEADER: u64 = 100_000_000;

/// Adds a note to the bytes of a safetensors file, in place of any other of this name. Bytes that are none stay as they are.
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

/// Reads the note of a name from a safetensors file, of which only the header is read; `None` if it has no such note or its
/// header is damaged.
///
/// # Errors
/// Those of the reader.
pub fn read_note(file: &mut dyn Read, name: &str) -> io::Result<Option<String>> {
    let header = read_header(file)?;
    Ok(header.and_then(|header| Some(header.get(METADATA)?.get(name)?.as_str()?.to_owned())))
}

/// Where the data begin in a file, as its first bytes say it; in a file that was cut short, its end.
pub(super) fn data_start(bytes: &[u8]) -> usize {
    (length(bytes).saturating_add(LENGTH as u64)).min(bytes.len() as u64) as usize
}

/// The header's length as the first bytes of a file say it.
fn length(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |length| u64::from_le_bytes(*length))
}

/// The header of a file; `None` where it has none, or one that was changed since it was written.
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
