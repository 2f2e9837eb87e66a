//! The experiments that exist, by name. A build may hold some families of them alone.

#[cfg(feature = "control")]
pub(crate) mod control;
#[cfg(feature = "cube")]
pub(crate) mod cube;
#[cfg(feature = "games")]
pub(crate) mod games;
#[cfg(feature = "language")]
pub(crate) mod language;
#[cfg(feature = "logic-ca")]
pub(crate) mod logic_ca;

use crate::checkpoint::{self, Header, Tensors};
use crate::config;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::former;
use crate::info::{ExperimentInfo, PresetInfo};
use crate::protocol::MetricInfo;
use crate::spelling;
use serde_json::Value;

/// The names of this build's experiments.
pub const NAMES: &[&str] = &[
    #[cfg(feature = "control")]
    "cartpole",
    #[cfg(feature = "control")]
    "mountain-car",
    #[cfg(feature = "control")]
    "pendulum",
    #[cfg(feature = "logic-ca")]
    "logic-ca",
    #[cfg(feature = "games")]
    "backgammon",
    #[cfg(feature = "games")]
    "connect-four",
    #[cfg(feature = "cube")]
    "cube2",
    #[cfg(feature = "cube")]
    "cube3",
    #[cfg(feature = "language")]
    "language",
];

/// The names of all experiments, whatever the build holds.
const ALL: [&str; 9] = [
    "cartpole",
    "mountain-car",
    "pendulum",
    "logic-ca",
    "backgammon",
    "connect-four",
    "cube2",
    "cube3",
    "language",
];

type Made = Result<Box<dyn Experiment>, LabError>;

/// Experiments that share a kind of learner.
struct Family {
    names: &'static [&'static str],
    /// What there is to know about one of them.
    info: fn(&str) -> ExperimentInfo,
    /// Checks what must hold between the fields of a whole config, each of which is in its range.
    check: fn(&Value) -> Result<(), LabError>,
    /// Makes one from its name, a whole and checked config and a seed.
    create: fn(&str, Value, u64) -> Made,
    /// Makes one from a checkpoint, whose config is whole and checked.
    open: fn(&Header, Tensors) -> Made,
}

const FAMILIES: &[Family] = &[
    #[cfg(feature = "control")]
    control::FAMILY,
    #[cfg(feature = "logic-ca")]
    logic_ca::FAMILY,
    #[cfg(feature = "games")]
    games::FAMILY,
    #[cfg(feature = "cube")]
    cube::FAMILY,
    #[cfg(feature = "language")]
    language::FAMILY,
];

/// The family of the experiment of this name.
fn family(name: &str) -> Result<&'static Family, LabError> {
    FAMILIES.iter().find(|family| family.names.contains(&name)).ok_or_else(|| {
        let hint = if ALL.contains(&name) {
            format!("; this build was made without {name}")
        } else {
            let nearest = spelling::nearest(&config::shorten(name), NAMES.iter().copied());
            nearest.map_or(String::new(), |known| format!("; did you mean {known}?"))
        };
        let allowed = format!("the experiments are {}{hint}", NAMES.join(", "));
        LabError::invalid("experiment", config::shorten(name), allowed)
    })
}

/// Everything about an experiment that does not change while it runs.
///
/// # Errors
/// [`LabError::Invalid`] naming the experiments there are.
pub fn info(name: &str) -> Result<ExperimentInfo, LabError> {
    Ok((family(name)?.info)(name))
}

/// The whole config that `given` stands for: the defaults, under the preset that `given` names (`"preset": "…"`, if
/// it does), under the fields that `given` holds; all checked.
///
/// # Errors
/// [`LabError::Invalid`] naming the field, the value and what is allowed.
pub fn configure(name: &str, given: &Value) -> Result<Value, LabError> {
    let info = info(name)?;
    let mut given = given.clone();
    former::rename(&mut given);
    let preset = given.as_object_mut().and_then(|fields| fields.remove("preset"));
    let mut config = info.defaults.clone();
    if let Some(preset) = preset {
        config::merge(&mut config, &find_preset(&info, &preset)?.config);
    }
    // What was given is checked by itself first, so that a message shows the person's own words.
    config::complete(&info.fields, &given)?;
    config::merge(&mut config, &given);
    let config = config::complete(&info.fields, &config)?;
    (family(name)?.check)(&config)?;
    Ok(config)
}

fn find_preset<'a>(info: &'a ExperimentInfo, name: &Value) -> Result<&'a PresetInfo, LabError> {
    let is_named = |preset: &&PresetInfo| {
        name.as_str().is_some_and(|name| name == preset.name || Some(name) == preset.former.as_deref())
    };
    info.presets.iter().find(is_named).ok_or_else(|| {
        let names: Vec<&str> = info.presets.iter().map(|preset| preset.name.as_str()).collect();
        let given = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        let hint = spelling::nearest(&config::shorten(&given), names.iter().copied())
            .map_or(String::new(), |known| format!("; did you mean {known}?"));
        let allowed = format!("the presets of {} are {}{hint}", info.name, names.join(", "));
        LabError::invalid("preset", config::shorten(&name.to_string()), allowed)
    })
}

/// The largest seed, 2⁵³ − 1: every seed is exact in JSON and in a link, whoever reads it.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

/// Makes a new experiment.
///
/// # Errors
/// [`LabError::Invalid`] for an unknown name, a config that [`configure`] refuses or a seed above [`LARGEST_SEED`].
pub fn create(name: &str, given: Value, seed: u64) -> Result<Box<dyn Experiment>, LabError> {
    let config = configure(name, &given)?;
    if seed > LARGEST_SEED {
        let allowed = format!("a whole number from 0 to {LARGEST_SEED}");
        return Err(LabError::invalid("seed", seed.to_string(), allowed));
    }
    (family(name)?.create)(name, config, seed)
}

/// Opens a checkpoint: the run goes on as [`Experiment::save`] has it.
///
/// # Errors
/// [`LabError::Checkpoint`] saying what is wrong with the file.
pub fn open(bytes: &[u8]) -> Result<Box<dyn Experiment>, LabError> {
    let (header, tensors) = checkpoint::read(bytes)?;
    let header = Header { config: config_of(&header)?, ..header };
    let opened = family(&header.experiment).and_then(|family| (family.open)(&header, tensors));
    opened.map_err(in_checkpoint)
}

/// The whole config of a checkpoint.
///
/// # Errors
/// [`LabError::Checkpoint`] naming what is wrong with it.
pub fn config_of(header: &Header) -> Result<Value, LabError> {
    configure(&header.experiment, &header.config).map_err(in_checkpoint)
}

/// An error about a file's config as one about the file.
pub(crate) fn in_checkpoint(error: LabError) -> LabError {
    match error {
        LabError::Checkpoint { .. } => error,
        other => LabError::checkpoint(format!("its config cannot be used: {other}")),
    }
}

/// Opens a checkpoint that must be one of the experiment `name`.
///
/// # Errors
/// [`LabError::Checkpoint`] saying what is wrong with the file, or whose it is.
pub fn open_as(name: &str, bytes: &[u8]) -> Result<Box<dyn Experiment>, LabError> {
    let header = checkpoint::read_header(bytes)?;
    if header.experiment != name {
        return Err(LabError::checkpoint(format!(
            "it is one of {}, and one of {name} is needed",
            header.experiment
        )));
    }
    open(bytes)
}

/// Short for writing a preset down.
fn preset(name: &str, label: &str, help: &str, config: Value) -> PresetInfo {
    let former = former::name_of_preset(name).map(str::to_owned);
    PresetInfo { name: name.into(), former, label: label.into(), help: help.into(), config }
}

/// Short for writing a metric down.
fn metric(name: &str, label: &str, unit: &str, help: &str) -> MetricInfo {
    MetricInfo { name: name.into(), label: label.into(), unit: unit.into(), help: help.into() }
}
