//! Logic CA: cells that learn a circuit of logic gates.

use crate::patterns;
use crate::protocol::{LogicCaInfo, TargetInfo};
use crate::readings::readings;
use crate::stage::LARGEST_SIDE;
use serde_json::Value;
use vivarium_config::Config;
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, PresetInfo, Schema};
use vivarium_lab::info::{metric, preset};
use vivarium_lab::protocol::{MetricInfo, MetricRow};
use vivarium_lab::train::Stopped;
use vivarium_logic_ca::hard::{CircuitError, MAX_VALUES};
use vivarium_logic_ca::wiring::NEIGHBOURHOOD;
use vivarium_logic_ca::{Aim, LogicConfig, LogicError, Preset, Report, Target, gate};

/// The registered name.
pub(crate) const NAME: &str = "logic-ca";

const SUMMARY: &str = "Every cell of a board runs the same circuit of logic gates over its neighbourhood. While it learns, \
    each gate is a mixture of all sixteen; in the end it has to be one, and the circuit must still grow the pattern.";

/// What a preset is called, and what there is to see in it.
fn words(preset: Preset) -> (&'static str, &'static str) {
    match preset {
        Preset::Checkerboard => (
            "Checkerboard",
            "Squares grow out of noise, from the border inwards; the finished circuit fills a board of any size.",
        ),
        Preset::Life => (
            "Game of Life",
            "The circuit sees all 512 neighbourhoods until it knows Conway's rule; then gliders glide on it.",
        ),
        Preset::CheckerboardAsync => (
            "Checkerboard, unsynchronised",
            "Cells are updated at random times, so the circuit must not count on any order: it heals what is cut out of it.",
        ),
        Preset::Lizard => (
            "Lizard",
            "A single cell grows into a lizard in twelve steps; 128 channels pass messages that one can look at.",
        ),
        Preset::Letter => (
            "Coloured letter",
            "From nothing at all: cells learn from the border alone where they are, and which colour that makes them.",
        ),
    }
}

/// What configs the experiment may have.
pub(crate) fn schema() -> Schema {
    let fields = LogicConfig::default().fields();
    let presets = presets(&config::defaults(&fields));
    Schema { name: NAME, fields, presets, check: |config| read(config).map(drop) }
}

/// Everything about the experiment that does not change while it runs.
#[must_use]
pub fn info(_: &str) -> ExperimentInfo {
    let world = LogicCaInfo {
        patterns: patterns::known(),
        gate_names: gate::NAMES.iter().map(|&name| name.into()).collect(),
        largest_side: LARGEST_SIDE,
        targets: targets(),
    };
    ExperimentInfo::new(["Logic CA", SUMMARY], &world, schema(), metrics(), readings())
}

/// The patterns that the learner knows.
fn targets() -> Vec<TargetInfo> {
    // Four by four cells of a checkerboard are as large as what it repeats.
    let known = [
        (Aim::Checkerboard, Target::checkerboard(4, 4), true),
        (Aim::Lizard, Target::lizard(), false),
        (Aim::Letter, Target::letter(), false),
    ];
    let described = |(aim, target, repeated): (Aim, Target, bool)| TargetInfo {
        name: aim.name().into(),
        drawing: target.to_text(),
        repeated,
    };
    known.map(described).into()
}

fn presets(defaults: &Value) -> Vec<PresetInfo> {
    let of = |of: Preset| {
        let (label, help) = words(of);
        preset(of.name(), label, config::difference(&LogicConfig::of(of).to_json(), defaults)).with_help(help)
    };
    Preset::ALL.map(of).into()
}

/// The learner's own config from a config whose fields are all in range, after checking what must hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<LogicConfig, LabError> {
    let read = LogicConfig::from_json(config)?;
    read.check()?;
    let architecture = read.architecture();
    let (gates, inputs) = (architecture.gates_per_cell(), NEIGHBOURHOOD * architecture.channels);
    if gates + inputs > MAX_VALUES {
        return Err(too_large(CircuitError::Gates { found: gates, inputs }));
    }
    Ok(read)
}

/// A finished epoch as a row of metrics; `kept` gates are left when everything superfluous is left out of the hard
/// circuit, where they were counted; `settled` once nothing is left to learn.
pub(crate) fn row(report: &Report, kept: Option<usize>, settled: bool) -> MetricRow {
    let values = [
        ("soft_loss", Some(report.soft_loss)),
        ("hard_loss", Some(report.hard_loss)),
        ("hard_accuracy", Some(report.hard_accuracy)),
        ("decidedness", Some(report.gates.decidedness)),
        ("gates_kept", kept.map(|kept| kept as f64)),
        ("learning_rate", Some(report.learning_rate)),
        ("settled", Some(f64::from(u8::from(settled)))),
    ];
    MetricRow::new(report.epoch, values)
}

fn metrics() -> Vec<MetricInfo> {
    vec![
        metric("soft_loss", "Soft loss", "squared error").with_help(
            "How far the boards of the gates' mixtures are from the target, summed over all cells: what \
             learning lowers.",
        ),
        metric("hard_loss", "Hard loss", "bits")
            .with_help("Wrong bits where every gate is the function that weighs most."),
        metric("hard_accuracy", "Hard accuracy", "share").with_help(
            "Share of the cells that are all right where every gate is the function that weighs most.",
        ),
        metric("decidedness", "Decidedness", "share").with_help(
            "The mean over the gates of the largest weight: 1 where all have made up their minds.",
        ),
        metric("gates_kept", "Gates kept", "gates").with_help(
            "What is left of the hard circuit of a cell without what makes no difference. Counted every few \
             epochs.",
        ),
        metric("learning_rate", "Learning rate", "").with_help("In use, on its way to the final one."),
        metric("settled", "Settled", "").with_help(
            "1 once the hard circuit has made no mistake for so long that there is nothing left to learn.",
        ),
    ]
}

/// A refusal by the learner, in the lab's words.
pub(crate) fn refused(error: &LogicError) -> LabError {
    match error {
        LogicError::Config(error) => error.clone().into(),
        LogicError::State { .. } => LabError::checkpoint(error.to_string()),
        LogicError::NotFinite { .. } => LabError::Diverged { message: error.to_string() },
        #[cfg(feature = "gpu")]
        LogicError::Gpu(error) => LabError::engine(error.to_string()),
    }
}

/// How a run can go on after an error of its learner.
pub(crate) fn stopped(error: LogicError) -> Stopped {
    match error {
        LogicError::NotFinite(_) => Stopped::Broken(error.to_string()),
        #[cfg(feature = "gpu")]
        LogicError::Gpu(error) => Stopped::Gpu(error),
        error => Stopped::Failed(refused(&error)),
    }
}

/// A circuit that has more gates than can be numbered.
pub(crate) fn too_large(error: CircuitError) -> LabError {
    LabError::invalid("circuit.update", "as given", error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    #[test]
    fn presets_are_the_learners_own() {
        for of in Preset::ALL {
            let config = schema().configure(&json!({"preset": of.name()})).unwrap();
            assert_eq!(read(&config), Ok(LogicConfig::of(of)));
        }
    }
}
