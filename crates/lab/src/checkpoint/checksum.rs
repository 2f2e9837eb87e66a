//! Checksums of a checkpoint: one over the file's header, from its first byte on, and one over the data of the tensors.
//!
//! They stand at the beginning of Vivarium's metadata entry as 16 hexadecimal digits, the header's eight before the data's.
//! The header's checksum is that of the header with zeros in place of its own digits.

use super::KEY;
use crate::error::LabError;
use std::ops::Range;
use vivarium_kernels::crc32c::{append, crc32c};

/// Digits of each of the two.
const DIGITS: usize = 8;

/// The entry's first field before the checksums are known. It must stand first: where it is found, nothing else can be.
pub(super) const FIELD: &str = r#""checksum":"0000000000000000""#;

/// Where the header's digits are in the bytes of a file's header; those of the data follow. `None` for a file without.
fn place(header: &[u8]) -> Option<Range<usize>> {
    // In a JSON text, a quotation mark without a backslash before it is a string's first or last: this can only be the entry.
    let before = format!(r#""{KEY}":"{{\"checksum\":\""#);
    let start = header.windows(before.len()).position(|part| part == before.as_bytes())? + before.len();
    (start + 2 * DIGITS <= header.len()).then_some(start..start + DIGITS)
}

fn digits(checksum: u32) -> [u8; DIGITS] {
    std::array::from_fn(|digit| b"0123456789abcdef"[(checksum >> (28 - 4 * digit)) as usize & 15])
}

/// The checksum of a header, which has its own digits at `place`.
fn of_header(header: &[u8], place: &Range<usize>) -> [u8; DIGITS] {
    let before = append(crc32c(&header[..place.start]), &[b'0'; DIGITS]);
    digits(append(before, &header[place.end..]))
}

/// Writes the header's checksum into a header (the 8 bytes of its length, then its text), where it has a place for it.
pub(super) fn stamp_header(header: &mut [u8]) {
    if let Some(place) = place(header) {
        let checksum = of_header(header, &place);
        header[place].copy_from_slice(&checksum);
    }
}

/// Writes both checksums into a file, whose first `header` bytes are its header.
pub(super) fn stamp(file: &mut [u8], header: usize) {
    let (header, data) = file.split_at_mut(header);
    if let Some(place) = place(header) {
        header[place.end..place.end + DIGITS].copy_from_slice(&digits(crc32c(data)));
    }
    stamp_header(header);
}

/// Whether a header has a checksum, which must be its own.
///
/// # Errors
/// [`LabError::Checkpoint`] for a header that was changed.
pub(super) fn check_header(header: &[u8]) -> Result<bool, LabError> {
    match place(header) {
        None => Ok(false),
        Some(place) if header[place.clone()] == of_header(header, &place) => Ok(true),
        Some(_) => Err(damaged("header")),
    }
}

/// Checks the data after a header that has been found sound.
///
/// # Errors
/// [`LabError::Checkpoint`] for data that was changed.
pub(super) fn check_data(header: &[u8], data: &[u8]) -> Result<(), LabError> {
    match place(header) {
        Some(place) if header[place.end..place.end + DIGITS] != digits(crc32c(data)) => {
            Err(damaged("tensors"))
        }
        _ => Ok(()),
    }
}

fn damaged(part: &str) -> LabError {
    LabError::checkpoint(format!("it is damaged: the checksum of its {part} does not match"))
}
