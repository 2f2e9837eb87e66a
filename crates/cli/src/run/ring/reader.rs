//! The watcher's side of the ring.

use super::status::decode_text;
use super::*;
use memmap2::MmapOptions;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{Ordering, fence};

/// Reads the ring of a run, usually that of another process.
#[derive(Debug)]
pub struct Reader {
    map: MmapRaw,
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
        let map = MmapOptions::new().map_raw_read_only(&file)?;
        let head = words(&map);
        if head[0].load(Ordering::Acquire) != MAGIC {
            return Err(refuse("the file is no metrics ring (or one of another kind of machine)".into()));
        }
        let version = head[WORD_VERSION].load(Ordering::Relaxed);
        if version != VERSION {
            return Err(refuse(format!(
                "the ring has layout version {version}, this program reads version {VERSION}: watch it with the program \
                 that writes it"
            )));
        }
        let slots = head[WORD_SLOTS].load(Ordering::Relaxed);
        let fits =
            usize::try_from(slots).ok().filter(|slots| (1..=head.len()).contains(slots)).map(words_for);
        if fits.is_none_or(|words| words > head.len()) {
            return Err(refuse(format!("the ring was cut short: {slots} rows do not fit {length} bytes")));
        }
        Ok(Self { map, slots, names: Vec::new() })
    }

    /// When the run started, seconds since 1970.
    pub fn started(&self) -> f64 {
        f64::from_bits(words(&self.map)[WORD_STARTED].load(Ordering::Relaxed))
    }

    /// Rows written so far, those long overwritten included.
    pub fn rows(&self) -> u64 {
        words(&self.map)[WORD_ROWS].load(Ordering::Acquire)
    }

    /// The oldest row that can still be there.
    pub fn oldest(&self) -> u64 {
        self.rows().saturating_sub(self.slots)
    }

    /// Row `number`, if it has been written and is still there.
    pub fn row(&mut self, number: u64) -> Option<Row> {
        let start = SLOTS + (number % self.slots) as usize * SLOT_WORDS;
        let slot = &words(&self.map)[start..start + SLOT_WORDS];
        let sequence = slot[0].load(Ordering::Acquire);
        if sequence == 0 || sequence != number.wrapping_add(1) {
            return None;
        }
        let copy: Vec<u64> = slot.iter().map(|word| word.load(Ordering::Relaxed)).collect();
        // The second look must come after the copy.
        fence(Ordering::Acquire);
        if slot[0].load(Ordering::Relaxed) != sequence {
            return None;
        }
        let mut values = Vec::new();
        for column in (0..MOST_NAMES).filter(|column| copy[3] >> column & 1 == 1) {
            values.push((self.name(column)?, f64::from_bits(copy[SLOT_HEAD + column])));
        }
        Some(Row { number, elapsed: f64::from_bits(copy[1]), steps: copy[2], values })
    }

    /// How the run is doing; nothing where the run writes it at this very moment and a few times again.
    pub fn status(&mut self) -> Option<Status> {
        let copy = (0..100).find_map(|_| {
            let all = words(&self.map);
            let before = all[WORD_STATUS_SEQUENCE].load(Ordering::Acquire);
            let copy: [u64; STATUS_WORDS] = std::array::from_fn(|i| all[STATUS + i].load(Ordering::Relaxed));
            fence(Ordering::Acquire);
            let after = all[WORD_STATUS_SEQUENCE].load(Ordering::Relaxed);
            std::hint::spin_loop();
            (before == after && before.is_multiple_of(2)).then_some(copy)
        })?;
        self.name(MOST_NAMES);
        Some(Status::decode(&copy, |index| self.names.get(index).cloned()))
    }

    /// The name with an index; names once entered stay.
    fn name(&mut self, index: usize) -> Option<String> {
        let all = words(&self.map);
        let known = (all[WORD_NAMES].load(Ordering::Acquire) as usize).min(MOST_NAMES);
        for entry in self.names.len()..known {
            let start = NAMES + entry * NAME_WORDS;
            let text: [u64; NAME_WORDS] = std::array::from_fn(|i| all[start + i].load(Ordering::Relaxed));
            self.names.push(decode_text(&text));
        }
        self.names.get(index).cloned()
    }
}
