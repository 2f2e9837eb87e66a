//! Recorder of a run: metric rows in `metrics.jsonl` and the TensorBoard event file, status in the monitor file.

use super::events::EventFile;
use super::folder::RunFolder;
use super::metadata::now;
use super::monitor_file::{self, MonitorStatus, MonitorWriter};
use super::record_file::RecordFile;
use super::rows;
use super::thinning::Thinning;
use crate::error::CliError;
use crate::terminal;
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use vivarium_lab::recorded_row::RecordedRow;

/// Recorder that writes the metric rows and the status of a run to the files of the run folder.
#[derive(Debug)]
pub struct MetricsRecorder {
    path: PathBuf,
    lines: RecordFile<File>,
    events: EventFile,
    /// Newest row, which is written to the monitor file. Subsampling may exclude the row from `metrics.jsonl`.
    newest: Option<RecordedRow>,
    /// Writer of the monitor file; `None` after a write error.
    monitor: Option<MonitorWriter>,
    thinning: Thinning,
    /// Name of the main evaluation measure in metric rows.
    quality: String,
}

/// Summary of the rows that earlier sessions of a resumed run have written to `metrics.jsonl`.
#[derive(Debug, Default)]
pub struct PreviousSession {
    /// Training time in seconds up to the checkpoint.
    pub elapsed: f64,
    /// Best evaluation score, including evaluations after the checkpoint; `None` without an evaluation.
    pub best: Option<f64>,
    /// Number of training steps at the last evaluation before the checkpoint; `None` without an evaluation.
    pub evaluated_at: Option<u64>,
}

impl PreviousSession {
    /// Adds a row to the summary. `kept` is `false` for a row after the checkpoint, which is removed from the file.
    /// `quality` is the name of the main evaluation measure.
    fn add_row(&mut self, row: &RecordedRow, kept: bool, quality: &str) {
        let evaluated = row.get(quality).filter(|quality| !quality.is_nan());
        self.best = self.best.into_iter().chain(evaluated).reduce(f64::max);
        if kept {
            // The row of an unreadable line has an `elapsed` of 0.
            self.elapsed = self.elapsed.max(row.elapsed);
            self.evaluated_at = row.get(quality).map(|_| row.steps).or(self.evaluated_at);
        }
    }
}

impl MetricsRecorder {
    /// Opens `metrics.jsonl`, the event file and the monitor file of a run. `steps` and `updates` are the training
    /// steps and gradient steps of the checkpoint (0 for a new run). Removes rows after the checkpoint. `quality` is
    /// the name of the main evaluation measure. `rows` is the maximum number of rows per doubling of the gradient
    /// steps ([`Thinning`]).
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be written.
    pub fn open(
        folder: &RunFolder,
        steps: u64,
        updates: u64,
        quality: &str,
        rows: u32,
    ) -> Result<(Self, PreviousSession), CliError> {
        let path = folder.metrics();
        let failed = |error| CliError::file("write", &path, error);
        let mut before = PreviousSession::default();
        rows::truncate_after(&path, steps, updates, |row, kept| before.add_row(row, kept, quality))
            .map_err(failed)?;
        let file = File::options().append(true).create(true).open(&path).map_err(failed)?;
        let in_folder = |error| CliError::file("write in", folder.path(), error);
        let recorder = Self {
            lines: RecordFile::new(file),
            events: EventFile::create(folder.path(), now(), steps).map_err(in_folder)?,
            newest: None,
            monitor: Some(MonitorWriter::new(folder.path())),
            thinning: Thinning::after(updates, rows),
            quality: quality.to_owned(),
            path,
        };
        Ok((recorder, before))
    }

    /// Writes the hyperparameters of the run to the event file.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written.
    pub fn record_hyperparameters(&mut self, values: &[(String, Value)]) -> Result<(), CliError> {
        self.events
            .hyperparameters(now(), values)
            .map_err(|error| CliError::file("write in", &self.path, error))
    }

    /// Selects whether the next row is recorded. Long runs record only a part of the rows ([`Thinning`]), but every
    /// row with an evaluation or a notice. The row becomes the newest row in the monitor file in any case.
    pub fn select(&mut self, row: &RecordedRow) -> bool {
        let is_dense = self.thinning.should_record(row.updates);
        self.newest = Some(row.clone());
        is_dense || row.notice.is_some() || row.get(&self.quality).is_some()
    }

    /// Appends a row to `metrics.jsonl` and to the event file. `line` is the row as a line of `metrics.jsonl`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be written; the row is kept for the next [`flush`](Self::flush).
    pub fn write(&mut self, row: &RecordedRow, line: &str) -> Result<(), CliError> {
        let line = self.lines.append(line.as_bytes());
        let event = self.events.scalars(now(), row.steps, &row.values);
        line.and(event).map_err(|error| CliError::file("write", &self.path, error))
    }

    /// Appends a row to the files of the run if [`select`](Self::select) selects the row.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be written.
    #[cfg(test)]
    pub fn record(&mut self, row: &RecordedRow) -> Result<(), CliError> {
        if self.select(row) { self.write(row, &row.to_line()) } else { Ok(()) }
    }

    /// Writes the status and the newest row to the monitor file. A write error removes the file, and later calls do
    /// nothing. The first call creates the file; on a full disk, the checkpoint that was written before takes
    /// precedence.
    pub fn set_status(&mut self, status: &MonitorStatus) {
        let Some(monitor) = &mut self.monitor else { return };
        let newest = self.newest.as_ref().map_or_else(String::new, RecordedRow::to_line);
        if let Err(error) = monitor.write(status, &newest) {
            disable_monitor_file(self.path.parent().unwrap_or(&self.path), &error);
            self.monitor = None;
        }
    }

    /// Flushes `metrics.jsonl` and the event file.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be written; the unwritten rows are kept.
    pub fn flush(&mut self) -> Result<(), CliError> {
        let (lines, events) = (self.lines.flush(), self.events.flush());
        lines.and(events).map_err(|error| CliError::file("write", &self.path, error))
    }

    /// Describes the state after failed writes have succeeded again, with the number of rows that were lost.
    pub fn recovery_message(&self) -> String {
        let lost = match self.lines.lost() {
            0 => "no row was lost".to_owned(),
            rows => format!("{rows} rows were lost"),
        };
        format!("{} can be written again; {lost}", self.path.display())
    }
}

/// Prints that the monitor file cannot be written, and removes the file.
fn disable_monitor_file(folder: &Path, error: &std::io::Error) {
    let path = folder.join(monitor_file::FILE);
    let _ = std::fs::remove_file(&path);
    let failure = CliError::file("write", &path, error);
    let why = failure.message().unwrap_or_default();
    terminal::print_at(now(), &format!("{why}; training continues without `vivarium monitor`"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use crate::run::thinning::DEFAULT_ROWS;
    use crate::test_folder::TestFolder;

    #[test]
    fn a_run_without_a_monitor_file_is_recorded() {
        let folder = TestFolder::new("unwatched");
        let (path, row) = (folder.path().join("run"), RecordedRow { steps: 10, ..RecordedRow::default() });
        let run = RunFolder::create(Some(&path), &example_metadata(), &serde_json::json!({})).unwrap();
        // A folder at the path of the monitor file cannot be replaced.
        std::fs::create_dir_all(path.join(monitor_file::FILE).join("inside")).unwrap();
        let (mut recorder, _) = MetricsRecorder::open(&run, 0, 0, "return_mean", DEFAULT_ROWS).unwrap();
        recorder.record(&row).unwrap();
        recorder.set_status(&MonitorStatus::default());
        recorder.flush().unwrap();
        let mut steps = Vec::new();
        rows::RowTail::new(run.metrics()).read(|row| steps.push(row.steps)).unwrap();
        assert_eq!(steps, [10]);
    }

    #[test]
    fn a_long_run_subsamples_rows_except_evaluations_and_notices() {
        let folder = TestFolder::new("thinned");
        let run =
            RunFolder::create(Some(&folder.path().join("run")), &example_metadata(), &serde_json::json!({}))
                .unwrap();
        let (mut recorder, _) = MetricsRecorder::open(&run, 0, 0, "eval", DEFAULT_ROWS).unwrap();
        let first = 1_u64 << 26;
        for updates in first..first + 100_000 {
            let mut row = RecordedRow { steps: updates, updates, ..RecordedRow::default() };
            recorder.record(&row).unwrap();
            if updates % 50_000 == 1 {
                row.values.push(("eval".into(), 1.0));
                recorder.record(&row).unwrap();
                row.values.clear();
                row.notice = Some("said".into());
                recorder.record(&row).unwrap();
            }
        }
        recorder.flush().unwrap();
        let mut rows = Vec::new();
        rows::RowTail::new(run.metrics()).read(|row| rows.push(row)).unwrap();
        assert_eq!(rows.iter().filter(|row| row.get("eval").is_some()).count(), 2);
        assert_eq!(rows.iter().filter(|row| row.notice.is_some()).count(), 2);
        assert_eq!(rows.len(), 7 + 4, "one row in 16384, and the four rows with an evaluation or a notice");
        // The monitor file contains the newest row, even if it is not recorded.
        recorder.set_status(&MonitorStatus::default());
        assert_eq!(monitor_file::read(run.path()).unwrap().1.unwrap().updates, first + 99_999);
    }

    #[test]
    fn a_resumed_run_continues_from_its_checkpoint() {
        let folder = TestFolder::new("recorder");
        let run =
            RunFolder::create(Some(&folder.path().join("run")), &example_metadata(), &serde_json::json!({}))
                .unwrap();
        let row = |steps: u64| RecordedRow {
            steps,
            updates: steps / 10,
            elapsed: steps as f64,
            values: vec![("return_mean".into(), steps as f64)],
            notice: None,
        };
        let (mut recorder, before) = MetricsRecorder::open(&run, 0, 0, "return_mean", DEFAULT_ROWS).unwrap();
        assert_eq!((before.best, before.evaluated_at, before.elapsed), (None, None, 0.0));
        for steps in [10, 20, 30] {
            recorder.record(&row(steps)).unwrap();
        }
        recorder.flush().unwrap();
        drop(recorder);

        // An invalid line counts as a row with an `elapsed` of 0.
        let mut text = std::fs::read_to_string(run.metrics()).unwrap();
        text.insert_str(text.match_indices('\n').nth(1).unwrap().0 + 1, "nonsense\n");
        std::fs::write(run.metrics(), text).unwrap();
        let (mut recorder, before) = MetricsRecorder::open(&run, 20, 2, "return_mean", DEFAULT_ROWS).unwrap();
        assert_eq!((before.best, before.evaluated_at, before.elapsed), (Some(30.0), Some(20), 20.0));
        recorder.record(&row(40)).unwrap();
        recorder.flush().unwrap();
        let mut steps = Vec::new();
        rows::RowTail::new(run.metrics()).read(|row| steps.push(row.steps)).unwrap();
        assert_eq!(steps, [10, 20, 0, 40]);
    }
}
