//! Writer of the monitor file.

use super::status::encode_text;
use super::*;
use std::fs;
use std::path::Path;
use std::sync::atomic::{Ordering, fence};

/// Writer of the monitor file of a run.
#[derive(Debug)]
pub struct RingWriter {
    file: File,
    slots: u64,
    rows: u64,
    /// Sequence number of the status; even between two writes.
    status: u64,
    names: Vec<String>,
}

impl RingWriter {
    /// Creates the monitor file of a training session that started at `started` (seconds since 1970). Replaces the
    /// file of an earlier session. Row numbers start at `first_row`, the number of rows of earlier sessions.
    ///
    /// # Errors
    /// File system errors, including a full disk.
    pub fn create(folder: &Path, slots: usize, first_row: u64, started: f64) -> io::Result<Self> {
        let beside = folder.join(format!("{FILE}.part"));
        let made = Self::write_whole(&beside, slots, first_row, started)
            .and_then(|file| fs::rename(&beside, folder.join(FILE)).map(|()| file));
        if made.is_err() {
            // An error of the removal is ignored, since the original error is reported.
            let _ = fs::remove_file(&beside);
        }
        Ok(Self { file: made?, slots: slots as u64, rows: first_row, status: 0, names: Vec::new() })
    }

    /// Writes a monitor file without rows, at its full size: in a sparse file, later writes could fail on a full disk.
    fn write_whole(path: &Path, slots: usize, first_row: u64, started: f64) -> io::Result<File> {
        let file = File::create(path)?;
        let mut words = vec![0; words_for(slots)];
        words[0] = MAGIC;
        words[WORD_VERSION] = VERSION;
        words[WORD_SLOTS] = slots as u64;
        words[WORD_STARTED] = started.to_bits();
        words[WORD_ROWS] = first_row;
        write_words(&file, 0, &words)?;
        Ok(file)
    }

    /// Appends a row. Values with a new name are omitted if the name table is full.
    ///
    /// # Errors
    /// File system errors.
    pub fn push(&mut self, elapsed: f64, steps: u64, values: &[(String, f64)]) -> io::Result<()> {
        let start = SLOTS + (self.rows % self.slots) as usize * SLOT_WORDS;
        let mut slot = [0; SLOT_WORDS];
        slot[1] = elapsed.to_bits();
        slot[2] = steps;
        for (name, value) in values {
            if let Some(column) = self.index_of(name)? {
                slot[SLOT_HEAD + column] = value.to_bits();
                slot[3] |= 1 << column;
            }
        }
        self.rows += 1;
        self.write(start, &[0])?;
        self.write(start + 1, &slot[1..])?;
        self.write(start, &[self.rows])?;
        self.write(WORD_ROWS, &[self.rows])
    }

    /// Replaces the status in the file.
    ///
    /// # Errors
    /// File system errors.
    pub fn set_status(&mut self, status: &MonitorStatus) -> io::Result<()> {
        let mut failed = None;
        let encoded = status.encode(|name| {
            self.index_of(name).unwrap_or_else(|error| {
                failed = Some(error);
                None
            })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        self.status += 2;
        self.write(WORD_STATUS_SEQUENCE, &[self.status - 1])?;
        self.write(STATUS, &encoded)?;
        self.write(WORD_STATUS_SEQUENCE, &[self.status])
    }

    /// Writes words at the word offset `start`. A memory fence orders the write after all earlier writes.
    fn write(&self, start: usize, words: &[u64]) -> io::Result<()> {
        fence(Ordering::SeqCst);
        write_words(&self.file, start, words)
    }

    /// Returns the index of a name in the name table, and inserts the name if it is new. `None` if the table is full.
    fn index_of(&mut self, name: &str) -> io::Result<Option<usize>> {
        if let Some(known) = self.names.iter().position(|known| known == name) {
            return Ok(Some(known));
        }
        if self.names.len() == MOST_NAMES {
            return Ok(None);
        }
        let index = self.names.len();
        let mut text = [0; NAME_WORDS];
        encode_text(name, &mut text);
        self.write(NAMES + index * NAME_WORDS, &text)?;
        self.write(WORD_NAMES, &[index as u64 + 1])?;
        self.names.push(name.to_owned());
        Ok(Some(index))
    }
}
