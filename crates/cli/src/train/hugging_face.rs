//! `vivarium train --from-huggingface`: a new run that continues the training of a model of another program.

use crate::error::CliError;
use crate::run::read_checkpoint;
use serde_json::Value;
use std::path::Path;
use vivarium_exhibit_language::{FAMILY, HuggingFaceModel};
use vivarium_lab::{AnyExhibit, LabError};

/// Experiment of the models.
pub const EXPERIMENT: &str = "language";

/// Creates the experiment `name` with the model in a folder in the format of Hugging Face. `given` are the config fields
/// of the command line.
///
/// # Errors
/// [`CliError::Usage`] for another experiment than a language model, and for an invalid config field;
/// [`CliError::Failed`] with the file that is missing or not supported.
pub fn open(folder: &Path, name: &str, given: &Value, seed: u64) -> Result<Box<dyn AnyExhibit>, CliError> {
    let option = format!("--from-huggingface {}", folder.display());
    if !FAMILY.names().contains(&name) {
        let known = FAMILY.names().join(", ");
        return Err(CliError::usage(format!("{option}: {name} has no such models; use it with {known}")));
    }
    if !folder.is_dir() {
        return Err(CliError::failed(format!("{option}: it is not a folder")));
    }
    let [config, weights, tokenizer] =
        HuggingFaceModel::FILES.map(|file| read_checkpoint(&folder.join(file)));
    let (config, weights, tokenizer) = (config?, weights?, tokenizer?);
    // The error of a checkpoint names the file in the folder.
    let refuse = |error| match error {
        LabError::Checkpoint { message } => CliError::failed(format!("{option}: {message}")),
        other => CliError::usage(format!("{option}: {other}")),
    };
    let open =
        || FAMILY.open(&HuggingFaceModel::open([&config, &weights, &tokenizer])?.checkpoint(given, seed)?);
    Ok((FAMILY.any)(open().map_err(refuse)?))
}
