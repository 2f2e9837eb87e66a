//! Logic CA: cells that learn a circuit of logic gates.

use crate::patterns;
use crate::protocol::{LogicCaInfo, TargetInfo};
use crate::readings::readings;
use crate::sandbox::MAX_SIDE;
use serde_json::Value;
use vivarium_config::Config;
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricRow;
use vivarium_logic_ca::hard::{CircuitError, MAX_VALUES};
use vivarium_logic_ca::wiring::NEIGHBORHOOD;
use vivarium_logic_ca::{LogicConfig, LogicPreset, Report, TargetKind, TargetPattern, gate};

/// The registered name.
pub(crate) const NAME: &str = "logic-ca";

const SUMMARY: &str = "Every cell of a board runs the same circuit of logic gates over its neighborhood. While it learns, \
    each gate is a mixture of all sixteen; in the end it has to be one, and the circuit must still grow the pattern.";

/// What a preset is called, and what there is to see in it.
fn words(preset: LogicPreset) -> (&'static str, &'static str) {
    match preset {
        LogicPreset::Checkerboard => (
            "Checkerboard",
            "Squares grow out of noise, from the border inwards; the finished circuit fills a board of any size.",
        ),
        LogicPreset::Life => (
            "Game of Life",
            "The circuit sees all 512 neighborhoods until it knows Conway's rule; then gliders glide on it.",
        ),
        LogicPreset::CheckerboardAsync => (
            "Checkerboard, unsynchronised",
            "Cells are updated at random times, so the circuit must not count on any order: it heals what is cut out of it.",
        ),
        LogicPreset::Lizard => (
            "Lizard",
            "A single cell grows into a lizard in twelve steps; 128 channels pass messages that one can look at.",
        ),
        LogicPreset::Letter => (
            "Colored letter",
            "From nothing at all: cells learn from the border alone where they are, and which color that makes them.",
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
        largest_side: MAX_SIDE,
        targets: targets(),
    };
    ExperimentInfo::new(["Logic CA", SUMMARY], &world, schema(), metrics::described(METRICS), readings())
}

/// The patterns that the learner knows.
fn targets() -> Vec<TargetInfo> {
    // Four by four cells of a checkerboard are as large as what it repeats.
    let known = [
        (TargetKind::Checkerboard, TargetPattern::checkerboard(4, 4), true),
        (TargetKind::Lizard, TargetPattern::lizard(), false),
        (TargetKind::Letter, TargetPattern::letter(), false),
    ];
    let described = |(aim, target, repeated): (TargetKind, TargetPattern, bool)| TargetInfo {
        name: aim.name().into(),
        drawing: target.to_text(),
        repeated,
    };
    known.map(described).into()
}

fn presets(defaults: &Value) -> Vec<PresetInfo> {
    let of = |of: LogicPreset| {
        let (label, help) = words(of);
        preset(of.name(), label, config::difference(&LogicConfig::of(of).to_json(), defaults)).with_help(help)
    };
    LogicPreset::ALL.map(of).into()
}

/// The learner's own config from a config whose fields are all in range, after checking what must hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<LogicConfig, LabError> {
    let read = LogicConfig::from_json(config)?;
    read.check()?;
    let architecture = read.architecture();
    let (gates, inputs) = (architecture.gates_per_cell(), NEIGHBORHOOD * architecture.channels);
    if gates + inputs > MAX_VALUES {
        return Err(too_large(CircuitError::Gates { found: gates, inputs }));
    }
    Ok(read)
}

/// What an epoch measured, and what became of the hard circuit by it.
pub(crate) struct EpochMetrics {
    pub(crate) report: Report,
    /// Gates left when everything superfluous is left out of the hard circuit, where they were counted.
    pub(crate) kept: Option<usize>,
    /// Whether nothing is left to learn.
    pub(crate) settled: bool,
}

vivarium_lab::metrics! {
    /// What is measured of an epoch.
    const METRICS: EpochMetrics as epoch {
        /// How far the boards of the gates' mixtures are from the target, summed over all cells: what learning lowers.
        soft_loss = epoch.report.soft_loss, "Soft loss" in "squared error";
        /// Wrong bits where every gate is the function that weighs most.
        hard_loss = epoch.report.hard_loss, "Hard loss" in "bits";
        /// Share of the cells that are all right where every gate is the function that weighs most.
        hard_accuracy = epoch.report.hard_accuracy, "Hard accuracy" in "share";
        /// The mean over the gates of the largest weight: 1 where all have made up their minds.
        confidence = epoch.report.gates.confidence, "Decidedness" in "share";
        /// What is left of the hard circuit of a cell without what makes no difference. Counted every few epochs.
        gates_kept = epoch.kept.map(|kept| kept as f64), "Gates kept" in "gates";
        /// In use, after annealing and roll-backs.
        learning_rate = epoch.report.learning_rate, "Learning rate";
        /// 1 once the hard circuit has made no mistake for so long that there is nothing left to learn.
        settled = f64::from(u8::from(epoch.settled)), "Settled";
    }
}

/// A finished epoch as a row of metrics.
pub(crate) fn row(epoch: &EpochMetrics) -> MetricRow {
    MetricRow::of(epoch.report.epoch, METRICS, epoch)
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
        for of in LogicPreset::ALL {
            let config = schema().configure(&json!({"preset": of.name()})).unwrap();
            assert_eq!(read(&config), Ok(LogicConfig::of(of)));
        }
    }
}
