//! The documents of a piece, and how their bytes are read.

use super::{DataError, Source};

/// A document, or the part of it that lies in a piece.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The text.
    pub text: &'a str,
    /// Whether it ends here.
    pub ends: bool,
    /// The file that it is in.
    pub file: &'a str,
    /// Where in the file it begins.
    pub at: u64,
}

/// What is given each document of a piece.
pub(super) type Each<'a> = dyn FnMut(Document<'_>) -> Result<(), DataError> + 'a;

/// Memory for reading, kept from piece to piece.
#[derive(Default)]
pub struct Scratch {
    pub(super) bytes: Vec<u8>,
    pub(super) page: String,
    pub(super) text: String,
}

pub(super) fn unreadable(source: &dyn Source, error: &std::io::Error) -> DataError {
    DataError::Read { name: source.name().to_owned(), problem: error.to_string() }
}

/// Bytes of a source in place of what was in `bytes`.
pub(super) fn read_bytes(
    source: &dyn Source,
    from: u64,
    len: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), DataError> {
    bytes.resize(len as usize, 0);
    source.read_at(from, bytes).map_err(|error| unreadable(source, &error))
}

/// Bytes that begin at `at` of a file, as text.
pub(super) fn utf8<'a>(name: &str, at: u64, bytes: &'a [u8]) -> Result<&'a str, DataError> {
    str::from_utf8(bytes).map_err(|error| {
        let at = at + error.valid_up_to() as u64;
        DataError::NotUtf8 { name: name.to_owned(), at, hint: "; save the text as UTF-8" }
    })
}
