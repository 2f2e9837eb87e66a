//! Notes of a front end in a checkpoint: entries of the file's metadata beside the experiment's own.

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
    let data = LENGTH + length(bytes);
    let metadata = header.entry(METADATA).or_insert_with(|| Value::Object(Map::new()));
    let Some(entries) = metadata.as_object_mut() else { return };
    entries.insert(name.to_owned(), text.into());
    let mut start = vec![0; LENGTH];
    start.extend(Value::Object(header).to_string().into_bytes());
    start.resize(start.len().next_multiple_of(ALIGNMENT), b' ');
    let length = (start.len() - LENGTH) as u64;
    start[..LENGTH].copy_from_slice(&length.to_le_bytes());
    bytes.splice(..data, start);
}

/// Reads the note of a name from a safetensors file, of which only the header is read; `None` if it has no such note.
///
/// # Errors
/// Those of the reader.
pub fn read_note(file: &mut dyn Read, name: &str) -> io::Result<Option<String>> {
    let header = read_header(file)?;
    Ok(header.and_then(|header| Some(header.get(METADATA)?.get(name)?.as_str()?.to_owned())))
}

/// The header's length as the first bytes of a file say it.
fn length(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(0, |length| u64::from_le_bytes(*length) as usize)
}

/// The header of a file; `None` where it has none.
fn read_header(file: &mut dyn Read) -> io::Result<Option<Map<String, Value>>> {
    let mut bytes = Vec::new();
    file.take(LENGTH as u64).read_to_end(&mut bytes)?;
    let length = length(&bytes) as u64;
    if length > LONGEST_HEADER {
        return Ok(None);
    }
    bytes.clear();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes).ok().filter(|_| bytes.len() as u64 == length))
}
