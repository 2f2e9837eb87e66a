//! The folder of a run: how a run is begun, left and taken up again.

use super::about::About;
use super::files::{BEST, LATEST, open_file, read_bytes};
use super::{events, ring};
use crate::failure::Failure;
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

/// The note in a checkpoint that says how its state evaluated.
const QUALITY: &str = "vivarium-evaluation";

/// How the best checkpoint of a folder evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Best {
    /// There is no such checkpoint.
    None,
    /// As well as this.
    Quality(f64),
    /// It does not say: an earlier version of the program wrote it.
    Unknown,
}

/// A folder that holds a run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// The locked file, in the program that trains in it.
    claim: Option<File>,
}

impl RunFolder {
    /// Makes the folder of a new run: `out`, or else the first of `runs/<experiment>-<seed>-1`, `-2`, … not yet there. A run in
    /// `out` that was left before its first checkpoint makes room.
    ///
    /// # Errors
    /// Where `out` has something in it, or cannot be made.
    pub fn create(out: Option<&Path>, about: &About, config: &serde_json::Value) -> Result<Self, Failure> {
        let (path, is_left) = match out {
            Some(path) if path.is_file() => {
                return Err(Failure::file("make the folder", path, "it is a file"));
            }
            Some(path) => {
                fs::create_dir_all(path).map_err(|error| Failure::file("make the folder", path, error))?;
                (path.to_owned(), check_free(path)?)
            }
            None => (first_free(Path::new("runs"), &about.experiment, about.seed)?, false),
        };
        let mut folder = Self { path, claim: None };
        folder.claim()?;
        if is_left {
            terminal::aside(&unbegun(&folder.path));
        }
        folder.write_config(config)?;
        folder.write_about(about)?;
        Ok(folder)
    }

    /// Opens the folder of a run.
    ///
    /// # Errors
    /// Where there is none, naming what is missing.
    pub fn open(path: &Path) -> Result<(Self, About), Failure> {
        let no_run = |what: String| {
            Failure::failed(format!(
                "{} is not a run's folder: {what}. A run's folder is what `vivarium train` made, such as \
                 runs/cartpole-1-1",
                path.display()
            ))
        };
        if !path.is_dir() {
            let what = if path.exists() { "it is a file" } else { "there is nothing of that name" };
            return Err(no_run(what.into()));
        }
        if !path.join(ABOUT).exists() {
            return Err(no_run(format!("it has no {ABOUT}")));
        }
        let text = read_bytes(&path.join(ABOUT))?;
        let about = serde_json::from_slice(&text)
            .map_err(|error| no_run(format!("its {ABOUT} is damaged ({error})")))?;
        Ok((Self { path: path.to_owned(), claim: None }, about))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the rows of measurements are.
    pub fn metrics(&self) -> PathBuf {
        self.path.join(METRICS)
    }

    /// The config of a run that was left before its first checkpoint, and says that it begins again; `None` for any other run.
    ///
    /// # Errors
    /// Where the config cannot be read.
    pub fn unbegun(&self) -> Result<Option<serde_json::Value>, Failure> {
        if !is_unbegun(&self.path) {
            return Ok(None);
        }
        let config = self.config()?;
        terminal::aside(&unbegun(&self.path));
        Ok(Some(config))
    }

    /// The config in use.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn config(&self) -> Result<serde_json::Value, Failure> {
        let path = self.path.join(CONFIG);
        serde_json::from_slice(&read_bytes(&path)?)
            .map_err(|error| Failure::failed(format!("{}: it is damaged ({error})", path.display())))
    }

    /// Where the newest checkpoint is.
    pub fn latest(&self) -> PathBuf {
        self.path.join(LATEST)
    }

    /// Where the best checkpoint is.
    pub fn best(&self) -> PathBuf {
        self.path.join(BEST)
    }

    /// Claims the folder for this program, until it ends in whatever way.
    ///
    /// # Errors
    /// Where another program trains in it at this moment.
    pub fn claim(&mut self) -> Result<(), Failure> {
        let path = self.path.join(LOCK);
        let file = File::create(&path).map_err(|error| Failure::file("write", &path, error))?;
        match file.try_lock() {
            // What cannot be removed does no harm.
            Ok(()) => drop(remove_partials(&self.path, &[ABOUT, CONFIG, METRICS, LATEST, BEST])),
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::failed(format!(
                    "{path} is being trained at this moment by another program; watch it with `vivarium monitor {path}`",
                    path = self.path.display()
                )));
            }
            // A file system without locks is no reason not to train.
            Err(TryLockError::Error(_)) => {}
        }
        self.claim = Some(file);
        Ok(())
    }

    /// Notes who trains in it now.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write_about(&self, about: &About) -> Result<(), Failure> {
        self.write(ABOUT, &pretty(&serde_json::json!(about)))
    }

    /// Notes the config in use.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write_config(&self, config: &serde_json::Value) -> Result<(), Failure> {
        self.write(CONFIG, &pretty(config))
    }

    /// Replaces the newest checkpoint.
    ///
    /// # Errors
    /// What the file system says; the old one is then still there.
    pub fn save_latest(&self, checkpoint: &[u8]) -> Result<(), Failure> {
        self.write(LATEST, checkpoint)
    }

    /// Replaces the best checkpoint, with how it evaluated in it: whatever becomes of the other files, later states are
    /// compared with the one that is there.
    ///
    /// # Errors
    /// As [`save_latest`](Self::save_latest).
    pub fn save_best(&self, mut checkpoint: Vec<u8>, quality: f64) -> Result<(), Failure> {
        checkpoint::add_note(&mut checkpoint, QUALITY, &quality.to_string());
        self.write(BEST, &checkpoint)
    }

    /// How the best checkpoint evaluated, where one is there that says so.
    ///
    /// # Errors
    /// What the file system says of a file that is there.
    pub fn best_quality(&self) -> Result<Best, Failure> {
        let path = self.best();
        let mut file = match open_file(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Best::None),
            Err(error) => return Err(Failure::file("read", &path, error)),
        };
        let note = checkpoint::read_note(&mut file, QUALITY)
            .map_err(|error| Failure::file("read", &path, error))?
            .and_then(|note| note.parse::<f64>().ok())
            .filter(|quality| !quality.is_nan());
        Ok(note.map_or(Best::Unknown, Best::Quality))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        replace(&path, bytes).map_err(|error| Failure::file("write", &path, error))
    }
}

/// Refuses a folder that has anything in it but what a run leaves that is killed before its first checkpoint. Returns whether
/// it has that.
fn check_free(path: &Path) -> Result<bool, Failure> {
    let entries = fs::read_dir(path).map_err(|error| Failure::file("read the folder", path, error))?;
    let names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    if names.is_empty() {
        return Ok(false);
    }
    let of_run = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy();
        let known = [ABOUT, CONFIG, METRICS, LATEST, LOCK, ring::FILE, events::START];
        known.iter().any(|known| name.starts_with(known))
    };
    if names.iter().all(of_run) && is_unbegun(path) {
        return Ok(true);
    }
    let path = path.display();
    Err(Failure::usage(if names.iter().any(|name| name == ABOUT) {
        format!(
            "--out {path}: a run is in there already; go on with it by --resume {path}, or name an empty or new folder"
        )
    } else {
        format!("--out {path}: the folder has something in it; name an empty or new one")
    }))
}

/// The folder of a run that `path` is a file of.
pub fn run_of(path: &Path) -> Option<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name()?.to_string_lossy();
    let known = [ABOUT, CONFIG, METRICS, LATEST, BEST, LOCK, ring::FILE];
    let is_known = known.contains(&&*name) || name.starts_with(events::START);
    (is_known && folder.join(ABOUT).is_file()).then_some(folder)
}

/// Whether the run in a folder was left before its first checkpoint, which comes before the first measurements.
fn is_unbegun(path: &Path) -> bool {
    let is_empty = |name: &str| fs::metadata(path.join(name)).map_or(true, |about| about.len() == 0);
    !path.join(LATEST).exists() && !path.join(BEST).exists() && is_empty(METRICS)
}

fn unbegun(path: &Path) -> String {
    format!("The run in {} was left before its first checkpoint; it begins again.", path.display())
}

/// Makes the first folder `<experiment>-<seed>-<n>` that is not there yet; two programs starting at once get two.
fn first_free(runs: &Path, experiment: &str, seed: u64) -> Result<PathBuf, Failure> {
    fs::create_dir_all(runs).map_err(|error| Failure::file("make the folder", runs, error))?;
    for n in 1u64.. {
        let path = runs.join(format!("{experiment}-{seed}-{n}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::file("make the folder", &path, error)),
        }
    }
    Err(Failure::failed("no free folder name in runs/"))
}

fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;

    fn about() -> About {
        About {
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
    fn what_is_written_about_a_run_is_read_back() {
        let folder = TestFolder::new("about");
        let path = folder.path().join("new/run");
        let made = RunFolder::create(Some(&path), &about(), &serde_json::json!({"world": {"gravity": 9.8}}))
            .unwrap();
        let (_, read) = RunFolder::open(&path).unwrap();
        assert_eq!(read, about());
        let config: serde_json::Value =
            serde_json::from_slice(&fs::read(path.join(CONFIG)).unwrap()).unwrap();
        assert_eq!(config["world"]["gravity"], 9.8);

        // What a killed program has left stays while somebody trains, and goes when the folder is taken up again.
        let partial = path.join("latest.safetensors.4000000000.partial");
        fs::write(&partial, b"half").unwrap();
        let (mut second, _) = RunFolder::open(&path).unwrap();
        assert!(second.claim().unwrap_err().message().unwrap().contains("at this moment"));
        assert!(partial.exists());
        drop(made);
        second.claim().unwrap();
        assert!(!partial.exists());
    }

    #[test]
    fn a_folder_in_use_or_without_a_run_is_refused_with_a_reason() {
        let folder = TestFolder::new("refuse");
        let path = folder.path().join("run");
        let open = |path: &Path| RunFolder::open(path).unwrap_err().message().unwrap().to_owned();
        assert!(open(&path).contains("there is nothing of that name"));
        assert!(open(folder.path()).contains("it has no run.json"));
        let create = |path: &Path| RunFolder::create(Some(path), &about(), &serde_json::json!({}));
        let begun = create(&path).unwrap();
        assert!(create(&path).unwrap_err().message().unwrap().contains("at this moment"));
        begun.save_latest(b"a checkpoint").unwrap();
        drop(begun);
        assert!(create(&path).unwrap_err().message().unwrap().contains("--resume"));
        assert!(create(folder.path()).unwrap_err().message().unwrap().contains("something in it"));
        fs::write(path.join(ABOUT), "{").unwrap();
        assert!(open(&path).contains("damaged"));
        assert!(open(&path.join(ABOUT)).contains("it is a file"));
    }
}
