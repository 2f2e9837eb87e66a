//! The run's side of the ring.

use super::status::encode_text;
use super::*;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::atomic::{Ordering, fence};

/// Writes the ring of one run.
#[derive(Debug)]
pub struct Writer {
    map: MmapRaw,
    slots: u64,
    rows: u64,
    names: Vec<String>,
}

impl Writer {
    /// Makes the ring of a run that started at `started` (seconds since 1970), in place of any older one. The next row
    /// has the number `first_row`: a resumed run goes on counting.
    ///
    /// # Errors
    /// What the file system says.
    pub fn create(folder: &Path, slots: usize, first_row: u64, started: f64) -> io::Result<Self> {
        let beside = folder.join(format!("{FILE}.part"));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&beside)?;
        file.set_len(words_for(slots) as u64 * 8)?;
        let map = MmapRaw::map_raw(&file)?;
        let head = words(&map);
        head[WORD_VERSION].store(VERSION, Ordering::Relaxed);
        head[WORD_SLOTS].store(slots as u64, Ordering::Relaxed);
        head[WORD_STARTED].store(started.to_bits(), Ordering::Relaxed);
        head[WORD_ROWS].store(first_row, Ordering::Relaxed);
        head[0].store(MAGIC, Ordering::Release);
        fs::rename(&beside, folder.join(FILE))?;
        Ok(Self { map, slots: slots as u64, rows: first_row, names: Vec::new() })
    }

    /// Adds a row. Values whose names no longer fit are left out.
    pub fn push(&mut self, elapsed: f64, steps: u64, values: &[(String, f64)]) {
        let slot = SLOTS + (self.rows % self.slots) as usize * SLOT_WORDS;
        let columns: Vec<Option<usize>> = values.iter().map(|(name, _)| self.index_of(name)).collect();
        let slot = &words(&self.map)[slot..slot + SLOT_WORDS];
        slot[0].store(0, Ordering::Relaxed);
        // Nobody may see a new value beside the old sequence number.
        fence(Ordering::Release);
        slot[1].store(elapsed.to_bits(), Ordering::Relaxed);
        slot[2].store(steps, Ordering::Relaxed);
        let mut present = 0u64;
        for (column, (_, value)) in columns.iter().zip(values) {
            if let Some(column) = *column {
                slot[SLOT_HEAD + column].store(value.to_bits(), Ordering::Relaxed);
                present |= 1 << column;
            }
        }
        slot[3].store(present, Ordering::Relaxed);
        self.rows += 1;
        slot[0].store(self.rows, Ordering::Release);
        words(&self.map)[WORD_ROWS].store(self.rows, Ordering::Release);
    }

    /// Replaces the status.
    pub fn set_status(&mut self, status: &Status) {
        let encoded = status.encode(|name| self.index_of(name));
        let all = words(&self.map);
        let sequence = &all[WORD_STATUS_SEQUENCE];
        let before = sequence.load(Ordering::Relaxed);
        sequence.store(before + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, value) in all[STATUS..].iter().zip(encoded) {
            word.store(value, Ordering::Relaxed);
        }
        sequence.store(before + 2, Ordering::Release);
    }

    /// The index of a name, entered into the table where it is new.
    fn index_of(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.names.iter().position(|known| known == name) {
            return Some(known);
        }
        if self.names.len() == MOST_NAMES {
            return None;
        }
        let index = self.names.len();
        let mut text = [0; NAME_WORDS];
        encode_text(name, &mut text);
        let all = words(&self.map);
        for (word, value) in all[NAMES + index * NAME_WORDS..].iter().zip(text) {
            word.store(value, Ordering::Relaxed);
        }
        self.names.push(name.to_owned());
        all[WORD_NAMES].store(self.names.len() as u64, Ordering::Release);
        Some(index)
    }
}
