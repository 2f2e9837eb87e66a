//! The text that a language model learns from: a file or a folder.

use crate::error::CliError;
use crate::terminal;
use crate::text::quoted;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lm::{ByteSource, DataError, LanguagePreset, data};

/// A text of up to so many bytes is checked to be UTF-8 from its beginning to its end before a run begins, in about a second.
const MOST_CHECKED: u64 = 1 << 30;

/// Bytes that are checked at a time.
const BLOCK: u64 = 1 << 20;

/// Preparations that take longer than this are announced.
const LONG: Duration = Duration::from_millis(500);

/// Refuses a preset that is made for a text of the user's where no text is named: it would learn the encyclopedia, and its
/// losses would not be those that its name promises.
///
/// # Errors
/// What to add to the command line.
pub fn check_named(given: &Value) -> Result<(), String> {
    let preset = LanguagePreset::ShakespeareChar.name();
    if given["preset"] != preset || given.get("data").is_some() {
        return Ok(());
    }
    Err(format!(
        "preset = {preset} is made for a text of yours, which the program does not bring: add --set data=FILE, such as the \
         input.txt that nanoGPT's data/shakespeare_char/prepare.py downloads, or --set data= to learn the built-in \
         encyclopedia"
    ))
}

/// Does all that comes before training on a text that was brought, so that a text that cannot be learned from is refused
/// before anything is written.
///
/// # Errors
/// What is wrong with the text.
pub fn prepare(experiment: &mut dyn Experiment, cpu: &Cpu) -> Result<(), String> {
    let name = experiment.config()["data"].as_str().unwrap_or_default().to_owned();
    if name.is_empty() {
        return Ok(());
    }
    let (start, mut is_announced) = (Instant::now(), false);
    while experiment.is_preparing() {
        cpu.install(|| experiment.advance(cpu)).map_err(|error| error.to_string())?;
        if !is_announced && start.elapsed() > LONG {
            terminal::aside(&format!("Reading {name} and making a tokenizer from it."));
            is_announced = true;
        }
    }
    Ok(())
}

/// Refuses text that is not UTF-8, of all that can be read in about a second.
fn check_utf8(sources: &[Box<dyn ByteSource>]) -> Result<(), DataError> {
    let (mut left, mut bytes) = (MOST_CHECKED, Vec::new());
    for source in sources {
        let name = || source.name().to_owned();
        let (mut at, end) = (0, source.len().min(left));
        left -= end;
        while at < end {
            let len = BLOCK.min(end - at);
            bytes.resize(len as usize, 0);
            source
                .read_at(at, &mut bytes)
                .map_err(|error| DataError::Read { name: name(), problem: error.to_string() })?;
            match str::from_utf8(&bytes) {
                Ok(_) => at += len,
                // A character that goes on in the next block.
                Err(error)
                    if error.error_len().is_none() && at + len < source.len() && error.valid_up_to() > 0 =>
                {
                    at += error.valid_up_to() as u64;
                }
                Err(error) => {
                    let at = at + error.valid_up_to() as u64;
                    return Err(DataError::NotUtf8 { name: name(), at, hint: "; save the text as UTF-8" });
                }
            }
        }
    }
    Ok(())
}

/// Opens the text that an experiment misses, if it does.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub fn bring(experiment: &mut dyn Experiment) -> Result<(), String> {
    let Some(name) = experiment.missing_data().map(str::to_owned) else { return Ok(()) };
    let path = Path::new(&name);
    let whole =
        || data::open(path).and_then(|sources| check_utf8(&sources)).map_err(|error| error.to_string());
    bring_from(experiment, path).and_then(|()| whole()).map_err(|error| format!("data = {name}: {error}"))
}

/// Opens the text that a person gives for an experiment of a checkpoint. A file that only the checkpoint names is not opened:
/// it may come from anybody.
///
/// # Errors
/// [`CliError::Usage`] with the name of the text that is missing, or if none is; [`CliError::Failed`] for one that cannot be
/// read or is another one.
pub fn bring_given(experiment: &mut dyn Experiment, given: Option<&Path>) -> Result<(), CliError> {
    match (experiment.missing_data(), given) {
        (None, None) => Ok(()),
        (None, Some(path)) => Err(CliError::usage(format!(
            "--text {}: this model has its text, the encyclopedia that writes itself; leave --text out",
            path.display()
        ))),
        (Some(name), None) => Err(CliError::usage(format!(
            "this model learned from a text of yours, '{name}', some of which it is to be tried on; say where it is, such as \
             --text {}",
            quoted(name)
        ))),
        (Some(_), Some(path)) => bring_from(experiment, path)
            .map_err(|error| CliError::failed(format!("--text {}: {error}", path.display()))),
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
