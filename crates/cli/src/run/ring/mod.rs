//! `metrics.ring`: a file through which another process watches a run. The run writes a few words and goes on; it never
//! waits for a reader, and there may be any number of them, or none. It is written and read as any other file, not mapped
//! into memory: on a full disk, or where somebody has cut the file short, both sides get an error and not a signal that ends
//! them.
//!
//! # Layout, version 1
//!
//! The file is an array of 64-bit words in the machine's own byte order. Real numbers are the bits of an `f64`.
//!
//! | words | what |
//! | --- | --- |
//! | 0 | the bytes `VIVARING` read as one word: also tells a foreign byte order apart |
//! | 1 | version of the layout |
//! | 2 | slots S |
//! | 3 | when the run started, seconds since 1970 (real): changes when another run takes the folder over |
//! | 4 | rows written so far, R: row r (from 0) is in slot r mod S, if r + S ≥ R |
//! | 5 | names in use |
//! | 6 | sequence number of the status: odd while it is being written |
//! | 8 … 72 | the status ([`Status`]) |
//! | 72 … 584 | 64 names of at most 64 bytes of UTF-8, filled up with zeros: the columns of rows, and phases |
//! | 584 … | S slots of 68 words: sequence number (r + 1; 0 while it is being written), seconds since the start (real), steps, a bit for each column present, 64 values (real) |
//!
//! A reader takes a row in only where the slot holds the sequence number that it expects both before and after copying:
//! whatever it sees is whole. The file is made complete beside its final name and renamed, so no reader meets a half one.

mod reader;
mod status;
mod writer;

pub use reader::Reader;
pub use status::{State, Status};
pub use writer::Writer;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Its name in the run's folder.
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
/// Most names a ring holds: a bit each in a row's word of columns.
const MOST_NAMES: usize = 64;
const SLOTS: usize = NAMES + MOST_NAMES * NAME_WORDS;
const SLOT_HEAD: usize = 4;
const SLOT_WORDS: usize = SLOT_HEAD + MOST_NAMES;

/// Bytes of a word.
const WORD: usize = 8;

/// Words of a ring with so many slots.
const fn words_for(slots: usize) -> usize {
    SLOTS + slots * SLOT_WORDS
}

/// A row of named measurements on its way through the ring.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number: the first row of a run is 0, and line r + 1 of `metrics.jsonl` is row r.
    pub number: u64,
    /// Seconds of training before it.
    pub elapsed: f64,
    /// Steps at the time.
    pub steps: u64,
    /// Name and value.
    pub values: Vec<(String, f64)>,
}

/// Reads words from the word `start` on.
fn read_words<const N: usize>(file: &File, start: usize) -> io::Result<[u64; N]> {
    let mut bytes = vec![0; N * WORD];
    let mut file = file;
    file.seek(SeekFrom::Start((start * WORD) as u64))?;
    file.read_exact(&mut bytes)?;
    let (words, _) = bytes.as_chunks::<WORD>();
    Ok(std::array::from_fn(|i| u64::from_ne_bytes(words[i])))
}

/// Writes words from the word `start` on.
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
        let mut writer = Writer::create(folder.path(), 4, 0, 123.5).unwrap();
        let mut reader = Reader::open(folder.path()).unwrap();
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

        let status = Status {
            state: State::Minutes,
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
        assert_eq!(Status { notice: String::new(), ..read }, Status { notice: String::new(), ..status });
    }

    #[test]
    fn old_rows_make_room_for_new_ones() {
        let folder = TestFolder::new("ring-wrap");
        let mut writer = Writer::create(folder.path(), 4, 10, 0.0).unwrap();
        let mut reader = Reader::open(folder.path()).unwrap();
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
        let mut writer = Writer::create(folder.path(), 4, 0, 0.0).unwrap();
        let values: Vec<_> = (0..100).map(|i| (format!("{i:<70}-{i}"), f64::from(i))).collect();
        writer.push(0.0, 1, &values).unwrap();
        let row = Reader::open(folder.path()).unwrap().row(0).unwrap().unwrap();
        assert_eq!(row.values.len(), MOST_NAMES);
        assert_eq!(row.values[63].0.trim(), "63");
    }

    /// Every number of a row depends on which row it is, so that a row mixed from two would show.
    #[test]
    fn a_reader_racing_the_writer_sees_whole_rows_alone() {
        let folder = TestFolder::new("ring-race");
        let mut writer = Writer::create(folder.path(), 2, 0, 0.0).unwrap();
        let mut reader = Reader::open(folder.path()).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let names: Vec<String> = (0..20).map(|i| format!("column {i}")).collect();
                for row in 0..100_000u64 {
                    let values: Vec<_> = names.iter().map(|name| (name.clone(), row as f64)).collect();
                    writer.push(row as f64, row, &values).unwrap();
                    writer
                        .set_status(&Status { steps: row, updates: row, episodes: row, ..Status::default() })
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

        /// A ring that something else has written over is read as nonsense or not at all, but without a panic.
        #[test]
        fn a_damaged_ring_harms_no_reader(
            damage in proptest::collection::vec((0..words_for(4), proptest::prelude::any::<u64>()), 1..60)
        ) {
            let folder = TestFolder::new("ring-damage");
            let mut writer = Writer::create(folder.path(), 4, 0, 0.0).unwrap();
            writer.push(1.0, 2, &[("a".into(), 3.0)]).unwrap();
            writer.set_status(&Status { phases: vec![("rollout".into(), 1.0)], ..Status::default() }).unwrap();
            let path = folder.path().join(FILE);
            let mut bytes = std::fs::read(&path).unwrap();
            for (word, value) in damage {
                bytes[word * 8..][..8].copy_from_slice(&value.to_ne_bytes());
            }
            std::fs::write(&path, bytes).unwrap();
            if let Ok(mut reader) = Reader::open(folder.path()) {
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
        let mut writer = Writer::create(folder.path(), 4, 0, 0.0).unwrap();
        writer.push(1.0, 2, &[("a".into(), 3.0)]).unwrap();
        let mut reader = Reader::open(folder.path()).unwrap();
        let file = File::options().write(true).open(folder.path().join(FILE)).unwrap();
        file.set_len(0).unwrap();
        let cut = [
            reader.status().map(drop).unwrap_err(),
            reader.row(0).map(drop).unwrap_err(),
            reader.rows().map(drop).unwrap_err(),
        ];
        assert!(cut.iter().all(|error| error.to_string().contains("cut short")), "{cut:?}");
        writer.push(2.0, 3, &[("a".into(), 3.0), ("b".into(), 4.0)]).unwrap();
        writer.set_status(&Status::default()).unwrap();
        // What is there now is no ring any more, and does no harm either.
        assert!(Reader::open(folder.path()).is_err());
        assert!(reader.row(1).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn the_whole_ring_is_on_the_disk_before_it_has_its_name() {
        use std::os::unix::fs::MetadataExt;
        let folder = TestFolder::new("ring-whole");
        drop(Writer::create(folder.path(), 4096, 0, 0.0).unwrap());
        let about = std::fs::metadata(folder.path().join(FILE)).unwrap();
        assert!(about.blocks() * 512 >= about.len(), "{} blocks of {} bytes", about.blocks(), about.len());
        // Where it cannot be made, nothing of it is left.
        std::fs::create_dir_all(folder.path().join("absent")).unwrap();
        std::fs::create_dir_all(folder.path().join("absent").join(FILE).join("inside")).unwrap();
        assert!(Writer::create(&folder.path().join("absent"), 4, 0, 0.0).is_err());
        assert_eq!(std::fs::read_dir(folder.path().join("absent")).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_ring_is_refused_with_a_reason() {
        let folder = TestFolder::new("ring-bad");
        let message = |bytes: &[u8]| {
            std::fs::write(folder.path().join(FILE), bytes).unwrap();
            Reader::open(folder.path()).unwrap_err().to_string()
        };
        assert!(message(b"").contains("too short"));
        assert!(message(&[7; 20_000]).contains("no metrics ring"));
        drop(Writer::create(folder.path(), 4, 0, 0.0).unwrap());
        let good = std::fs::read(folder.path().join(FILE)).unwrap();
        let mut newer = good.clone();
        newer[8] = 9;
        assert!(message(&newer).contains("version 9"));
        assert!(message(&good[..good.len() - 8]).contains("cut short"));
        let mut wide = good;
        wide[16..24].fill(0xFF);
        assert!(message(&wide).contains("cut short"));
    }
}
