//! Checkpoints that commands read: the file or run folder on the command line, or else a network that the program contains.
//!
//! The program contains the networks of the page (`www/src/assets/networks`), which have weights only. The cargo feature
//! `networks` includes them.

use crate::error::CliError;
use crate::run::{RunFolder, containing_run, read_checkpoint};
use crate::{terminal, text};
use serde_json::Value;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use vivarium_exhibits::REGISTRY;
use vivarium_lab::AnyExhibit;
use vivarium_lab::checkpoint::{self, read_header};
use vivarium_lab::error::LabError;

/// Trained network that the program contains.
struct ShippedNetwork {
    /// Name of the experiment that trained the network.
    experiment: &'static str,
    /// Name of the training algorithm, for display.
    algorithm: &'static str,
    /// Bytes of the checkpoint, which has weights only.
    bytes: &'static [u8],
}

/// Declares the networks that the program contains: name of the experiment and of the training algorithm.
macro_rules! shipped_networks {
    ($($experiment:literal: $algorithm:literal,)*) => {
        /// Networks that the program contains.
        #[cfg(feature = "networks")]
        static NETWORKS: &[ShippedNetwork] = &[$(ShippedNetwork {
            experiment: $experiment,
            algorithm: $algorithm,
            bytes: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/../../www/src/assets/networks/", $experiment, ".safetensors"
            )),
        }),*];
    };
}

shipped_networks! {
    "backgammon": "AlphaZero self-play",
    "connect-four": "AlphaZero self-play",
    "cube2": "double DQN with demonstrations",
    "cube3": "EfficientCube",
    "language": "next-token prediction on the built-in encyclopedia",
}

#[cfg(not(feature = "networks"))]
static NETWORKS: &[ShippedNetwork] = &[];

impl ShippedNetwork {
    /// Describes the origin of the network, such as "AlphaZero self-play, 36.1M moves, seed 1".
    ///
    /// # Errors
    /// [`LabError`] if the embedded file is invalid.
    fn origin(&self) -> Result<String, LabError> {
        let header = read_header(self.bytes)?;
        let trained = vivarium_exhibits::info(self.experiment)?.readings.count(header.steps);
        Ok(format!("{}, {trained}, seed {}", self.algorithm, header.seed))
    }
}

/// Contents of a checkpoint file, or of a network that the program contains, with the origin for messages.
pub struct CheckpointFile {
    source: CheckpointSource,
    bytes: Cow<'static, [u8]>,
}

/// Origin of a checkpoint.
enum CheckpointSource {
    File(PathBuf),
    /// Network that the program contains, by the name of its experiment.
    Program(&'static str),
}

impl CheckpointFile {
    /// Reads the checkpoint at `path`. Of a run folder, reads the best checkpoint, or the latest checkpoint if the run has
    /// not been evaluated yet.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be read, or the folder has no run.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        if path.is_dir() {
            return Self::read(&RunFolder::open(path)?.0.best_or_latest());
        }
        Ok(Self { source: CheckpointSource::File(path.to_owned()), bytes: read_checkpoint(path)?.into() })
    }

    /// Reads the checkpoint at `path`, the option `--checkpoint`. Without a path, returns the network of `experiment`
    /// that the program contains, and prints its origin in a terminal.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file cannot be read; [`CliError::Usage`] without a path if the program has no network
    /// of the experiment.
    pub fn open(path: Option<&Path>, experiment: &str) -> Result<Self, CliError> {
        match path {
            Some(path) => Self::read(path),
            None => Self::shipped(experiment)?.ok_or_else(|| {
                CliError::usage(format!("{}; specify --checkpoint FILE", absence(experiment)))
            }),
        }
    }

    /// Returns the network of `experiment` that the program contains, and prints its origin in a terminal; `None` if the
    /// program has no network of this experiment.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the embedded file is invalid.
    pub fn shipped(experiment: &str) -> Result<Option<Self>, CliError> {
        let Some(network) = NETWORKS.iter().find(|network| network.experiment == experiment) else {
            return Ok(None);
        };
        let source = CheckpointSource::Program(network.experiment);
        let file = Self { source, bytes: network.bytes.into() };
        let origin = network.origin().map_err(|error| file.refuse(error))?;
        terminal::print_comment(&format!("Using {}: {origin}.", file.description()));
        Ok(Some(file))
    }

    /// Returns the bytes of the checkpoint.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the path of the file as text; `None` for a network that the program contains.
    pub fn path(&self) -> Option<String> {
        match &self.source {
            CheckpointSource::File(path) => Some(path.display().to_string()),
            CheckpointSource::Program(_) => None,
        }
    }

    /// Returns the path of the file, or a description of the network that the program contains.
    pub fn name(&self) -> String {
        self.path().unwrap_or_else(|| self.description())
    }

    /// Describes the network in a sentence: "the network of FILE" or "the cube3 network of the program".
    pub fn description(&self) -> String {
        match &self.source {
            CheckpointSource::File(path) => format!("the network of {}", path.display()),
            CheckpointSource::Program(experiment) => format!("the {experiment} network of the program"),
        }
    }

    /// Converts an error about the contents of the file to an error that names the file.
    pub fn refuse(&self, error: LabError) -> CliError {
        let name = self.name();
        // A format that the experiment does not support is an error of the command line.
        match error {
            LabError::Invalid { .. } => CliError::usage(format!("{name}: {error}")),
            error => {
                let remedy = self.intact_sibling().map_or(String::new(), |other| {
                    format!("; {} of the same run is intact", other.display())
                });
                CliError::failed(format!("{name}: {error}{remedy}"))
            }
        }
    }

    /// Returns an intact checkpoint of the same run if this file is damaged; `None` for the latest checkpoint, of which
    /// `train --resume` reports the remedy.
    fn intact_sibling(&self) -> Option<PathBuf> {
        let CheckpointSource::File(path) = &self.source else { return None };
        let folder = RunFolder::find(containing_run(path)?).ok()?;
        if *path == folder.latest() || checkpoint::read(&self.bytes).is_ok() {
            return None;
        }
        let is_intact =
            |path: &PathBuf| read_checkpoint(path).is_ok_and(|bytes| checkpoint::read(&bytes).is_ok());
        folder.checkpoints().into_iter().find(is_intact)
    }

    /// Returns the checkpoint with the config that `change` changes. Returns a damaged checkpoint, which cannot be opened, unchanged.
    #[must_use]
    pub fn with_config(self, change: impl FnOnce(&mut Value)) -> Self {
        let Ok((mut header, tensors)) = checkpoint::read(&self.bytes) else { return self };
        change(&mut header.config);
        Self { bytes: checkpoint::write(&header, &tensors.into_vec()).into(), ..self }
    }

    /// Returns the name of the experiment in the header of the checkpoint.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file is invalid.
    pub fn experiment_name(&self) -> Result<String, CliError> {
        read_header(&self.bytes).map(|header| header.experiment).map_err(|error| self.refuse(error))
    }

    /// Returns the name of the experiment in the header of the checkpoint, which must be one of `names`.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the file is invalid or of another experiment.
    pub fn experiment_among(&self, names: [&'static str; 2]) -> Result<&'static str, CliError> {
        let found = self.experiment_name()?;
        names.into_iter().find(|name| *name == found).ok_or_else(|| {
            let needed = names.join(" or ");
            self.refuse(LabError::checkpoint(format!(
                "it belongs to {found}; a checkpoint of {needed} is required"
            )))
        })
    }

    /// Opens the experiment `name` of the checkpoint. Returns the experiment and the number of training steps in the
    /// header. A file with weights only has this number too.
    ///
    /// # Errors
    /// [`CliError`] with the file and its defect.
    pub fn experiment(&self, name: &str) -> Result<(Box<dyn AnyExhibit>, u64), CliError> {
        let open = || {
            let experiment = REGISTRY.open(&self.bytes)?;
            let steps = read_header(&self.bytes)?.steps;
            if experiment.name() == name {
                return Ok((experiment, steps));
            }
            Err(LabError::checkpoint(format!("this is a checkpoint of {}, not of {name}", experiment.name())))
        };
        open().map_err(|error| self.refuse(error))
    }
}

/// Explains why the program has no network of `experiment`.
pub fn absence(experiment: &str) -> String {
    if NETWORKS.is_empty() {
        return format!("no network of {experiment}: this program was built without the feature `networks`");
    }
    let names: Vec<_> = NETWORKS.iter().map(|network| network.experiment).collect();
    format!("the program has no network of {experiment}, only of {}", names.join(", "))
}

/// Formats the networks that the program contains as a table for `vivarium info`: name, size and origin.
pub fn table() -> String {
    if NETWORKS.is_empty() {
        return "  none: this program was built without the feature `networks`".to_owned();
    }
    let row = |network: &ShippedNetwork| {
        let origin = network.origin().unwrap_or_else(|error| error.to_string());
        format!("  {:<14} {:>5} MB  {origin}", network.experiment, megabytes(network.bytes.len()))
    };
    let rows = NETWORKS.iter().map(row);
    let total = NETWORKS.iter().map(|network| network.bytes.len()).sum();
    rows.chain([format!("  {:<14} {:>5} MB of the program", "", megabytes(total))])
        .collect::<Vec<_>>()
        .join("\n")
}

fn megabytes(bytes: usize) -> String {
    text::number(bytes as f64 / 1e6)
}

#[cfg(feature = "networks")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_contains_every_network_of_the_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/src/assets/networks");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let mut names: Vec<_> = files
            .filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        let mut shipped: Vec<_> = NETWORKS.iter().map(|network| network.experiment).collect();
        shipped.sort_unstable();
        assert_eq!(shipped, names);
    }

    #[test]
    fn every_shipped_network_is_of_its_experiment_and_intact() {
        for network in NETWORKS {
            let (header, _) = vivarium_lab::checkpoint::read(network.bytes).unwrap();
            assert_eq!(header.experiment, network.experiment);
            let file = CheckpointFile::shipped(network.experiment).unwrap().unwrap();
            let (_, steps) = file.experiment(network.experiment).unwrap();
            assert_eq!(steps, header.steps);
            assert!(network.origin().unwrap().ends_with(&format!("seed {}", header.seed)));
        }
    }

    #[test]
    fn a_missing_network_is_reported_with_the_remedy() {
        let error = CheckpointFile::open(None, "cartpole").err().unwrap();
        let message = error.message().unwrap();
        assert!(
            message.contains("no network of cartpole") && message.contains("--checkpoint FILE"),
            "{message}"
        );
        assert_eq!(error.code(), 2);
    }
}
