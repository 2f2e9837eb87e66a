//! Documents of a chunk, and reading of their bytes.

use super::{ByteSource, DataError};

/// Part of a training document that lies within one chunk of the corpus.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Text of the document within one chunk of the corpus.
    pub text: &'a str,
    /// Whether the document ends within the chunk. If not, the next chunk of the corpus continues the document.
    pub ends: bool,
    /// Name of the file that contains the document.
    pub file: &'a str,
    /// Byte offset in the file at which `text`, or the wiki page that contains `text`, starts.
    pub at: u64,
}

/// Callback that receives the documents of a chunk of the corpus one by one. If the callback returns an error, no
/// further document is read.
pub(super) type DocumentCallback<'a> = dyn FnMut(Document<'_>) -> Result<(), DataError> + 'a;

/// Buffers for the bytes and the text of one chunk of a corpus, which [`Corpus::read`](super::Corpus::read) reuses to
/// avoid allocations.
#[derive(Default)]
pub struct ReadBuffers {
    pub(super) bytes: Vec<u8>,
    pub(super) page: String,
    pub(super) text: String,
}

pub(super) fn unreadable(source: &dyn ByteSource, error: &std::io::Error) -> DataError {
    DataError::Read { name: source.name().to_owned(), problem: error.to_string() }
}

/// Reads `len` bytes of the file `source` from byte offset `from` on, and replaces the content of `bytes` by these
/// bytes.
pub(super) fn read_bytes(
    source: &dyn ByteSource,
    from: u64,
    len: u64,
    bytes: &mut Vec<u8>,
) -> Result<(), DataError> {
    bytes.resize(len as usize, 0);
    source.read_at(from, bytes).map_err(|error| unreadable(source, &error))
}

/// Decodes UTF-8. `name` is the name of the file and `at` the byte offset of `bytes` in the file, for the error
/// message.
pub(super) fn utf8<'a>(name: &str, at: u64, bytes: &'a [u8]) -> Result<&'a str, DataError> {
    str::from_utf8(bytes).map_err(|error| {
        let at = at + error.valid_up_to() as u64;
        DataError::NotUtf8 { name: name.to_owned(), at, hint: "; save the text as UTF-8" }
    })
}
