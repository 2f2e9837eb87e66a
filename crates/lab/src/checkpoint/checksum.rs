//! Checksums of a checkpoint: CRC-32C of the file's header and of the tensor data.
//!
//! The metadata entry `vivarium` begins with both checksums as 16 hexadecimal digits: eight of the header, then eight
//! of the data. The header's checksum covers all header bytes from the first byte of the file, with zeros in place of
//! its own digits.

use crate::error::LabError;
use std::ops::Range;
use vivarium_kernels::crc32c::{append, crc32c};

/// Key of the safetensors metadata entry that holds the checksums and the run's metadata
/// ([`Header`](super::Header): experiment, config, seed, progress) as JSON.
pub(super) const KEY: &str = "vivarium";

/// Number of hexadecimal digits in which one CRC-32C checksum is written: 8.
const DIGITS: usize = 8;

/// JSON field that holds both checksums of a checkpoint, all digits 0 until the checksums are computed. The field must
/// be the first of the metadata entry, because [`place`] searches for the beginning of the entry.
pub(super) const FIELD: &str = r#""checksum":"0000000000000000""#;

/// Returns the byte range of the header checksum's digits within `header`, or `None` if the file has no checksums. The
/// digits of the tensor data's checksum follow directly after this range.
fn place(header: &[u8]) -> Option<Range<usize>> {
    // An unescaped quotation mark delimits a string in JSON, so only the entry itself can match.
    let before = format!(r#""{KEY}":"{{\"checksum\":\""#);
    let start = header.windows(before.len()).position(|part| part == before.as_bytes())? + before.len();
    (start + 2 * DIGITS <= header.len()).then_some(start..start + DIGITS)
}

fn digits(checksum: u32) -> [u8; DIGITS] {
    std::array::from_fn(|digit| b"0123456789abcdef"[(checksum >> (28 - 4 * digit)) as usize & 15])
}

/// Computes the checksum of a checkpoint's header, in which the byte range `place` (the header checksum's own digits)
/// counts as zeros. Returns the checksum as hexadecimal digits.
fn of_header(header: &[u8], place: &Range<usize>) -> [u8; DIGITS] {
    let before = append(crc32c(&header[..place.start]), &[b'0'; DIGITS]);
    digits(append(before, &header[place.end..]))
}

/// Computes the checksum of a checkpoint's header (8 length bytes, then JSON), and writes its digits to the checksum
/// field of the header. Does nothing if the header has no checksum field.
pub(super) fn stamp_header(header: &mut [u8]) {
    if let Some(place) = place(header) {
        let checksum = of_header(header, &place);
        header[place].copy_from_slice(&checksum);
    }
}

/// Computes the checksums of a checkpoint's header and tensor data, and writes both to the header's checksum field.
/// `file` holds the bytes of the checkpoint; `header` is the length of its header in bytes.
pub(super) fn stamp(file: &mut [u8], header: usize) {
    let (header, data) = file.split_at_mut(header);
    if let Some(place) = place(header) {
        header[place.end..place.end + DIGITS].copy_from_slice(&digits(crc32c(data)));
    }
    stamp_header(header);
}

/// Verifies the checksum of a checkpoint's header. Returns whether the header contains a checksum; files of format
/// version 1 do not.
///
/// # Errors
/// [`LabError::Checkpoint`] if the checksum does not match.
pub(super) fn check_header(header: &[u8]) -> Result<bool, LabError> {
    match place(header) {
        None => Ok(false),
        Some(place) if header[place.clone()] == of_header(header, &place) => Ok(true),
        Some(_) => Err(damaged("header")),
    }
}

/// Verifies the checksum of a checkpoint's tensor data against the digits in `header`, which has been verified before.
///
/// # Errors
/// [`LabError::Checkpoint`] if the checksum does not match.
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
