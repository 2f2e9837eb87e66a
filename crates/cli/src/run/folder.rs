//! Folder of a run: creation, locking, checkpoints and resumption.

use super::file_names::{
    CONFIG, LOCK, METADATA, METRICS, NUMBERED, earlier_name, is_file_of_run, numbered_name, numbered_steps,
};
use super::files::{BEST, LATEST, open_file, read_bytes};
use crate::error::CliError;
use crate::terminal;
use crate::text::shell_quoted_path;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use vivarium_lab::checkpoint::{
    self, evaluation,
    file::{partial_target, remove_partials, replace},
};
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::run_metadata::RunMetadata;

/// Evaluation score of the best checkpoint in a run folder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BestCheckpoint {
    /// The folder has no best checkpoint.
    None,
    /// The score of the checkpoint: value of the main evaluation measure, such as the mean return.
    Quality(f64),
    /// The checkpoint has no score, because an older version of the program wrote the file.
    Unknown,
}

/// Folder with the files of a run, and the lock of the folder.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// The open lock file; `None` until [`lock`](Self::lock) locks the folder.
    lock_file: Option<File>,
}

impl RunFolder {
    /// Creates the folder of a new run: `out`, or the first free name among `runs/<experiment>-<seed>-1`, `-2`, …. If
    /// `out` contains a run without a checkpoint, the new run replaces this run.
    ///
    /// # Errors
    /// [`CliError`] if `out` contains other files, cannot be created, or is locked by another process.
    pub fn create(
        out: Option<&Path>,
        metadata: &RunMetadata,
        config: &serde_json::Value,
    ) -> Result<Self, CliError> {
        let (path, is_replaced) = match out {
            Some(path) if path.is_file() => {
                return Err(CliError::file("create the folder", path, "it is a file"));
            }
            Some(path) => {
                fs::create_dir_all(path).map_err(|error| CliError::file("create the folder", path, error))?;
                (path.to_owned(), check_replaceable(path)?)
            }
            None => (create_numbered_folder(Path::new("runs"), &metadata.experiment, metadata.seed)?, false),
        };
        let mut folder = Self { path, lock_file: None };
        folder.lock()?;
        if is_replaced {
            terminal::print_message(&restart_notice(&folder.path));
        }
        folder.write_config(config)?;
        folder.write_metadata(metadata)?;
        Ok(folder)
    }

    /// Opens the folder of an existing run and reads the metadata of the run.
    ///
    /// # Errors
    /// [`CliError`] if the path is not a run folder; the message names the missing file.
    pub fn open(path: &Path) -> Result<(Self, RunMetadata), CliError> {
        let folder = Self::find(path)?;
        let text = read_bytes(&path.join(METADATA))?;
        let metadata = serde_json::from_slice(&text).map_err(|error| {
            let run = shell_quoted_path(path);
            CliError::failed(format!(
                "{}: {METADATA} is damaged ({error}); restore the file, start a new run from its checkpoint with `vivarium train \
                 --from {}`, or delete the run with `vivarium runs delete {run}`",
                path.display(),
                shell_quoted_path(&folder.latest()),
            ))
        })?;
        Ok((folder, metadata))
    }

    /// Opens the folder of an existing run without its metadata, which may be damaged.
    ///
    /// # Errors
    /// [`CliError`] if the path is not a run folder; the message names the missing file.
    pub fn find(path: &Path) -> Result<Self, CliError> {
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
        if !path.join(METADATA).exists() {
            return Err(match first_run_in(path) {
                Some(run) => CliError::failed(format!(
                    "{} is not a run folder, but a folder with runs; name one of its runs, such as {}",
                    path.display(),
                    run.display()
                )),
                None => no_run(format!("it has no {METADATA}")),
            });
        }
        Ok(Self { path: path.to_owned(), lock_file: None })
    }

    /// Returns the path of the run folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the file `metrics.jsonl`, which holds the metric rows of the run.
    pub fn metrics(&self) -> PathBuf {
        self.path.join(METRICS)
    }

    /// Returns the config of the run if the run has no checkpoint, and prints that the run restarts. Returns `None`
    /// if the run has a checkpoint.
    ///
    /// # Errors
    /// [`CliError`] if the config cannot be read.
    pub fn config_without_checkpoint(&self) -> Result<Option<serde_json::Value>, CliError> {
        if !has_no_checkpoint(&self.path) {
            return Ok(None);
        }
        let config = self.config()?;
        terminal::print_message(&restart_notice(&self.path));
        Ok(Some(config))
    }

    /// Reads the complete config at the start of the run from the file `config.json`.
    ///
    /// # Errors
    /// [`CliError`] if the config cannot be read.
    pub fn config(&self) -> Result<serde_json::Value, CliError> {
        let path = self.path.join(CONFIG);
        serde_json::from_slice(&read_bytes(&path)?).map_err(|error| {
            CliError::failed(format!(
                "{}: the config is damaged ({error}); restore the file, or start a new run",
                path.display()
            ))
        })
    }

    /// Returns the complete config of the latest session of the run, whose metadata are `metadata`.
    ///
    /// # Errors
    /// [`CliError`] if the config at the start of the run cannot be read.
    pub fn current_config(&self, metadata: &RunMetadata) -> Result<serde_json::Value, CliError> {
        let mut config = self.config()?;
        metadata.apply_changes(&mut config);
        Ok(config)
    }

    /// Returns whether `path` is a folder with the metadata of a run.
    pub fn is_run(path: &Path) -> bool {
        path.join(METADATA).is_file()
    }

    /// Deletes the files of the run, and the folder if it has no other files. Returns whether the folder was deleted.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be deleted.
    pub fn delete(self) -> Result<bool, CliError> {
        let Self { path, lock_file } = self;
        // Some systems do not delete open files.
        drop(lock_file);
        let failed = |error| CliError::file("delete", &path, error);
        let entries = fs::read_dir(&path).map_err(failed)?;
        for entry in entries.filter_map(Result::ok).filter(|entry| is_file_of_run(&entry.file_name())) {
            fs::remove_file(entry.path()).map_err(|error| CliError::file("delete", &entry.path(), error))?;
        }
        let is_empty = fs::read_dir(&path).map_err(failed)?.next().is_none();
        if is_empty {
            fs::remove_dir(&path).map_err(failed)?;
        }
        Ok(is_empty)
    }

    /// Returns the total size of the files of the run in bytes.
    pub fn size(&self) -> u64 {
        let entries = fs::read_dir(&self.path).into_iter().flatten().filter_map(Result::ok);
        let files = entries.filter(|entry| is_file_of_run(&entry.file_name()));
        files.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
    }

    /// Returns the path of the latest checkpoint, which may be missing.
    pub fn latest(&self) -> PathBuf {
        self.path.join(LATEST)
    }

    /// Returns the path of the best checkpoint, which may be missing.
    pub fn best(&self) -> PathBuf {
        self.path.join(BEST)
    }

    /// Returns the path of the best checkpoint, or of the latest checkpoint if the run has not been evaluated yet. The latest
    /// checkpoint may be missing.
    pub fn best_or_latest(&self) -> PathBuf {
        Some(self.best()).filter(|best| best.is_file()).unwrap_or_else(|| self.latest())
    }

    /// Locks the folder against other training processes until this process exits, and removes temporary files of
    /// killed processes.
    ///
    /// # Errors
    /// [`CliError`] if another process has locked the folder.
    pub fn lock(&mut self) -> Result<(), CliError> {
        let path = self.path.join(LOCK);
        let file = File::create(&path).map_err(|error| CliError::file("write", &path, error))?;
        match file.try_lock() {
            // Temporary files that cannot be removed are harmless.
            Ok(()) => drop(remove_partials(&self.path, |name| is_file_of_run(name.as_ref()))),
            Err(TryLockError::WouldBlock) => {
                return Err(CliError::failed(format!(
                    "another process is training the run in {path}; monitor it with `vivarium monitor {path}`",
                    path = self.path.display()
                )));
            }
            // Train without a lock if the file system does not support locks.
            Err(TryLockError::Error(_)) => {}
        }
        self.lock_file = Some(file);
        Ok(())
    }

    /// Returns whether a process has locked the folder; `None` if the lock file is missing, or the file system does not
    /// support locks.
    pub fn is_locked(&self) -> Option<bool> {
        match File::open(self.path.join(LOCK)).ok()?.try_lock_shared() {
            Ok(()) => Some(false),
            Err(TryLockError::WouldBlock) => Some(true),
            Err(TryLockError::Error(_)) => None,
        }
    }

    /// Writes the metadata of the run to `run.json`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written.
    pub fn write_metadata(&self, metadata: &RunMetadata) -> Result<(), CliError> {
        self.write(METADATA, &pretty(&serde_json::json!(metadata)))
    }

    /// Reads the metadata of the run, changes them by `change`, and writes them to `run.json` if they differ.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be read or written.
    pub fn update_metadata(&self, change: impl FnOnce(RunMetadata) -> RunMetadata) -> Result<(), CliError> {
        let (_, before) = Self::open(&self.path)?;
        let after = change(before.clone());
        if after == before { Ok(()) } else { self.write_metadata(&after) }
    }

    /// Writes the config at the start of the run to `config.json`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written.
    fn write_config(&self, config: &serde_json::Value) -> Result<(), CliError> {
        self.write(CONFIG, &pretty(config))
    }

    /// Replaces the file `latest.safetensors` by the bytes of a new latest checkpoint.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written; the previous checkpoint then remains.
    pub fn save_latest(&self, checkpoint: &[u8]) -> Result<(), CliError> {
        self.write(LATEST, checkpoint)
    }

    /// Replaces the best checkpoint by `checkpoint`, which has its evaluation ([`evaluation::add`]).
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written; the previous checkpoint then remains.
    pub fn save_best(&self, checkpoint: &[u8]) -> Result<(), CliError> {
        self.write(BEST, checkpoint)
    }

    /// Saves a numbered checkpoint after `steps` training steps, and deletes the oldest numbered checkpoints except the last
    /// `kept`. A failed write deletes none.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be written, or an old one cannot be deleted.
    pub fn save_numbered(&self, checkpoint: &[u8], steps: u64, kept: usize) -> Result<(), CliError> {
        // The message is the same for all numbered checkpoints, so that a full disk is reported once a minute.
        replace(&self.numbered_path(steps), checkpoint)
            .map_err(|error| CliError::file("write", &self.numbered_label(), error))?;
        let all = self.numbered();
        for steps in &all[..all.len().saturating_sub(kept)] {
            let path = self.numbered_path(*steps);
            fs::remove_file(&path).map_err(|error| CliError::file("delete", &path, error))?;
        }
        Ok(())
    }

    /// Returns the path of the numbered checkpoints in messages, which has a placeholder for the training steps.
    pub fn numbered_label(&self) -> PathBuf {
        self.path.join(NUMBERED)
    }

    /// Returns the path of the numbered checkpoint after `steps` training steps, which may be missing.
    pub fn numbered_path(&self, steps: u64) -> PathBuf {
        self.path.join(numbered_name(steps))
    }

    /// Returns the training steps of the numbered checkpoints, in ascending order.
    pub fn numbered(&self) -> Vec<u64> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().filter_map(Result::ok);
        let mut steps: Vec<_> = entries.filter_map(|entry| numbered_steps(&entry.file_name())).collect();
        steps.sort_unstable();
        steps
    }

    /// Returns the paths of the numbered checkpoints, the newest first, of the best checkpoint and of the latest checkpoint, of
    /// which the last two may be missing.
    pub fn checkpoints(&self) -> Vec<PathBuf> {
        let numbered = self.numbered().into_iter().rev().map(|steps| self.numbered_path(steps));
        numbered.chain([self.best(), self.latest()]).collect()
    }

    /// Renames the best checkpoint to `earlier-best.safetensors`, because its evaluation was of another task. Returns whether
    /// there was one.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be renamed.
    pub fn retire_best(&self) -> Result<bool, CliError> {
        self.retire(BEST)
    }

    /// Sets aside the best and the numbered checkpoints with more than `steps` training steps: a run that is resumed from this
    /// step trains the later steps again. Returns the number of training steps and the name of each of these checkpoints.
    ///
    /// # Errors
    /// [`CliError::Failed`] if a file cannot be read or renamed.
    pub fn retire_later_than(&self, steps: u64) -> Result<Vec<(u64, String)>, CliError> {
        let numbered = self.numbered().into_iter().map(|steps| (steps, numbered_name(steps)));
        let all = self.best_steps()?.map(|steps| (steps, BEST.to_owned())).into_iter().chain(numbered);
        let later: Vec<_> = all.filter(|(saved, _)| *saved > steps).collect();
        later.iter().try_for_each(|(_, name)| self.retire(name).map(drop))?;
        Ok(later)
    }

    /// Renames the checkpoint `name` to `earlier-NAME`. Returns whether there was one.
    fn retire(&self, name: &str) -> Result<bool, CliError> {
        let path = self.path.join(name);
        match fs::rename(&path, self.path.join(earlier_name(name))) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(CliError::file("rename", &path, error)),
        }
    }

    /// Reads the number of training steps of the best checkpoint from its file; `None` if the file is missing or damaged.
    fn best_steps(&self) -> Result<Option<u64>, CliError> {
        let path = self.best();
        match open_file(&path).and_then(|mut file| checkpoint::read_steps(&mut file)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(CliError::file("read", &path, error)),
            steps => Ok(steps.ok().flatten()),
        }
    }

    /// Reads the evaluation score of the best checkpoint from its file.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file exists but cannot be read.
    pub fn best_quality(&self) -> Result<BestCheckpoint, CliError> {
        let path = self.best();
        let mut file = match open_file(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BestCheckpoint::None),
            Err(error) => return Err(CliError::file("read", &path, error)),
        };
        let score =
            evaluation::read_score(&mut file).map_err(|error| CliError::file("read", &path, error))?;
        Ok(score.map_or(BestCheckpoint::Unknown, BestCheckpoint::Quality))
    }

    /// Reads training steps and evaluation of the best checkpoint from its file; `None` if the file is missing, invalid, or of an
    /// earlier version.
    pub fn best_evaluation(&self, measures: &dyn Measures) -> Option<(u64, Evaluation)> {
        evaluation::read(&mut open_file(&self.best()).ok()?, measures)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        let path = self.path.join(name);
        replace(&path, bytes).map_err(|error| CliError::file("write", &path, error))
    }
}

/// Returns the path of the first run folder in `folder`, by name; `None` if there is none.
fn first_run_in(folder: &Path) -> Option<PathBuf> {
    let paths = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| RunFolder::is_run(path)).min()
}

/// Checks that a new run may use the folder: the folder is empty, or has only the files of a run without a
/// checkpoint. Returns whether there is such a run, which is then replaced.
///
/// # Errors
/// [`CliError::Usage`] if the folder contains other files.
fn check_replaceable(path: &Path) -> Result<bool, CliError> {
    let entries = fs::read_dir(path).map_err(|error| CliError::file("read the folder", path, error))?;
    let names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    if names.is_empty() {
        return Ok(false);
    }
    // A killed process leaves temporary files.
    let target = |name: &OsStr| name.to_str().and_then(partial_target).map(OsString::from);
    let of_run = |name: &OsString| is_file_of_run(&target(name).unwrap_or_else(|| name.clone()));
    if names.iter().all(of_run) && has_no_checkpoint(path) {
        return Ok(true);
    }
    let path = path.display();
    Err(CliError::usage(if names.iter().any(|name| name == METADATA) {
        format!(
            "--out {path}: the folder has a run; resume it with --resume {path}, or use an empty or new folder"
        )
    } else {
        format!("--out {path}: the folder is not empty; use an empty or new one")
    }))
}

/// Returns the config file of the run if `path` is a run folder or its `run.json`, and otherwise `path`.
pub fn config_file(path: PathBuf) -> PathBuf {
    if RunFolder::is_run(&path) {
        return path.join(CONFIG);
    }
    let is_metadata = path.file_name() == Some(METADATA.as_ref()) && path.is_file();
    if is_metadata { path.with_file_name(CONFIG) } else { path }
}

/// Returns the run folder in which `path` is a file of the run; `None` for any other path.
pub fn containing_run(path: &Path) -> Option<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    (is_file_of_run(path.file_name()?) && RunFolder::is_run(folder)).then_some(folder)
}

/// Returns whether the run in the folder `path` has no checkpoint yet. Such a run has no metrics either, because the
/// first checkpoint is written before the first metrics.
fn has_no_checkpoint(path: &Path) -> bool {
    let is_empty = |name: &str| fs::metadata(path.join(name)).map_or(true, |metadata| metadata.len() == 0);
    !path.join(LATEST).exists() && !path.join(BEST).exists() && is_empty(METRICS)
}

fn restart_notice(path: &Path) -> String {
    format!("The run in {} has no checkpoint yet; it restarts from the beginning.", path.display())
}

/// Creates the folder `<experiment>-<seed>-<n>` in `runs` with the smallest free number n. Concurrent processes get
/// different folders.
fn create_numbered_folder(runs: &Path, experiment: &str, seed: u64) -> Result<PathBuf, CliError> {
    fs::create_dir_all(runs).map_err(|error| CliError::file("create the folder", runs, error))?;
    for n in 1u64.. {
        let path = runs.join(format!("{experiment}-{seed}-{n}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(CliError::file("create the folder", &path, error)),
        }
    }
    Err(CliError::failed("no free folder name in runs/; specify a folder with --out DIR"))
}

/// Returns the first path `runs/<experiment>-seeds-<n>` that does not exist: the default folder of a study of seeds. The
/// folder is not created, because the command line of the study has not been checked yet.
pub fn free_study_folder(experiment: &str) -> PathBuf {
    let path = |n: u64| Path::new("runs").join(format!("{experiment}-seeds-{n}"));
    (1..).map(path).find(|path| !path.exists()).unwrap_or_else(|| path(1))
}

fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use crate::test_folder::TestFolder;

    #[test]
    fn folders_count_up_and_are_never_shared() {
        let folder = TestFolder::new("first-free");
        let names: Vec<_> =
            (0..3).map(|_| create_numbered_folder(folder.path(), "cartpole", 7).unwrap()).collect();
        assert!(names[0].ends_with("cartpole-7-1") && names[2].ends_with("cartpole-7-3"), "{names:?}");
    }

    #[test]
    fn run_metadata_round_trips() {
        let folder = TestFolder::new("metadata");
        let path = folder.path().join("new/run");
        let made = RunFolder::create(
            Some(&path),
            &example_metadata(),
            &serde_json::json!({"world": {"gravity": 9.8}}),
        )
        .unwrap();
        let (_, read) = RunFolder::open(&path).unwrap();
        assert_eq!(read, example_metadata());
        let config: serde_json::Value =
            serde_json::from_slice(&fs::read(path.join(CONFIG)).unwrap()).unwrap();
        assert_eq!(config["world"]["gravity"], 9.8);

        // Temporary files of a killed process are removed when the folder is locked.
        let partial = path.join("latest.safetensors.a1B2c3.partial");
        fs::write(&partial, b"half").unwrap();
        let (mut second, _) = RunFolder::open(&path).unwrap();
        assert!(second.lock().unwrap_err().message().unwrap().contains("another process"));
        assert!(partial.exists());
        drop(made);
        second.lock().unwrap();
        assert!(!partial.exists());
    }

    #[test]
    fn a_folder_in_use_or_without_a_run_is_rejected_with_a_reason() {
        let folder = TestFolder::new("refuse");
        let path = folder.path().join("run");
        let open = |path: &Path| RunFolder::open(path).unwrap_err().message().unwrap().to_owned();
        assert!(open(&path).contains("it does not exist"));
        assert!(open(folder.path()).contains("it has no run.json"));
        let study = TestFolder::new("study");
        RunFolder::create(Some(&study.path().join("1")), &example_metadata(), &serde_json::json!({}))
            .unwrap();
        let said = open(study.path());
        assert!(
            said.contains("folder with runs")
                && said.ends_with(&study.path().join("1").display().to_string()),
            "{said}"
        );
        let create = |path: &Path| RunFolder::create(Some(path), &example_metadata(), &serde_json::json!({}));
        let begun = create(&path).unwrap();
        assert!(create(&path).unwrap_err().message().unwrap().contains("another process"));
        begun.save_latest(b"a checkpoint").unwrap();
        drop(begun);
        assert!(create(&path).unwrap_err().message().unwrap().contains("--resume"));
        assert!(create(folder.path()).unwrap_err().message().unwrap().contains("not empty"));
        fs::write(path.join(METADATA), "{").unwrap();
        assert!(open(&path).contains("damaged"));
        assert!(open(&path.join(METADATA)).contains("it is a file"));
    }
}
