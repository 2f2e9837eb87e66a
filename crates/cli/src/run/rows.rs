//! Reading of `metrics.jsonl`: a text file with one [`RecordedRow`] per line.

use std::fs;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use vivarium_lab::recorded_row::RecordedRow;

/// Reader of `metrics.jsonl` that returns the rows appended since the last read.
#[derive(Debug)]
pub struct RowTail {
    path: PathBuf,
    offset: u64,
}

impl RowTail {
    /// Creates a reader that starts at the first row of the file at `path`. The file may not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, offset: 0 }
    }

    /// Reads all new complete lines and calls `each` with every row. An invalid line gives a row without values.
    ///
    /// # Errors
    /// [`io::Error`] if the file exists but cannot be read.
    pub fn read(&mut self, mut each: impl FnMut(RecordedRow)) -> io::Result<()> {
        self.read_lines(|row, _| each(row))
    }

    /// Reads all new complete lines and calls `each` with every row and the byte offset of the row's end.
    fn read_lines(&mut self, mut each: impl FnMut(RecordedRow, u64)) -> io::Result<()> {
        let mut file = match super::files::open_file(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        file.seek(SeekFrom::Start(self.offset))?;
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                // End of file, or an incomplete line.
                return Ok(());
            }
            self.offset += length as u64;
            each(
                std::str::from_utf8(&line).ok().and_then(RecordedRow::parse).unwrap_or_default(),
                self.offset,
            );
        }
    }
}

/// Truncates the file at `path`, so that a resumed run does not repeat rows: removes all rows beyond a checkpoint at
/// `steps` training steps and `updates` gradient steps. Calls `each` with every complete row and whether the row is
/// kept. The file may be larger than memory.
///
/// # Errors
/// [`io::Error`] if the file exists but cannot be read or written.
pub fn truncate_after(
    path: &Path,
    steps: u64,
    updates: u64,
    mut each: impl FnMut(&RecordedRow, bool),
) -> io::Result<()> {
    let (mut end, mut beyond) = (0, false);
    RowTail::new(path.to_owned()).read_lines(|row, line_end| {
        beyond |= (row.steps, row.updates) > (steps, updates);
        if !beyond {
            end = line_end;
        }
        each(&row, !beyond);
    })?;
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > end) {
        let file = fs::File::options().write(true).open(path)?;
        file.set_len(end)?;
        file.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;
    use std::io::Write;

    fn row(steps: u64, updates: u64) -> RecordedRow {
        RecordedRow { steps, updates, ..RecordedRow::default() }
    }

    #[test]
    fn a_tail_follows_a_growing_file_line_by_line() {
        let folder = TestFolder::new("tail");
        let path = folder.path().join("metrics.jsonl");
        let mut tail = RowTail::new(path.clone());
        let read = |tail: &mut RowTail| {
            let mut steps = Vec::new();
            tail.read(|row| steps.push(row.steps)).unwrap();
            steps
        };
        assert!(read(&mut tail).is_empty());
        let mut file = fs::File::create(&path).unwrap();
        write!(file, "{}{}", row(1, 0).to_line(), &row(2, 0).to_line()[..5]).unwrap();
        assert_eq!(read(&mut tail), [1]);
        writeln!(file, "{}nonsense", &row(2, 0).to_line()[5..]).unwrap();
        assert_eq!(read(&mut tail), [2, 0]);
    }

    #[test]
    fn truncation_keeps_the_rows_up_to_the_checkpoint() {
        let folder = TestFolder::new("cut");
        let path = folder.path().join("metrics.jsonl");
        let all = [row(10, 4), row(20, 8), row(30, 12)];
        let text: String = all.iter().map(RecordedRow::to_line).collect();
        fs::write(&path, format!("{text}{{\"steps\": 4")).unwrap();
        // The checkpoint is within the iteration that the row with 20 steps summarizes.
        let mut seen = Vec::new();
        truncate_after(&path, 20, 6, |row, kept| seen.push((row.clone(), kept))).unwrap();
        let [first, second, third] = all;
        assert_eq!(fs::read_to_string(&path).unwrap(), first.to_line());
        assert_eq!(seen, [(first, true), (second, false), (third, false)]);
        truncate_after(&path, 20, 8, |_, kept| assert!(kept)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text[..text.find('\n').unwrap() + 1]);
        truncate_after(&folder.path().join("none"), 1, 1, |_, _| unreachable!()).unwrap();
    }
}
