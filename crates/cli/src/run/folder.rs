//! The folder of a run: creation, locking, checkpoints and resumption.

use super::files::{BEST, LATEST, open_file, read_bytes};
use super::metadata::RunMetadata;
use super::{events, monitor_file};
use crate::error::CliError;
use crate::terminal;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use vivarium_lab::checkpoint::{
    self,
    file::{remove_partials, replace},
};

const ABOUT: &str = "run.json";
const CONFIG: &str = "config.json";
const METRICS: &str = "metrics.jsonl";
const LOCK: &str = ".lock";

/// Metadata key under which `best.safetensors` stores its evaluation score.
const QUALITY: &str = "vivarium-evaluation";

/// Best checkpoint of a run folder, with its evaluation score (quality).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BestCheckpoint {
    /// The folder has no best checkpoint.
    None,
    /// Evaluation score of the checkpoint.
    Quality(f64),
    /// The checkpoint contains no score, because an older program version wrote it.
    Unknown,
}

/// Folder of a run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// The open lock file; `None` until [`claim`](Self::claim) locks the folder.
    claim: Option<File>,
}

impl RunFolder {
    /// Creates the folder of a new run: `out`, or the first free name among `runs/<experiment>-<seed>-1`, `-2`, …. If
    /// `out` has a run without a checkpoint, the run is replaced.
    ///
    /// # Errors
    /// [`CliError`] if `out` contains other files or cannot be created.
    pub fn create(
        out: Option<&Path>,
        metadata: &RunMetadata,
        config: &serde_json::Value,
    ) -> Result<Self, CliError> {
        let (path, is_left) = match out {
            Some(path) if path.is_file() => {
                return Err(CliError::file("make the folder", path, "it is a file"));
            }
            Some(path) => {
                fs::create_dir_all(path).map_err(|error| CliError::file("make the folder", path, error))?;
                (path.to_owned(), check_free(path)?)
            }
            None => (first_free(Path::new("runs"), &metadata.experiment, metadata.seed)?, false),
        };
        let mut folder = Self { path, claim: None };
        folder.claim()?;
        if is_left {
            terminal::aside(&restart_notice(&folder.path));
        }
        folder.write_config(config)?;
        folder.write_about(metadata)?;
        Ok(folder)
    }

    /// Opens the folder of a run and reads its metadata.
    ///
    /// # Errors
    /// [`CliError`] if the path is not a run folder; the message names the missing file.
    pub fn open(path: &Path) -> Result<(Self, RunMetadata), CliError> {
        let no_run = |what: String| {
            CliError::failed(format!(
                "{} is not a run folder: {what}. Run folders are created by `vivarium train`, such as runs/cartpole-1-1",
                path.display()
            ))
        };
        if !path.is_dir() {
            let what = if path.exists() { "it is a file" } else { "it does not exist" };
            return Err(no_run(what.into()));
        }
        if !path.join(ABOUT).exists() {
            return Err(no_run(format!("it has no {ABOUT}")));
        }
        let text = read_bytes(&path.join(ABOUT))?;
        let metadata = serde_json::from_slice(&text)
            .map_err(|error| no_run(format!("its {ABOUT} is damaged ({error})")))?;
        Ok((Self { path: path.to_owned(), claim: None }, metadata))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of `metrics.jsonl`.
    pub fn metrics(&self) -> PathBuf {
        self.path.join(METRICS)
    }

    /// Returns the config of a run without a checkpoint, and prints that the run restarts. Returns `None` if the run
    /// has a checkpoint.
    ///
    /// # Errors
    /// [`CliError`] if the config cannot be read.
    pub fn config_without_checkpoint(&self) -> Result<Option<serde_json::Value>, CliError> {
        if !has_no_checkpoint(&self.path) {
            return Ok(None);
        }
        let config = self.config()?;
        terminal::aside(&restart_notice(&self.path));
        Ok(Some(config))
    }

    /// Reads the config of the run.
    ///
    /// # Errors
    /// [`CliError`] if the config cannot be read.
    pub fn config(&self) -> Result<serde_json::Value, CliError> {
        let path = self.path.join(CONFIG);
        serde_json::from_slice(&read_bytes(&path)?)
            .map_err(|error| CliError::failed(format!("{}: it is damaged ({error})", path.display())))
    }

    /// Returns the path of the latest checkpoint.
    pub fn latest(&self) -> PathBuf {
        self.path.join(LATEST)
    }

    /// Returns the path of the best checkpoint.
    pub fn best(&self) -> PathBuf {
        self.path.join(BEST)
    }

    /// Locks the folder until the process exits.
    ///
    /// # Errors
    /// [`CliError`] if another process has locked the folder.
    pub fn claim(&mut self) -> Result<(), CliError> {
        let path = self.path.join(LOCK);
        let file = File::create(&path).map_err(|error| CliError::file("write", &path, error))?;
        match file.try_lock() {
            // Temporary files that cannot be removed are harmless.
            Ok(()) => drop(remove_partials(&self.path, &[ABOUT, CONFIG, LATEST, BEST, monitor_file::FILE])),
            Err(TryLockError::WouldBlock) => {
                return Err(CliError::failed(format!(
                    "another process is training the run in {path}; monitor it with `vivarium monitor {path}`",
                    path = self.path.display()
                )));
            }
            // Train without a lock if the file system does not support locks.
            Err(TryLockError::Error(_)) => {}
        }
        self.claim = Some(file);
        Ok(())
    }

    /// Writes the metadata of the run to `run.json`.
    ///
    /// # Errors
    /// File system errors.
    pub fn write_about(&self, metadata: &RunMetadata) -> Result<(), CliError> {
        self.write(ABOUT, &pretty(&serde_json::json!(metadata)))
    }

    /// Writes the config of the run to `config.json`.
    ///
    /// # Errors
    /// File system errors.
    pub fn write_config(&self, config: &serde_json::Value) -> Result<(), CliError> {
        self.write(CONFIG, &pretty(config))
    }

    /// Replaces the latest checkpoint.
    ///
    /// # Errors
    /// File system errors; the previous checkpoint then remains.
    pub fn save_latest(&self, checkpoint: &[u8]) -> Result<(), CliError> {
        self.write(LATEST, checkpoint)
    }

    /// Replaces the best checkpoint. The file stores the evaluation score `quality`, with which later scores are
    /// compared.
    ///
    /// # Errors
    /// Same as [`save_latest`](Self::save_latest).
    pub fn save_best(&self, mut checkpoint: Vec<u8>, quality: f64) -> Result<(), CliError> {
        checkpoint::add_note(&mut checkpoint, QUALITY, &quality.to_string());
        self.write(BEST, &checkpoint)
    }

    /// Reads the evaluation score of the best checkpoint.
    ///
    /// # Errors
    /// File system errors, except for a missing file.
    pub fn best_quality(&self) -> Result<BestCheckpoint, CliError> {
        let path = self.best();
        let mut file = match open_file(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BestCheckpoint::None),
            Err(error) => return Err(CliError::file("read", &path, error)),
        };
        let note = checkpoint::read_note(&mut file, QUALITY)
            .map_err(|error| CliError::file("read", &path, error))?
            .and_then(|note| note.parse::<f64>().ok())
            .filter(|quality| !quality.is_nan());
        Ok(note.map_or(BestCheckpoint::Unknown, BestCheckpoint::Quality))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        let path = self.path.join(name);
        replace(&path, bytes).map_err(|error| CliError::file("write", &path, error))
    }
}

/// Checks that a folder is empty or has only the files of a run without a checkpoint. Returns whether the folder has
/// such files.
fn check_free(path: &Path) -> Result<bool, CliError> {
    let entries = fs::read_dir(path).map_err(|error| CliError::file("read the folder", path, error))?;
    let names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    if names.is_empty() {
        return Ok(false);
    }
    let of_run = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy();
        let known = [ABOUT, CONFIG, METRICS, LATEST, LOCK, monitor_file::FILE, events::START];
        known.iter().any(|known| name.starts_with(known))
    };
    if names.iter().all(of_run) && has_no_checkpoint(path) {
        return Ok(true);
    }
    let path = path.display();
    Err(CliError::usage(if names.iter().any(|name| name == ABOUT) {
        format!(
            "--out {path}: the folder has a run; resume it with --resume {path}, or use an empty or new folder"
        )
    } else {
        format!("--out {path}: the folder is not empty; use an empty or new one")
    }))
}

/// Returns the run folder that contains `path`, if `path` is a file of a run.
pub fn run_of(path: &Path) -> Option<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name()?.to_string_lossy();
    let known = [ABOUT, CONFIG, METRICS, LATEST, BEST, LOCK, monitor_file::FILE];
    let is_known = known.contains(&&*name) || name.starts_with(events::START);
    (is_known && folder.join(ABOUT).is_file()).then_some(folder)
}

/// Returns whether the run in a folder has no checkpoint yet. The first checkpoint is written before the first metrics.
fn has_no_checkpoint(path: &Path) -> bool {
    let is_empty = |name: &str| fs::metadata(path.join(name)).map_or(true, |metadata| metadata.len() == 0);
    !path.join(LATEST).exists() && !path.join(BEST).exists() && is_empty(METRICS)
}

fn restart_notice(path: &Path) -> String {
    format!("The run in {} has no checkpoint yet; it restarts from the beginning.", path.display())
}

/// Creates the first free folder `<experiment>-<seed>-<n>`. Concurrent processes get different folders.
fn first_free(runs: &Path, experiment: &str, seed: u64) -> Result<PathBuf, CliError> {
    fs::create_dir_all(runs).map_err(|error| CliError::file("make the folder", runs, error))?;
    for n in 1u64.. {
        let path = runs.join(format!("{experiment}-{seed}-{n}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(CliError::file("make the folder", &path, error)),
        }
    }
    Err(CliError::failed("no free folder name in runs/"))
}

fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;

    fn metadata() -> RunMetadata {
        RunMetadata {
            experiment: "cartpole".into(),
            seed: 7,
            engine: "cpu".into(),
            adapter: None,
            threads: 2,
            started: 1.5,
            program: "vivarium 0.1.0".into(),
        }
    }

    #[test]
    fn folders_count_up_and_are_never_shared() {
        let folder = TestFolder::new("first-free");
        let names: Vec<_> = (0..3).map(|_| first_free(folder.path(), "cartpole", 7).unwrap()).collect();
        assert!(names[0].ends_with("cartpole-7-1") && names[2].ends_with("cartpole-7-3"), "{names:?}");
    }

    #[test]
    fn run_metadata_round_trips() {
        let folder = TestFolder::new("metadata");
        let path = folder.path().join("new/run");
        let made =
            RunFolder::create(Some(&path), &metadata(), &serde_json::json!({"world": {"gravity": 9.8}}))
                .unwrap();
        let (_, read) = RunFolder::open(&path).unwrap();
        assert_eq!(read, metadata());
        let config: serde_json::Value =
            serde_json::from_slice(&fs::read(path.join(CONFIG)).unwrap()).unwrap();
        assert_eq!(config["world"]["gravity"], 9.8);

        // Temporary files of a killed process are removed when the folder is locked.
        let partial = path.join("latest.safetensors.4000000000.partial");
        fs::write(&partial, b"half").unwrap();
        let (mut second, _) = RunFolder::open(&path).unwrap();
        assert!(second.claim().unwrap_err().message().unwrap().contains("another process"));
        assert!(partial.exists());
        drop(made);
        second.claim().unwrap();
        assert!(!partial.exists());
    }

    #[test]
    fn a_folder_in_use_or_without_a_run_is_rejected_with_a_reason() {
        let folder = TestFolder::new("refuse");
        let path = folder.path().join("run");
        let open = |path: &Path| RunFolder::open(path).unwrap_err().message().unwrap().to_owned();
        assert!(open(&path).contains("it does not exist"));
        assert!(open(folder.path()).contains("it has no run.json"));
        let create = |path: &Path| RunFolder::create(Some(path), &metadata(), &serde_json::json!({}));
        let begun = create(&path).unwrap();
        assert!(create(&path).unwrap_err().message().unwrap().contains("another process"));
        begun.save_latest(b"a checkpoint").unwrap();
        drop(begun);
        assert!(create(&path).unwrap_err().message().unwrap().contains("--resume"));
        assert!(create(folder.path()).unwrap_err().message().unwrap().contains("not empty"));
        fs::write(path.join(ABOUT), "{").unwrap();
        assert!(open(&path).contains("damaged"));
        assert!(open(&path.join(ABOUT)).contains("it is a file"));
    }
}
