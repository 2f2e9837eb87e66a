//! Text files, divided into chunks with random access.

use super::document::{Document, DocumentCallback, ReadBuffers, read_bytes, unreadable, utf8};
use super::{ByteSource, DataError, Holdout, lines, pages};
use std::ops::Range;
use vivarium_kernels::rng::MAX_PERMUTATION;

/// Minimum and maximum size in bytes of the chunks into which a corpus is divided. Chunks exceed the maximum size if
/// the corpus would otherwise have more than [`MAX_CHUNKS`] chunks.
const CHUNK_BYTES: (u64, u64) = (1 << 10, 1 << 16);
/// Target number of chunks into which a corpus is divided.
const CHUNKS: u64 = 1024;
/// Maximum number of files of a corpus, and maximum quotient of its size and its chunk size. Each file is rounded up to
/// whole chunks, so a corpus has at most 2 · `MAX_CHUNKS` chunks: as many as a pseudorandom permutation can shuffle.
const MAX_CHUNKS: u64 = MAX_PERMUTATION as u64 / 2;

/// Format of a text file in a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Plain UTF-8 text.
    Text,
    /// MediaWiki XML export or dump; only articles are read.
    MediaWiki,
}

/// File of a corpus, with its format and the range of chunks into which the file is divided.
struct CorpusFile {
    source: Box<dyn ByteSource>,
    format: Format,
    /// Index, in the whole corpus, of the first chunk of this file.
    first: u32,
    chunks: u32,
}

/// Text files for training, divided into chunks with random access.
pub struct Corpus {
    files: Vec<CorpusFile>,
    chunk_bytes: u64,
}

impl Corpus {
    /// Creates a corpus of `sources` in the given order. Reads only the first bytes of each source.
    ///
    /// # Errors
    /// [`DataError::Empty`] if all sources are empty, [`DataError::TooManyFiles`] for too many sources,
    /// [`DataError::Read`] for an unreadable source, [`DataError::NotUtf8`] if a source begins like UTF-16
    /// text or like a compressed file.
    pub fn new(sources: Vec<Box<dyn ByteSource>>) -> Result<Self, DataError> {
        let bytes: u64 = sources.iter().map(|source| source.len()).sum();
        if bytes == 0 {
            return Err(DataError::Empty);
        }
        let most = MAX_CHUNKS as usize;
        if sources.len() > most {
            return Err(DataError::TooManyFiles { files: sources.len(), most });
        }
        let (least, largest) = CHUNK_BYTES;
        let chunk_bytes = (bytes / CHUNKS).clamp(least, largest).max(bytes.div_ceil(MAX_CHUNKS));
        let mut files = Vec::with_capacity(sources.len());
        let mut first = 0;
        for source in sources {
            let format = format(&*source)?;
            let chunks = source.len().div_ceil(chunk_bytes) as u32;
            files.push(CorpusFile { source, format, first, chunks });
            first += chunks;
        }
        Ok(Self { files, chunk_bytes })
    }

    /// Returns the number of chunks into which the files of the corpus are divided.
    #[must_use]
    pub fn chunks(&self) -> u32 {
        self.files.last().map_or(0, |file| file.first + file.chunks)
    }

    /// Returns the approximate maximum size in bytes of the chunks into which the corpus is divided. A chunk ends at a
    /// line end or at the end of a wiki page.
    #[must_use]
    pub fn chunk_bytes(&self) -> u64 {
        self.chunk_bytes
    }

    /// Returns the total size of all files in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.source.len()).sum()
    }

    /// Returns the rule that selects the validation split: the last tenth of a single text file, otherwise every tenth
    /// chunk of the corpus.
    #[must_use]
    pub fn holdout(&self) -> Holdout {
        match self.files[..] {
            [CorpusFile { format: Format::Text, .. }] => Holdout::Tail { one_in: 10 },
            _ => Holdout::Spread { one_in: 10 },
        }
    }

    /// Calls `each` with each document in the chunk (part of the corpus) with index `chunk`, in the order of the
    /// corpus. The index must be below [`chunks`](Self::chunks).
    ///
    /// # Errors
    /// Any error that `each` returns; [`DataError::Read`] for an unreadable file, [`DataError::NotUtf8`] for invalid
    /// UTF-8, [`DataError::Page`] for an invalid page of a MediaWiki dump.
    pub fn read(
        &self,
        chunk: u32,
        scratch: &mut ReadBuffers,
        mut each: impl FnMut(Document<'_>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let place = self.files.partition_point(|file| file.first <= chunk);
        let file = &self.files[place - 1];
        // All chunks of a file have about the same size. A fraction of the chunks is therefore about the same fraction
        // of the text.
        let nominal =
            |chunk: u32| (u128::from(file.source.len()) * u128::from(chunk) / u128::from(file.chunks)) as u64;
        let range = nominal(chunk - file.first)..nominal(chunk - file.first + 1);
        match file.format {
            Format::Text => read_lines(&*file.source, range, scratch, &mut each),
            Format::MediaWiki => pages::read(&*file.source, range, scratch, &mut each),
        }
    }
}

/// Reads the lines of the file `source` that start at byte offsets in `range`. Passes the text of these lines to the
/// callback `each` as one document.
fn read_lines(
    source: &dyn ByteSource,
    range: Range<u64>,
    scratch: &mut ReadBuffers,
    each: &mut DocumentCallback<'_>,
) -> Result<(), DataError> {
    let mut boundary = |at| lines::boundary(source, at, &mut scratch.bytes);
    let (from, to) = (boundary(range.start), boundary(range.end));
    let (mut from, to) = (from.map_err(|e| unreadable(source, &e))?, to.map_err(|e| unreadable(source, &e))?);
    read_bytes(source, from, to - from, &mut scratch.bytes)?;
    let mut bytes = &scratch.bytes[..];
    if let Some(rest) = bytes.strip_prefix(MARK).filter(|_| from == 0) {
        (bytes, from) = (rest, MARK.len() as u64);
    }
    let text = utf8(source.name(), from, bytes)?;
    if text.is_empty() {
        return Ok(());
    }
    each(Document { text, ends: to == source.len(), file: source.name(), at: from })
}

/// Byte order mark at the start of a UTF-8 file, which is not part of the text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Detects the format of a file from its first bytes.
fn format(source: &dyn ByteSource) -> Result<Format, DataError> {
    let mut head = Vec::new();
    read_bytes(source, 0, source.len().min(256), &mut head)?;
    let hint = match head[..] {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ": the file is UTF-16; save the text as UTF-8",
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] | [0x1f, 0x8b, ..] | [b'P', b'K', 3, 4, ..] => {
            ": the file is compressed; decompress it first"
        }
        _ => {
            let head = head.strip_prefix(MARK).unwrap_or(&head).trim_ascii_start();
            let wiki = head.starts_with(b"<mediawiki")
                || head.starts_with(b"<?xml") && head.windows(10).any(|part| part == b"<mediawiki");
            return Ok(if wiki { Format::MediaWiki } else { Format::Text });
        }
    };
    Err(DataError::NotUtf8 { name: source.name().to_owned(), at: 0, hint })
}
