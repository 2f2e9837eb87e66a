//! `monitor.bin`, the memory-mapped monitor file: status and newest metric row of a run, for `vivarium monitor`. Any
//! number of processes may read the file; the run never waits for them.
//!
//! The file holds one record of a fixed size, which the run overwrites in place and does not sync. A reader maps the
//! file: the record is in the page cache, which all processes share. The writer uses a system call, because a store to
//! a map ends the process with SIGBUS if a copy-on-write file system is full or another program has truncated the
//! file. The reader checks the length of the file before each map.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 0 … 8 | magic number `VIVAMON` and layout version `1` |
//! | 8 … 12 | CRC-32C of all following bytes (little-endian) |
//! | 12 … 16 | length of the text in bytes (little-endian) |
//! | 16 … 8192 | text: [`MonitorStatus`] as JSON, line feed, newest row as in `metrics.jsonl`; then zeros |
//!
//! If the writer overwrites the record during a read, the checksum does not match, and the reader tries again.

use memmap2::{MmapOptions, MmapRaw};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use vivarium_kernels::crc32c::crc32c;
use vivarium_lab::checkpoint::file::replace;
use vivarium_lab::recorded_row::RecordedRow;

/// Name of the monitor file in a run folder.
pub const FILE: &str = "monitor.bin";

const MAGIC: &[u8; 7] = b"VIVAMON";
const VERSION: u8 = b'1';
/// Size of the monitor file in bytes.
const SIZE: usize = 8192;
/// Byte offset of the first byte that the checksum covers; the text starts at the byte offset [`TEXT_START`].
const CHECKSUM_START: usize = 12;
const TEXT_START: usize = 16;

/// Maximum length of a notice in bytes. A notice of this length fits into the file, even if JSON escapes every byte.
const MAX_NOTICE_LEN: usize = 1000;

/// Maximum number of attempts to read a record while the run overwrites the record.
const READ_ATTEMPTS: u32 = 100;
/// Time between two attempts to read a record.
const RETRY_INTERVAL: Duration = Duration::from_micros(100);

/// State of a run: training, or the reason why training stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Training was in progress at the last heartbeat.
    #[default]
    Running,
    /// Stopped at its goal.
    Reached,
    /// Stopped by Ctrl-C or another termination signal.
    Interrupted,
    /// Stopped by an error.
    Failed,
    /// Stopped at its step limit.
    Steps,
    /// Stopped at its time limit.
    Minutes,
}

impl RunState {
    /// Returns the state of a run whose latest session has ended by `reason`, as `run.json` records it.
    pub fn of_end(reason: &str) -> Self {
        match reason {
            "goal" => Self::Reached,
            "steps" => Self::Steps,
            "minutes" => Self::Minutes,
            "failed" => Self::Failed,
            _ => Self::Interrupted,
        }
    }
}

/// Status of a run. The training process writes the status at most twenty times a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MonitorStatus {
    /// State of the run.
    pub state: RunState,
    /// Start of the training session in seconds since 1970; a change means that the run was resumed.
    pub started: f64,
    /// Heartbeat: time at which this status was written, in seconds since 1970.
    pub heartbeat: f64,
    /// Training time in seconds, summed over all sessions.
    pub elapsed: f64,
    /// Number of training steps so far.
    pub steps: u64,
    /// Number of gradient steps so far.
    pub updates: u64,
    /// Number of finished episodes so far.
    pub episodes: u64,
    /// Number of training steps at which the run stops; `None` without a step limit.
    pub goal_steps: Option<u64>,
    /// Current training speed in steps per second.
    pub speed: f64,
    /// Time profile of the session: name of each phase (such as evaluation) and its total duration in seconds.
    pub phases: Vec<(String, f64)>,
    /// Message to the user, such as a rollback after divergence. The file stores the first 1,000 bytes.
    pub notice: String,
}

/// Writer of the monitor file of a run.
#[derive(Debug)]
pub struct MonitorWriter {
    path: PathBuf,
    /// The open monitor file; `None` before the first record is written.
    file: Option<File>,
}

impl MonitorWriter {
    /// Creates the writer for a run folder. The first record creates the file, or replaces the file of an earlier
    /// session.
    pub fn new(folder: &Path) -> Self {
        Self { path: folder.join(FILE), file: None }
    }

    /// Overwrites the record with `status` and `row`, the newest line of `metrics.jsonl`. A row that is too long is
    /// omitted.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be written, for example on a full disk.
    pub fn write(&mut self, status: &MonitorStatus, row: &str) -> io::Result<()> {
        let record = encode(status, row)?;
        match &mut self.file {
            Some(file) => {
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&record)
            }
            None => {
                // The whole file is on disk before it has its name. Later writes need no space.
                replace(&self.path, &record)?;
                self.file = Some(File::options().write(true).open(&self.path)?);
                Ok(())
            }
        }
    }
}

fn encode(status: &MonitorStatus, row: &str) -> io::Result<Vec<u8>> {
    let notice = status.notice[..status.notice.floor_char_boundary(MAX_NOTICE_LEN)].to_owned();
    let mut text = serde_json::to_string(&MonitorStatus { notice, ..status.clone() })? + "\n";
    if TEXT_START + text.len() + row.len() <= SIZE {
        text += row;
    }
    let mut record = vec![0; SIZE];
    let room = record[TEXT_START..].get_mut(..text.len()).ok_or(ErrorKind::InvalidInput)?;
    room.copy_from_slice(text.as_bytes());
    record[CHECKSUM_START..TEXT_START].copy_from_slice(&(text.len() as u32).to_le_bytes());
    let checksum = crc32c(&record[CHECKSUM_START..]);
    record[MAGIC.len() + 1..CHECKSUM_START].copy_from_slice(&checksum.to_le_bytes());
    record[MAGIC.len()] = VERSION;
    record[..MAGIC.len()].copy_from_slice(MAGIC);
    Ok(record)
}

/// Reads status and newest metric row from the monitor file in a run folder. The row is `None` if the record has no
/// row.
///
/// # Errors
/// [`io::Error`] if the file cannot be mapped or is invalid.
pub fn read(folder: &Path) -> io::Result<(MonitorStatus, Option<RecordedRow>)> {
    let refuse = |why: String| Err(io::Error::new(ErrorKind::InvalidData, why));
    let file = super::files::open_file(&folder.join(FILE))?;
    let length = file.metadata()?.len();
    if length < SIZE as u64 {
        return refuse(format!("the monitor file is truncated: it has {length} of {SIZE} bytes"));
    }
    let map = MmapOptions::new().len(SIZE).map_raw_read_only(&file)?;
    for _ in 0..READ_ATTEMPTS {
        let record = copy_record(&map);
        if record[..MAGIC.len()] != *MAGIC {
            return refuse("not a monitor file".into());
        }
        if record[MAGIC.len()] != VERSION {
            return refuse(format!(
                "the monitor file has layout version {}, this program reads version {}; use the program version that trains \
                 the run",
                char::from(record[MAGIC.len()]),
                char::from(VERSION)
            ));
        }
        if record[MAGIC.len() + 1..CHECKSUM_START] == crc32c(&record[CHECKSUM_START..]).to_le_bytes() {
            let decoded = decode(&record);
            return decoded.map_or_else(|| refuse("the monitor file has an invalid text".into()), Ok);
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
    refuse("the monitor file is damaged: its checksum does not match".into())
}

/// Copies the record from the map of a monitor file, word by word: the run may overwrite the record at the same time.
fn copy_record(map: &MmapRaw) -> Vec<u8> {
    assert_eq!(map.len(), SIZE, "length of the map");
    // SAFETY: The map has `SIZE` bytes, which stay mapped during the copy, and is aligned to a page. Other processes
    // change the words; this process accesses them only by atomic loads.
    let words =
        unsafe { std::slice::from_raw_parts(map.as_ptr().cast::<AtomicU32>(), SIZE / size_of::<u32>()) };
    words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect()
}

/// Decodes status and metric row from a record with a valid checksum. Returns `None` if the text is invalid.
fn decode(record: &[u8]) -> Option<(MonitorStatus, Option<RecordedRow>)> {
    let length = u32::from_le_bytes(*record[CHECKSUM_START..].first_chunk()?);
    let text = std::str::from_utf8(record[TEXT_START..].get(..length as usize)?).ok()?;
    let (status, row) = text.split_once('\n')?;
    Some((serde_json::from_str(status).ok()?, RecordedRow::parse(row)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;
    use std::sync::atomic::AtomicBool;

    fn row(steps: u64) -> RecordedRow {
        let values = vec![("entropy".to_owned(), steps as f64), ("loss".to_owned(), 0.5)];
        RecordedRow { steps, updates: 1, elapsed: 0.25, values, notice: None }
    }

    fn status() -> MonitorStatus {
        MonitorStatus {
            state: RunState::Minutes,
            started: 123.5,
            heartbeat: 1e9,
            elapsed: 7.0,
            steps: 9,
            updates: 8,
            episodes: 7,
            goal_steps: Some(1000),
            speed: 2.5,
            phases: vec![("rollout".into(), 3.0), ("update".into(), 4.0)],
            notice: "rolled back".into(),
        }
    }

    #[test]
    fn status_and_row_come_through() {
        let folder = TestFolder::new("monitor-file");
        let mut writer = MonitorWriter::new(folder.path());
        assert_eq!(read(folder.path()).unwrap_err().kind(), ErrorKind::NotFound);
        writer.write(&status(), "").unwrap();
        assert_eq!(read(folder.path()).unwrap(), (status(), None));
        writer.write(&status(), &row(5).to_line()).unwrap();
        assert_eq!(read(folder.path()).unwrap(), (status(), Some(row(5))));
        // A shorter record overwrites all of the longer record.
        writer.write(&MonitorStatus::default(), "").unwrap();
        assert_eq!(read(folder.path()).unwrap(), (MonitorStatus::default(), None));
    }

    #[test]
    fn the_longest_notice_fits_and_oversized_rows_are_omitted() {
        let folder = TestFolder::new("monitor-long");
        let mut writer = MonitorWriter::new(folder.path());
        let long = MonitorStatus { notice: "\u{1}".repeat(5000), ..status() };
        let mut wide = row(5);
        wide.values = (0..100).map(|i| (format!("{i:<70}"), f64::from(i))).collect();
        writer.write(&long, &wide.to_line()).unwrap();
        let (read, row) = read(folder.path()).unwrap();
        assert_eq!((read.notice.len(), row), (MAX_NOTICE_LEN, None));
    }

    /// Reads the monitor file while another thread overwrites the record. All values of a record are derived from one
    /// number, so that the test detects a mixture of two records.
    #[test]
    fn a_concurrent_reader_sees_only_complete_records() {
        let folder = TestFolder::new("monitor-race");
        let mut writer = MonitorWriter::new(folder.path());
        let mut write = move |n: u64| {
            let status = MonitorStatus { steps: n, notice: n.to_string().repeat(100), ..status() };
            writer.write(&status, &row(n).to_line()).unwrap();
        };
        write(0);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                (1..5000).for_each(&mut write);
                done.store(true, Ordering::Release);
            });
            let mut last_round = false;
            while !last_round {
                last_round = done.load(Ordering::Acquire);
                let (status, newest) = read(folder.path()).unwrap();
                assert_eq!(newest, Some(row(status.steps)));
                let notice = status.steps.to_string().repeat(100);
                assert_eq!(status.notice, notice);
            }
        });
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(64))]

        #[test]
        fn a_damaged_file_is_refused(
            damage in proptest::collection::vec((0..SIZE, 1..=u8::MAX), 1..20)
        ) {
            let folder = TestFolder::new("monitor-damage");
            MonitorWriter::new(folder.path()).write(&status(), &row(5).to_line()).unwrap();
            let path = folder.path().join(FILE);
            let good = std::fs::read(&path).unwrap();
            let mut bytes = good.clone();
            for (place, bits) in damage {
                bytes[place] ^= bits;
            }
            std::fs::write(&path, &bytes).unwrap();
            // Damage to the same byte may cancel out.
            assert_eq!(read(folder.path()).is_ok(), bytes == good);
        }
    }

    #[test]
    fn truncation_is_an_error_for_the_reader_but_not_for_the_writer() {
        let folder = TestFolder::new("monitor-cut");
        let mut writer = MonitorWriter::new(folder.path());
        writer.write(&status(), "").unwrap();
        File::options().write(true).open(folder.path().join(FILE)).unwrap().set_len(0).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("truncated"), "{error}");
        writer.write(&status(), &row(5).to_line()).unwrap();
        assert_eq!(read(folder.path()).unwrap(), (status(), Some(row(5))));
    }

    #[test]
    #[cfg(unix)]
    fn the_file_is_fully_written_before_it_is_renamed() {
        use std::os::unix::fs::MetadataExt;
        let folder = TestFolder::new("monitor-whole");
        MonitorWriter::new(folder.path()).write(&status(), "").unwrap();
        let metadata = std::fs::metadata(folder.path().join(FILE)).unwrap();
        assert_eq!(metadata.len(), SIZE as u64);
        assert!(metadata.blocks() * 512 >= metadata.len(), "{} blocks", metadata.blocks());
        // A failed creation leaves no file behind.
        let taken = folder.path().join("taken");
        std::fs::create_dir_all(taken.join(FILE).join("inside")).unwrap();
        assert!(MonitorWriter::new(&taken).write(&status(), "").is_err());
        assert_eq!(std::fs::read_dir(&taken).unwrap().count(), 1);
    }

    #[test]
    fn a_foreign_file_is_rejected_with_a_reason() {
        let folder = TestFolder::new("monitor-foreign");
        let reason = |bytes: &[u8]| {
            std::fs::write(folder.path().join(FILE), bytes).unwrap();
            read(folder.path()).unwrap_err().to_string()
        };
        assert!(reason(b"").contains("truncated"));
        assert!(reason(&[7; 20_000]).contains("not a monitor file"));
        let good = encode(&status(), "").unwrap();
        assert!(reason(&good[..SIZE - 1]).contains("truncated"));
        let mut newer = good;
        newer[MAGIC.len()] = b'9';
        assert!(reason(&newer).contains("version 9"));
    }
}
