//! Reader of the monitor file.

use super::status::decode_text;
use super::*;
use std::path::Path;
use std::sync::atomic::{Ordering, fence};

/// Reader of the monitor file of a run, which usually another process writes.
#[derive(Debug)]
pub struct RingReader {
    file: File,
    slots: u64,
    names: Vec<String>,
}

impl RingReader {
    /// Opens the monitor file in a run folder.
    ///
    /// # Errors
    /// File system errors, or an invalid file.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let file = File::open(folder.join(FILE))?;
        let length = file.metadata()?.len();
        if length < words_for(1) as u64 * 8 {
            return Err(refuse(format!("{length} bytes are too short for a monitor file")));
        }
        let head: [u64; STATUS] = read_words(&file, 0)?;
        if head[0] != MAGIC {
            return Err(refuse("not a monitor file (or of another byte order)".into()));
        }
        let version = head[WORD_VERSION];
        if version != VERSION {
            return Err(refuse(format!(
                "the monitor file has layout version {version}, this program reads version {VERSION}; use the program version \
                 that trains the run"
            )));
        }
        let (slots, words) = (head[WORD_SLOTS], length / 8);
        let fits = usize::try_from(slots).ok().filter(|_| (1..=words).contains(&slots)).map(words_for);
        if fits.is_none_or(|needed| needed as u64 > words) {
            return Err(refuse(format!(
                "the monitor file is truncated: {slots} rows do not fit {length} bytes"
            )));
        }
        Ok(Self { file, slots, names: Vec::new() })
    }

    /// Returns the start of the training session in seconds since 1970.
    ///
    /// # Errors
    /// File system errors, or a truncated file.
    pub fn started(&self) -> io::Result<f64> {
        self.word(WORD_STARTED).map(f64::from_bits)
    }

    /// Returns the number of rows written so far, including overwritten rows.
    ///
    /// # Errors
    /// See [`started`](Self::started).
    pub fn rows(&self) -> io::Result<u64> {
        self.word(WORD_ROWS)
    }

    /// Returns the number (from 0) of the oldest row that is not overwritten.
    ///
    /// # Errors
    /// See [`started`](Self::started).
    pub fn oldest(&self) -> io::Result<u64> {
        Ok(self.rows()?.saturating_sub(self.slots))
    }

    /// Returns row `number` (from 0), or `None` if the row is not yet written or already overwritten.
    ///
    /// # Errors
    /// See [`started`](Self::started).
    pub fn row(&mut self, number: u64) -> io::Result<Option<RingRow>> {
        let start = SLOTS + (number % self.slots) as usize * SLOT_WORDS;
        let sequence = self.word(start)?;
        if sequence == 0 || sequence != number.wrapping_add(1) {
            return Ok(None);
        }
        let copy: [u64; SLOT_WORDS] = self.words(start)?;
        // Check the sequence number again after the copy.
        if self.word(start)? != sequence {
            return Ok(None);
        }
        let mut values = Vec::new();
        for column in (0..MOST_NAMES).filter(|column| copy[3] >> column & 1 == 1) {
            let Some(name) = self.name(column)? else { return Ok(None) };
            values.push((name, f64::from_bits(copy[SLOT_HEAD + column])));
        }
        Ok(Some(RingRow { number, elapsed: f64::from_bits(copy[1]), steps: copy[2], values }))
    }

    /// Returns the status of the run; `None` if the status changed during each of 100 attempts to read it.
    ///
    /// # Errors
    /// See [`started`](Self::started).
    pub fn status(&mut self) -> io::Result<Option<MonitorStatus>> {
        for _ in 0..100 {
            let before = self.word(WORD_STATUS_SEQUENCE)?;
            let copy: [u64; STATUS_WORDS] = self.words(STATUS)?;
            let after = self.word(WORD_STATUS_SEQUENCE)?;
            if before == after && before.is_multiple_of(2) {
                self.name(MOST_NAMES)?;
                return Ok(Some(MonitorStatus::decode(&copy, |index| self.names.get(index).cloned())));
            }
        }
        Ok(None)
    }

    /// Returns the name at index `index` of the name table; `None` if the index is unused. Caches names, which never
    /// change.
    fn name(&mut self, index: usize) -> io::Result<Option<String>> {
        let known = (self.word(WORD_NAMES)? as usize).min(MOST_NAMES);
        for entry in self.names.len()..known {
            let text: [u64; NAME_WORDS] = self.words(NAMES + entry * NAME_WORDS)?;
            self.names.push(decode_text(&text));
        }
        Ok(self.names.get(index).cloned())
    }

    fn word(&self, at: usize) -> io::Result<u64> {
        let [word] = self.words(at)?;
        Ok(word)
    }

    /// Reads `N` words at the word offset `start`. A memory fence orders the read after all earlier reads.
    fn words<const N: usize>(&self, start: usize) -> io::Result<[u64; N]> {
        fence(Ordering::SeqCst);
        read_words(&self.file, start).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the monitor file is truncated"),
            _ => error,
        })
    }
}
