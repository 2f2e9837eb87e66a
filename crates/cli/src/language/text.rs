//! The text that a language model learns from: a file or a folder.

use std::path::Path;
use vivarium_lab::experiment::Experiment;
use vivarium_lm::data;

/// Opens the text that an experiment misses, if it does.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub fn bring(experiment: &mut dyn Experiment) -> Result<(), String> {
    let Some(name) = experiment.missing_text() else { return Ok(()) };
    let sources = data::open(Path::new(name)).map_err(|error| format!("data = {name}: {error}"))?;
    experiment.bring_text(sources).map_err(|error| error.to_string())
}
