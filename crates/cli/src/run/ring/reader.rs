//! The watcher's side of the ring.

use super::status::decode_text;
use super::*;
use std::path::Path;
use std::sync::atomic::{Ordering, fence};

/// Reads the ring of a run, usually that of another process.
#[derive(Debug)]
pub struct Reader {
    file: File,
    slots: u64,
    names: Vec<String>,
}

impl Reader {
    /// Opens the ring in a run's folder.
    ///
    /// # Errors
    /// What the file system says, or what is wrong with the file.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let file = File::open(folder.join(FILE))?;
        let length = file.metadata()?.len();
        if length < words_for(1) as u64 * 8 {
            return Err(refuse(format!("{length} bytes are too short for a metrics ring")));
        }
        let head: [u64; STATUS] = read_words(&file, 0)?;
        if head[0] != MAGIC {
            return Err(refuse("the file is no metrics ring (or one of another kind of machine)".into()));
        }
        let version = head[WORD_VERSION];
        if version != VERSION {
            return Err(refuse(format!(
                "the ring has layout version {version}, this program reads version {VERSION}: watch it with the program \
                 that writes it"
            )));
        }
        let (slots, words) = (head[WORD_SLOTS], length / 8);
        let fits = usize::try_from(slots).ok().filter(|_| (1..=words).contains(&slots)).map(words_for);
        if fits.is_none_or(|needed| needed as u64 > words) {
            return Err(refuse(format!("the ring was cut short: {slots} rows do not fit {length} bytes")));
        }
        Ok(Self { file, slots, names: Vec::new() })
    }

    /// When the run started, seconds since 1970.
    ///
    /// # Errors
    /// As those of all that is read later: what the file system says, or that the ring was cut short.
    pub fn started(&self) -> io::Result<f64> {
        self.word(WORD_STARTED).map(f64::from_bits)
    }

    /// Rows written so far, those long overwritten included.
    ///
    /// # Errors
    /// As [`started`](Self::started).
    pub fn rows(&self) -> io::Result<u64> {
        self.word(WORD_ROWS)
    }

    /// The oldest row that can still be there.
    ///
    /// # Errors
    /// As [`started`](Self::started).
    pub fn oldest(&self) -> io::Result<u64> {
        Ok(self.rows()?.saturating_sub(self.slots))
    }

    /// Row `number`, if it has been written and is still there.
    ///
    /// # Errors
    /// As [`started`](Self::started).
    pub fn row(&mut self, number: u64) -> io::Result<Option<Row>> {
        let start = SLOTS + (number % self.slots) as usize * SLOT_WORDS;
        let sequence = self.word(start)?;
        if sequence == 0 || sequence != number.wrapping_add(1) {
            return Ok(None);
        }
        let copy: [u64; SLOT_WORDS] = self.words(start)?;
        // The second look must come after the copy.
        if self.word(start)? != sequence {
            return Ok(None);
        }
        let mut values = Vec::new();
        for column in (0..MOST_NAMES).filter(|column| copy[3] >> column & 1 == 1) {
            let Some(name) = self.name(column)? else { return Ok(None) };
            values.push((name, f64::from_bits(copy[SLOT_HEAD + column])));
        }
        Ok(Some(Row { number, elapsed: f64::from_bits(copy[1]), steps: copy[2], values }))
    }

    /// How the run is doing; nothing where the run writes it at this very moment and a few times again.
    ///
    /// # Errors
    /// As [`started`](Self::started).
    pub fn status(&mut self) -> io::Result<Option<Status>> {
        for _ in 0..100 {
            let before = self.word(WORD_STATUS_SEQUENCE)?;
            let copy: [u64; STATUS_WORDS] = self.words(STATUS)?;
            let after = self.word(WORD_STATUS_SEQUENCE)?;
            if before == after && before.is_multiple_of(2) {
                self.name(MOST_NAMES)?;
                return Ok(Some(Status::decode(&copy, |index| self.names.get(index).cloned())));
            }
        }
        Ok(None)
    }

    /// The name with an index; names once entered stay.
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

    /// Reads words after all that was read before.
    fn words<const N: usize>(&self, start: usize) -> io::Result<[u64; N]> {
        fence(Ordering::SeqCst);
        read_words(&self.file, start).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the ring was cut short"),
            _ => error,
        })
    }
}
