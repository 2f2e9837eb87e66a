//! Where a run's measurements go: three files, none of which anybody has to read.

use super::about::now;
use super::events::EventFile;
use super::folder::RunFolder;
use super::ring::{self, Status};
use super::rows::{self, Row};
use super::thinning::Thinning;

use crate::failure::Failure;
use crate::terminal;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Rows that a watcher may fall behind before it has to read the JSON lines again.
const RING_SLOTS: usize = 4096;

/// Writes rows of measurements to the files of a run's folder.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    lines: BufWriter<File>,
    events: EventFile,
    /// Nothing where it cannot be written: a run goes on unwatched.
    ring: Option<ring::Writer>,
    thinning: Thinning,
    /// What evaluations are compared by.
    quality: String,
}

/// What an earlier session of a run has left.
#[derive(Debug, Default)]
pub struct Before {
    /// Seconds of training.
    pub elapsed: f64,
    /// The best evaluation of all, also of those after the checkpoint.
    pub best: Option<f64>,
    /// Steps of the last evaluation before the checkpoint.
    pub evaluated_at: Option<u64>,
}

impl Before {
    /// Takes note of a row, which stays or is taken out.
    fn note(&mut self, row: &Row, kept: bool, quality: &str) {
        let evaluated = row.get(quality).filter(|quality| !quality.is_nan());
        self.best = self.best.into_iter().chain(evaluated).reduce(f64::max);
        if kept {
            // A line that is none of ours says 0.
            self.elapsed = self.elapsed.max(row.elapsed);
            self.evaluated_at = row.get(quality).map(|_| row.steps).or(self.evaluated_at);
        }
    }
}

impl Recorder {
    /// Opens the files of a run that goes on from `steps` and `updates` (0 for a new one). Rows after that, left by a
    /// session that was killed after its last checkpoint, are taken out. `quality` is what evaluations are compared by.
    ///
    /// # Errors
    /// What the file system says.
    pub fn open(
        folder: &RunFolder,
        steps: u64,
        updates: u64,
        quality: &str,
    ) -> Result<(Self, Before), Failure> {
        let path = folder.metrics();
        let failed = |error| Failure::file("write", &path, error);
        let mut before = Before::default();
        let kept = rows::cut_back(&path, steps, updates, |row, kept| before.note(row, kept, quality));
        let kept = kept.map_err(failed)?;
        let file = File::options().append(true).create(true).open(&path).map_err(failed)?;
        let started = now();
        let in_folder = |error| Failure::file("write in", folder.path(), error);
        let events = EventFile::create(folder.path(), started, steps).map_err(in_folder)?;
        let ring = ring::Writer::create(folder.path(), RING_SLOTS, kept, started);
        let ring = ring.map_err(|error| unwatched(folder.path(), &error)).ok();
        let (thinning, quality) = (Thinning::after(updates), quality.to_owned());
        let lines = BufWriter::new(file);
        Ok((Self { path, lines, events, ring, thinning, quality }, before))
    }

    /// Adds a row to all three. Of a long run some rows are left out, but none with an evaluation or a notice.
    ///
    /// # Errors
    /// What the file system says.
    pub fn record(&mut self, row: &Row) -> Result<(), Failure> {
        let is_recorded = self.thinning.records(row.updates);
        if !is_recorded && row.notice.is_none() && row.get(&self.quality).is_none() {
            return Ok(());
        }
        self.show(|ring| ring.push(row.elapsed, row.steps, &row.values));
        let written = self.lines.write_all(row.to_line().as_bytes());
        written
            .and_then(|()| self.events.scalars(now(), row.steps, &row.values))
            .map_err(|error| Failure::file("write", &self.path, error))
    }

    /// Tells watchers how the run is doing.
    pub fn set_status(&mut self, status: &Status) {
        self.show(|ring| ring.set_status(status));
    }

    /// Writes to the ring, and does without it from the first failure on.
    fn show(&mut self, write: impl FnOnce(&mut ring::Writer) -> std::io::Result<()>) {
        let Some(ring) = &mut self.ring else { return };
        if let Err(error) = write(ring) {
            unwatched(self.path.parent().unwrap_or(&self.path), &error);
            self.ring = None;
        }
    }

    /// Brings what was recorded to where readers of the files see it.
    ///
    /// # Errors
    /// What the file system says.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.lines
            .flush()
            .and_then(|()| self.events.flush())
            .map_err(|error| Failure::file("write", &self.path, error))
    }
}

/// Says that the run in a folder cannot be watched, and takes away a ring that would say nothing new.
fn unwatched(folder: &Path, error: &std::io::Error) {
    let path = folder.join(ring::FILE);
    let _ = std::fs::remove_file(&path);
    let failure = Failure::file("write", &path, error);
    let why = failure.message().unwrap_or_default();
    terminal::aside(&format!("vivarium: {why}; training goes on, but `vivarium monitor` cannot watch it"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::About;
    use crate::test_folder::TestFolder;

    fn about() -> About {
        About {
            experiment: "cartpole".into(),
            seed: 1,
            engine: "cpu".into(),
            adapter: None,
            threads: 1,
            started: 0.0,
            program: String::new(),
        }
    }

    #[test]
    fn a_run_that_cannot_be_watched_is_recorded_all_the_same() {
        let folder = TestFolder::new("unwatched");
        let (path, row) = (folder.path().join("run"), Row { steps: 10, ..Row::default() });
        let run = RunFolder::create(Some(&path), &about(), &serde_json::json!({})).unwrap();
        // A folder in the ring's place cannot be replaced.
        std::fs::create_dir_all(path.join(ring::FILE).join("inside")).unwrap();
        let (mut recorder, _) = Recorder::open(&run, 0, 0, "return_mean").unwrap();
        recorder.record(&row).unwrap();
        recorder.set_status(&Status::default());
        recorder.flush().unwrap();
        let mut steps = Vec::new();
        rows::Tail::new(run.metrics()).read(|row| steps.push(row.steps)).unwrap();
        assert_eq!(steps, [10]);
    }

    #[test]
    fn a_long_run_leaves_out_rows_and_never_what_was_evaluated_or_said() {
        let folder = TestFolder::new("thinned");
        let run =
            RunFolder::create(Some(&folder.path().join("run")), &about(), &serde_json::json!({})).unwrap();
        let (mut recorder, _) = Recorder::open(&run, 0, 0, "eval").unwrap();
        let first = 1_u64 << 26;
        for updates in first..first + 10_000 {
            let mut row = Row { steps: updates, updates, ..Row::default() };
            recorder.record(&row).unwrap();
            if updates % 5000 == 1 {
                row.values.push(("eval".into(), 1.0));
                recorder.record(&row).unwrap();
                row.values.clear();
                row.notice = Some("said".into());
                recorder.record(&row).unwrap();
            }
        }
        recorder.flush().unwrap();
        let mut rows = Vec::new();
        rows::Tail::new(run.metrics()).read(|row| rows.push(row)).unwrap();
        assert_eq!(rows.iter().filter(|row| row.get("eval").is_some()).count(), 2);
        assert_eq!(rows.iter().filter(|row| row.notice.is_some()).count(), 2);
        assert_eq!(rows.len(), 5 + 4, "one in 2048, and the four that are not left out");
        // A watcher finds the same rows under the same numbers.
        let mut ring = ring::Reader::open(run.path()).unwrap();
        assert_eq!(ring.rows().unwrap(), 9);
        assert_eq!(ring.row(8).unwrap().unwrap().steps, rows[8].steps);
    }

    #[test]
    fn a_resumed_run_goes_on_where_its_checkpoint_was() {
        let folder = TestFolder::new("recorder");
        let run =
            RunFolder::create(Some(&folder.path().join("run")), &about(), &serde_json::json!({})).unwrap();
        let row = |steps: u64| Row {
            steps,
            updates: steps / 10,
            elapsed: steps as f64,
            values: vec![("return_mean".into(), steps as f64)],
            notice: None,
        };
        let (mut recorder, before) = Recorder::open(&run, 0, 0, "return_mean").unwrap();
        assert_eq!((before.best, before.evaluated_at, before.elapsed), (None, None, 0.0));
        for steps in [10, 20, 30] {
            recorder.record(&row(steps)).unwrap();
        }
        recorder.flush().unwrap();
        drop(recorder);

        // A line that cannot be read stands for no time.
        let mut text = std::fs::read_to_string(run.metrics()).unwrap();
        text.insert_str(text.match_indices('\n').nth(1).unwrap().0 + 1, "nonsense\n");
        std::fs::write(run.metrics(), text).unwrap();
        let (mut recorder, before) = Recorder::open(&run, 20, 2, "return_mean").unwrap();
        assert_eq!((before.best, before.evaluated_at, before.elapsed), (Some(30.0), Some(20), 20.0));
        recorder.record(&row(40)).unwrap();
        recorder.flush().unwrap();
        let mut steps = Vec::new();
        rows::Tail::new(run.metrics()).read(|row| steps.push(row.steps)).unwrap();
        assert_eq!(steps, [10, 20, 0, 40]);
        let mut ring = ring::Reader::open(run.path()).unwrap();
        assert_eq!(ring.row(3).unwrap().unwrap().steps, 40);
    }
}
