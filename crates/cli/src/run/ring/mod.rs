//! `metrics.ring`, the monitor file: a ring buffer through which other processes monitor a run. Any number of processes
//! may read the file; the run never waits for them. The file is read and written with ordinary system calls, not
//! memory-mapped, so that a full disk or a truncated file yields an error and not a SIGBUS.
//!
//! # Layout, version 1
//!
//! The file is an array of 64-bit words in native byte order. Real numbers are `f64` bits.
//!
//! | words | contents |
//! | --- | --- |
//! | 0 | magic number: the bytes `VIVARING`, which also detects a foreign byte order |
//! | 1 | version of the layout |
//! | 2 | number of slots S |
//! | 3 | start of the session, seconds since 1970 (real): changes when the run is resumed |
//! | 4 | number of rows written R: row r (from 0) is in slot r mod S, if r + S ≥ R |
//! | 5 | number of names |
//! | 6 | sequence number of the status: odd while it is being written |
//! | 8 … 72 | the status ([`MonitorStatus`]) |
//! | 72 … 584 | 64 names of at most 64 bytes of UTF-8, filled up with zeros: the columns of rows, and phases |
//! | 584 … | S slots of 68 words: sequence number (r + 1; 0 while the row is being written), training time in seconds (real), steps, column mask (bit i: value i is present), 64 values (real) |
//!
//! A reader accepts a row only if the slot has the expected sequence number both before and after copying (a seqlock).
//! Therefore a reader never returns a partial row. The file is created under a temporary name and renamed.

mod reader;
mod status;
mod writer;

pub use reader::RingReader;
pub use status::{MonitorStatus, RunState};
pub use writer::RingWriter;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// File name in the run folder.
pub const FILE: &str = "metrics.ring";

const MAGIC: u64 = u64::from_ne_bytes(*b"VIVARING");
const VERSION: u64 = 1;

const WORD_VERSION: usize = 1;
const WORD_SLOTS: usize = 2;
const WORD_STARTED: usize = 3;
const WORD_ROWS: usize = 4;
const WORD_NAMES: usize = 5;
const WORD_STATUS_SEQUENCE: usize = 6;
const STATUS: usize = 8;
const STATUS_WORDS: usize = 64;
const NAMES: usize = STATUS + STATUS_WORDS;
const NAME_WORDS: usize = 8;
/// Maximum number of names in the name table, limited by the 64 bits of a row's column mask.
const MOST_NAMES: usize = 64;
const SLOTS: usize = NAMES + MOST_NAMES * NAME_WORDS;
const SLOT_HEAD: usize = 4;
const SLOT_WORDS: usize = SLOT_HEAD + MOST_NAMES;

/// Size of a word in bytes.
const WORD: usize = 8;

/// Returns the number of words of a file with `slots` slots.
const fn words_for(slots: usize) -> usize {
    SLOTS + slots * SLOT_WORDS
}

/// A metric row of the monitor file.
#[derive(Clone, Debug, PartialEq)]
pub struct RingRow {
    /// Row number from 0: line r + 1 of `metrics.jsonl` is row r.
    pub number: u64,
    /// Training time in seconds.
    pub elapsed: f64,
    /// Number of environment steps, epochs or tokens at the row.
    pub steps: u64,
    /// Metric names and values.
    pub values: Vec<(String, f64)>,
}

/// Reads `N` words from the word offset `start`.
fn read_words<const N: usize>(file: &File, start: usize) -> io::Result<[u64; N]> {
    let mut bytes = vec![0; N * WORD];
    let mut file = file;
    file.seek(SeekFrom::Start((start * WORD) as u64))?;
    file.read_exact(&mut bytes)?;
    let (words, _) = bytes.as_chunks::<WORD>();
    Ok(std::array::from_fn(|i| u64::from_ne_bytes(words[i])))
}

/// Writes words at the word offset `start`.
fn write_words(file: &File, start: usize, words: &[u64]) -> io::Result<()> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let mut file = file;
    file.seek(SeekFrom::Start((start * WORD) as u64))?;
    file.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn rows_and_status_come_through() {
        let folder = TestFolder::new("ring");
        let mut writer = RingWriter::create(folder.path(), 4, 0, 123.5).unwrap();
        let mut reader = RingReader::open(folder.path()).unwrap();
        assert_eq!((reader.rows().unwrap(), reader.row(0).unwrap()), (0, None));
        writer.push(0.5, 100, &[("return_mean".into(), 20.0), ("entropy".into(), f64::NAN)]).unwrap();
        writer.push(1.0, 200, &[("eval_return".into(), 30.0)]).unwrap();
        let first = reader.row(0).unwrap().unwrap();
        assert_eq!((first.number, first.elapsed, first.steps), (0, 0.5, 100));
        assert_eq!(first.values[0], ("return_mean".into(), 20.0));
        assert!(first.values[1].0 == "entropy" && first.values[1].1.is_nan());
        assert_eq!(reader.row(1).unwrap().unwrap().values, [("eval_return".into(), 30.0)]);
        assert_eq!(reader.rows().unwrap(), 2);
        assert_eq!(reader.started().unwrap(), 123.5);

        let status = MonitorStatus {
            state: RunState::Minutes,
            heartbeat: 1e9,
            elapsed: 7.0,
            steps: 9,
            updates: 8,
            episodes: 7,
            goal_steps: Some(1000),
            speed: 2.5,
            phases: vec![("rollout".into(), 3.0), ("update".into(), 4.0)],
            notice: "rolled back — ".repeat(20),
        };
        writer.set_status(&status).unwrap();
        let read = reader.status().unwrap().unwrap();
        assert!(status.notice.starts_with(&read.notice) && read.notice.len() > 200);
        assert_eq!(
            MonitorStatus { notice: String::new(), ..read },
            MonitorStatus { notice: String::new(), ..status }
        );
    }

    #[test]
    fn old_rows_make_room_for_new_ones() {
        let folder = TestFolder::new("ring-wrap");
        let mut writer = RingWriter::create(folder.path(), 4, 10, 0.0).unwrap();
        let mut reader = RingReader::open(folder.path()).unwrap();
        for row in 10..20u32 {
            writer.push(f64::from(row), u64::from(row), &[("a".into(), f64::from(row))]).unwrap();
        }
        assert_eq!(reader.rows().unwrap(), 20);
        assert_eq!(reader.row(15).unwrap(), None);
        let kept: Vec<_> = (16..20).map(|number| reader.row(number).unwrap().unwrap().steps).collect();
        assert_eq!(kept, [16, 17, 18, 19]);
        assert_eq!(reader.row(20).unwrap(), None);
    }

    #[test]
    fn more_names_than_fit_are_left_out() {
        let folder = TestFolder::new("ring-names");
        let mut writer = RingWriter::create(folder.path(), 4, 0, 0.0).unwrap();
        let values: Vec<_> = (0..100).map(|i| (format!("{i:<70}-{i}"), f64::from(i))).collect();
        writer.push(0.0, 1, &values).unwrap();
        let row = RingReader::open(folder.path()).unwrap().row(0).unwrap().unwrap();
        assert_eq!(row.values.len(), MOST_NAMES);
        assert_eq!(row.values[63].0.trim(), "63");
    }

    /// All values of a row depend on its row number, so that the test detects a mixture of two rows.
    #[test]
    fn a_reader_racing_the_writer_sees_whole_rows_alone() {
        let folder = TestFolder::new("ring-race");
        let mut writer = RingWriter::create(folder.path(), 2, 0, 0.0).unwrap();
        let mut reader = RingReader::open(folder.path()).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let names: Vec<String> = (0..20).map(|i| format!("column {i}")).collect();
                for row in 0..100_000u64 {
                    let values: Vec<_> = names.iter().map(|name| (name.clone(), row as f64)).collect();
                    writer.push(row as f64, row, &values).unwrap();
                    writer
                        .set_status(&MonitorStatus {
                            steps: row,
                            updates: row,
                            episodes: row,
                            ..MonitorStatus::default()
                        })
                        .unwrap();
                }
                done.store(true, Ordering::Release);
            });
            let mut whole = 0;
            loop {
                let last_round = done.load(Ordering::Acquire);
                let newest = reader.rows().unwrap().saturating_sub(1);
                if let Some(row) = reader.row(newest).unwrap() {
                    assert!(row.steps == newest && row.elapsed == newest as f64, "{row:?}");
                    assert!(row.values.iter().all(|(_, value)| *value == newest as f64), "{row:?}");
                    whole += 1;
                }
                if let Some(status) = reader.status().unwrap() {
                    assert!(status.updates == status.steps && status.episodes == status.steps, "{status:?}");
                }
                if last_round {
                    break;
                }
            }
            assert!(whole > 0);
        });
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(64))]

        /// Reading a damaged monitor file returns arbitrary values or an error, but never panics.
        #[test]
        fn a_damaged_ring_harms_no_reader(
            damage in proptest::collection::vec((0..words_for(4), proptest::prelude::any::<u64>()), 1..60)
        ) {
            let folder = TestFolder::new("ring-damage");
            let mut writer = RingWriter::create(folder.path(), 4, 0, 0.0).unwrap();
            writer.push(1.0, 2, &[("a".into(), 3.0)]).unwrap();
            writer.set_status(&MonitorStatus { phases: vec![("rollout".into(), 1.0)], ..MonitorStatus::default() }).unwrap();
            let path = folder.path().join(FILE);
            let mut bytes = std::fs::read(&path).unwrap();
            for (word, value) in damage {
                bytes[word * 8..][..8].copy_from_slice(&value.to_ne_bytes());
            }
            std::fs::write(&path, bytes).unwrap();
            if let Ok(mut reader) = RingReader::open(folder.path()) {
                reader.status().unwrap();
                for number in [0, 1, reader.oldest().unwrap(), reader.rows().unwrap(), u64::MAX] {
                    reader.row(number).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_ring_that_somebody_cuts_short_is_an_error_to_its_reader_and_none_to_its_writer() {
        let folder = TestFolder::new("ring-cut");
        let mut writer = RingWriter::create(folder.path(), 4, 0, 0.0).unwrap();
        writer.push(1.0, 2, &[("a".into(), 3.0)]).unwrap();
        let mut reader = RingReader::open(folder.path()).unwrap();
        let file = File::options().write(true).open(folder.path().join(FILE)).unwrap();
        file.set_len(0).unwrap();
        let cut = [
            reader.status().map(drop).unwrap_err(),
            reader.row(0).map(drop).unwrap_err(),
            reader.rows().map(drop).unwrap_err(),
        ];
        assert!(cut.iter().all(|error| error.to_string().contains("truncated")), "{cut:?}");
        writer.push(2.0, 3, &[("a".into(), 3.0), ("b".into(), 4.0)]).unwrap();
        writer.set_status(&MonitorStatus::default()).unwrap();
        // The file at the path is no longer a monitor file; the reader keeps its open file.
        assert!(RingReader::open(folder.path()).is_err());
        assert!(reader.row(1).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn the_whole_ring_is_on_the_disk_before_it_has_its_name() {
        use std::os::unix::fs::MetadataExt;
        let folder = TestFolder::new("ring-whole");
        drop(RingWriter::create(folder.path(), 4096, 0, 0.0).unwrap());
        let metadata = std::fs::metadata(folder.path().join(FILE)).unwrap();
        assert!(
            metadata.blocks() * 512 >= metadata.len(),
            "{} blocks of {} bytes",
            metadata.blocks(),
            metadata.len()
        );
        // A failed creation leaves no file behind.
        std::fs::create_dir_all(folder.path().join("absent")).unwrap();
        std::fs::create_dir_all(folder.path().join("absent").join(FILE).join("inside")).unwrap();
        assert!(RingWriter::create(&folder.path().join("absent"), 4, 0, 0.0).is_err());
        assert_eq!(std::fs::read_dir(folder.path().join("absent")).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_ring_is_refused_with_a_reason() {
        let folder = TestFolder::new("ring-bad");
        let message = |bytes: &[u8]| {
            std::fs::write(folder.path().join(FILE), bytes).unwrap();
            RingReader::open(folder.path()).unwrap_err().to_string()
        };
        assert!(message(b"").contains("too short"));
        assert!(message(&[7; 20_000]).contains("not a monitor file"));
        drop(RingWriter::create(folder.path(), 4, 0, 0.0).unwrap());
        let good = std::fs::read(folder.path().join(FILE)).unwrap();
        let mut newer = good.clone();
        newer[8] = 9;
        assert!(message(&newer).contains("version 9"));
        assert!(message(&good[..good.len() - 8]).contains("truncated"));
        let mut wide = good;
        wide[16..24].fill(0xFF);
        assert!(message(&wide).contains("truncated"));
    }
}
