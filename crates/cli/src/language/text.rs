//! The text that a language model learns from: a file or a folder.

use crate::failure::Failure;
use crate::text::quoted;
use std::path::Path;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lm::data;

/// Opens the text that an experiment misses, if it does.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub fn bring(experiment: &mut dyn Experiment) -> Result<(), String> {
    let Some(name) = experiment.missing_data().map(str::to_owned) else { return Ok(()) };
    bring_from(experiment, Path::new(&name)).map_err(|error| format!("data = {name}: {error}"))
}

/// Opens the text that a person gives for an experiment of a checkpoint. A file that only the checkpoint names is not opened:
/// it may come from anybody.
///
/// # Errors
/// [`Failure::Usage`] with the name of the text that is missing, or if none is; [`Failure::Failed`] for one that cannot be
/// read or is another one.
pub fn bring_given(experiment: &mut dyn Experiment, given: Option<&Path>) -> Result<(), Failure> {
    match (experiment.missing_data(), given) {
        (None, None) => Ok(()),
        (None, Some(path)) => Err(Failure::usage(format!(
            "--text {}: this model has its text, the encyclopedia that writes itself; leave --text out",
            path.display()
        ))),
        (Some(name), None) => Err(Failure::usage(format!(
            "this model learnt from a text of yours, '{name}', some of which it is to be tried on; say where it is, such as \
             --text {}",
            quoted(name)
        ))),
        (Some(_), Some(path)) => bring_from(experiment, path)
            .map_err(|error| Failure::failed(format!("--text {}: {error}", path.display()))),
    }
}

fn bring_from(experiment: &mut dyn Experiment, path: &Path) -> Result<(), String> {
    let sources = data::open(path).map_err(|error| error.to_string())?;
    experiment.bring_data(sources).map_err(without_field)
}

/// What is allowed, without the field and its value, which the caller names by an option.
pub fn without_field(error: LabError) -> String {
    match error {
        LabError::Invalid { allowed, .. } => allowed,
        other => other.to_string(),
    }
}
