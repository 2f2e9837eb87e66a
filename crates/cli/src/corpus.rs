//! Training corpus of language models: a text file or a folder of text files.

use crate::error::CliError;
use crate::terminal;
use crate::text::shell_quoted;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lm::{ByteSource, DataError, LanguagePreset, data};

/// Maximum number of bytes that are validated as UTF-8 before a run starts: 1 GiB, which takes about a second.
const MAX_CHECKED_BYTES: u64 = 1 << 30;

/// Number of bytes per read of the UTF-8 validation.
const BLOCK_BYTES: u64 = 1 << 20;

/// Duration of tokenizer training after which a progress message is printed.
const MESSAGE_DELAY: Duration = Duration::from_millis(500);

/// Checks that the command line does not select the preset `shakespeare-char` without a corpus. `presets` are the
/// selected presets, and `given` are the config fields.
/// Losses on the default corpus, the built-in encyclopedia, would not be comparable with losses on Shakespeare's
/// works.
///
/// # Errors
/// A message with the option to add to the command line.
pub fn check_presets(presets: &[String], given: &Value) -> Result<(), String> {
    let preset = LanguagePreset::ShakespeareChar.name();
    if presets.iter().all(|selected| selected != preset) || given.get("data").is_some() {
        return Ok(());
    }
    Err(format!(
        "preset = {preset} requires a text that the program does not include: add --set data=FILE, such as the input.txt that \
         nanoGPT's data/shakespeare_char/prepare.py downloads, or --set data= to train on the built-in encyclopedia"
    ))
}

/// Trains the tokenizer if the user has given a corpus, so that an unusable corpus is rejected before the run writes
/// any file.
///
/// # Errors
/// A message with the defect of the corpus.
pub fn train_tokenizer(experiment: &mut dyn Experiment, cpu: &Cpu) -> Result<(), String> {
    let name = experiment.config()["data"].as_str().unwrap_or_default().to_owned();
    if name.is_empty() {
        return Ok(());
    }
    let (start, mut is_announced) = (Instant::now(), false);
    while experiment.is_preparing() {
        cpu.install(|| experiment.advance(cpu)).map_err(|error| error.to_string())?;
        if !is_announced && start.elapsed() > MESSAGE_DELAY {
            terminal::print_message(&format!("Training a tokenizer on {name}."));
            is_announced = true;
        }
    }
    Ok(())
}

/// Validates the first GiB of the corpus as UTF-8.
///
/// # Errors
/// [`DataError`] if a file cannot be read or is not UTF-8, with the offset of the first invalid byte.
fn check_utf8(sources: &[Box<dyn ByteSource>]) -> Result<(), DataError> {
    let (mut left, mut bytes) = (MAX_CHECKED_BYTES, Vec::new());
    for source in sources {
        let name = || source.name().to_owned();
        let (mut at, end) = (0, source.len().min(left));
        left -= end;
        while at < end {
            let len = BLOCK_BYTES.min(end - at);
            bytes.resize(len as usize, 0);
            source
                .read_at(at, &mut bytes)
                .map_err(|error| DataError::Read { name: name(), problem: error.to_string() })?;
            match str::from_utf8(&bytes) {
                Ok(_) => at += len,
                // A character may continue in the next block.
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

/// Opens the training corpus that the config of the experiment names, validates it and supplies it to the experiment.
/// Does nothing if the experiment needs no corpus.
///
/// # Errors
/// A message with the defect of the corpus.
pub fn supply(experiment: &mut dyn Experiment) -> Result<(), String> {
    let Some(name) = experiment.missing_data().map(str::to_owned) else { return Ok(()) };
    let path = Path::new(&name);
    let whole =
        || data::open(path).and_then(|sources| check_utf8(&sources)).map_err(|error| error.to_string());
    supply_from(experiment, path).and_then(|()| whole()).map_err(|error| format!("data = {name}: {error}"))
}

/// Supplies the corpus at the path `given` to an experiment from a checkpoint. The path in the checkpoint is never
/// opened, because checkpoints are untrusted.
///
/// # Errors
/// [`CliError::Usage`] if the corpus is missing or not needed; [`CliError::Failed`] if it cannot be read or differs
/// from the corpus that the model was trained on.
pub fn supply_given(experiment: &mut dyn Experiment, given: Option<&Path>) -> Result<(), CliError> {
    match (experiment.missing_data(), given) {
        (None, None) => Ok(()),
        (None, Some(path)) => Err(CliError::usage(format!(
            "--text {}: this model was trained on the built-in encyclopedia; omit --text",
            path.display()
        ))),
        (Some(name), None) => Err(CliError::usage(format!(
            "this model was trained on the text '{name}', whose held-out part is needed; specify the text, such as --text {}",
            shell_quoted(name)
        ))),
        (Some(_), Some(path)) => supply_from(experiment, path)
            .map_err(|error| CliError::failed(format!("--text {}: {error}", path.display()))),
    }
}

fn supply_from(experiment: &mut dyn Experiment, path: &Path) -> Result<(), String> {
    let sources = data::open(path).map_err(|error| error.to_string())?;
    experiment.bring_data(sources).map_err(without_field)
}

/// Formats an error. The config field and its value are omitted, because the caller adds the command-line option
/// instead.
pub fn without_field(error: LabError) -> String {
    match error {
        LabError::Invalid { allowed, .. } => allowed,
        other => other.to_string(),
    }
}
