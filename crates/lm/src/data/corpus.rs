//! All text there is, in pieces.

use super::document::{Document, Each, Scratch, read_bytes, unreadable, utf8};
use super::{DataError, Holdout, Source, lines, pages};
use vivarium_kernels::rng::MAX_PERMUTATION;

/// The smallest piece and the largest, in bytes, as long as there are not too many.
const PIECE_BYTES: (u64, u64) = (1 << 10, 1 << 16);
/// A text has about this many pieces if their size allows.
const PIECES: u64 = 1024;
/// So many pieces can be put into an order; each file's last one is counted apart.
const MOST_PIECES: u64 = MAX_PERMUTATION as u64 / 2;

/// How a file holds its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As it is.
    Text,
    /// As an export or a dump of a wiki, of which the articles are taken.
    MediaWiki,
}

struct File {
    source: Box<dyn Source>,
    format: Format,
    /// The number of its first piece.
    first: u32,
    pieces: u32,
}

/// Files in pieces, any of which can be read.
pub struct Corpus {
    files: Vec<File>,
    piece_bytes: u64,
}

impl Corpus {
    /// The text of these sources, in this order.
    ///
    /// # Errors
    /// [`DataError::Empty`], [`DataError::TooManyFiles`], [`DataError::Read`]; and [`DataError::NotUtf8`] for what can be
    /// seen from the first bytes, such as UTF-16 or a packed file.
    pub fn new(sources: Vec<Box<dyn Source>>) -> Result<Self, DataError> {
        let bytes: u64 = sources.iter().map(|source| source.len()).sum();
        if bytes == 0 {
            return Err(DataError::Empty);
        }
        let most = MOST_PIECES as usize;
        if sources.len() > most {
            return Err(DataError::TooManyFiles { files: sources.len(), most });
        }
        let (least, largest) = PIECE_BYTES;
        let piece_bytes = (bytes / PIECES).clamp(least, largest).max(bytes.div_ceil(MOST_PIECES));
        let mut files = Vec::with_capacity(sources.len());
        let mut first = 0;
        for source in sources {
            let format = format(&*source)?;
            let pieces = source.len().div_ceil(piece_bytes) as u32;
            files.push(File { source, format, first, pieces });
            first += pieces;
        }
        Ok(Self { files, piece_bytes })
    }

    /// How many pieces there are.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.files.last().map_or(0, |file| file.first + file.pieces)
    }

    /// About how many bytes a piece has at most.
    #[must_use]
    pub fn piece_bytes(&self) -> u64 {
        self.piece_bytes
    }

    /// How many bytes all files have together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.source.len()).sum()
    }

    /// One in ten pieces for validation: the last ones of a single text, of many documents some from everywhere.
    #[must_use]
    pub fn holdout(&self) -> Holdout {
        match self.files[..] {
            [File { format: Format::Text, .. }] => Holdout::Tail { one_in: 10 },
            _ => Holdout::Spread { one_in: 10 },
        }
    }

    /// Hands the documents of a piece to `each`, in order. `piece` must be below [`pieces`](Self::pieces).
    ///
    /// # Errors
    /// What `each` says, and [`DataError::Read`], [`DataError::NotUtf8`] or [`DataError::Page`].
    pub fn read(
        &self,
        piece: u32,
        scratch: &mut Scratch,
        mut each: impl FnMut(Document<'_>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let place = self.files.partition_point(|file| file.first <= piece);
        let file = &self.files[place - 1];
        // Pieces of one size, so that a share of the pieces is that share of the text.
        let nominal =
            |piece: u32| (u128::from(file.source.len()) * u128::from(piece) / u128::from(file.pieces)) as u64;
        let (from, to) = (nominal(piece - file.first), nominal(piece - file.first + 1));
        match file.format {
            Format::Text => read_lines(&*file.source, from, to, scratch, &mut each),
            Format::MediaWiki => pages::read(&*file.source, from, to, scratch, &mut each),
        }
    }
}

/// The lines of plain text that begin in `from..to`, as one document.
fn read_lines(
    source: &dyn Source,
    from: u64,
    to: u64,
    scratch: &mut Scratch,
    each: &mut Each<'_>,
) -> Result<(), DataError> {
    let mut boundary = |at| lines::boundary(source, at, &mut scratch.bytes);
    let (from, to) = (boundary(from), boundary(to));
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

/// The byte order mark that some programs put before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// What a file is, from its first bytes.
fn format(source: &dyn Source) -> Result<Format, DataError> {
    let mut head = Vec::new();
    read_bytes(source, 0, source.len().min(256), &mut head)?;
    let hint = match head[..] {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ": it is UTF-16; save the text as UTF-8",
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] | [0x1f, 0x8b, ..] | [b'P', b'K', 3, 4, ..] => {
            ": it is packed; unpack it first"
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
