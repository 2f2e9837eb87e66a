//! Registration of the logic automaton: presets, config schema, metrics.

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
use vivarium_logic_ca::circuit::NEIGHBORHOOD;
use vivarium_logic_ca::hard::{CircuitError, MAX_VALUES};
use vivarium_logic_ca::{LogicConfig, LogicPreset, Report, TargetKind, TargetPattern, gate};

/// Name of the experiment in the registry.
pub(crate) const NAME: &str = "logic-ca";

const SUMMARY: &str = "Every cell of a board computes the same circuit of logic gates over its 3×3 neighborhood. \
    During training each gate is a differentiable mixture of all sixteen Boolean functions; the trained circuit is discrete.";

/// Returns the display label of a preset and its description in one sentence.
fn label_and_help(preset: LogicPreset) -> (&'static str, &'static str) {
    match preset {
        LogicPreset::Checkerboard => (
            "Checkerboard",
            "A checkerboard grows from random bits; the trained circuit generalizes to boards of any size.",
        ),
        LogicPreset::CheckerboardSmall => (
            "Checkerboard, small",
            "A board of 8×8 cells and a small circuit, which learns the checkerboard within seconds.",
        ),
        LogicPreset::Life => {
            ("Game of Life", "The circuit is trained on all 512 neighborhoods of Conway's rule.")
        }
        LogicPreset::CheckerboardAsync => (
            "Checkerboard, asynchronous",
            "Cells are updated at random times; the trained circuit also regenerates damaged areas.",
        ),
        LogicPreset::Lizard => {
            ("Lizard", "A single cell grows into a lizard in 12 steps, with 128 channels.")
        }
        LogicPreset::Letter => (
            "Colored letter",
            "A colored letter grows from zeros in 15 steps; the fixed border is the only positional information.",
        ),
    }
}

/// Returns the config schema of the experiment: fields with defaults and ranges, and presets.
pub(crate) fn schema() -> Schema {
    let fields = LogicConfig::default().fields();
    let presets = presets(&config::defaults(&fields));
    Schema { name: NAME, fields, presets, check: |config| read(config).map(drop) }
}

/// Returns the static description of the experiment.
pub(crate) fn info() -> ExperimentInfo {
    let world = LogicCaInfo {
        patterns: patterns::known(),
        gate_names: gate::NAMES.iter().map(|&name| name.into()).collect(),
        largest_side: MAX_SIDE,
        targets: targets(),
    };
    ExperimentInfo::new(["Logic CA", SUMMARY], &world, schema(), metrics::described(METRICS), readings())
}

/// Returns the built-in target patterns with their names and cells.
fn targets() -> Vec<TargetInfo> {
    // The period of the checkerboard is 4×4 cells.
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
        let (label, help) = label_and_help(of);
        preset(of.name(), label, config::difference(&LogicConfig::of(of).to_json(), defaults)).with_help(help)
    };
    LogicPreset::ALL.map(of).into()
}

/// Converts a JSON config, whose fields must be in range, to the learner's config and validates it.
///
/// # Errors
/// [`LabError::Invalid`] if fields contradict each other, or the run exceeds the memory limit.
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

/// Measurements of a training epoch from which the metrics are computed.
pub(crate) struct EpochMetrics {
    pub(crate) report: Report,
    /// Number of gates of the simplified circuit; `None` in epochs in which the gates are not counted.
    pub(crate) kept_gates: Option<usize>,
    /// Whether training is finished.
    pub(crate) finished: bool,
}

vivarium_lab::metrics! {
    /// Metrics of a training epoch.
    const METRICS: EpochMetrics as epoch {
        /// How far the board is from the target while the gates are soft. Squared error of the last state of the
        /// rollout, summed over boards, cells and target channels.
        soft_loss = epoch.report.soft_loss, "Soft loss" in "squared error", 0.0..;
        /// How many bits of the boards are wrong: 0 is perfect. Counted in the target channels after the rollout with
        /// hard gates, over all boards.
        hard_loss = epoch.report.hard_loss, "Hard loss" in "bits", 0.0..;
        /// How much of the picture is right: fraction of cells whose target channels are all correct after the rollout
        /// with hard gates.
        hard_accuracy = epoch.report.hard_accuracy, "Hard accuracy" in "share", 0.0..=1.0;
        /// How decided the gates are. Mean over the gates of the largest function probability; 1 if every gate has
        /// settled on one function.
        decidedness = epoch.report.gates.confidence, "Gate confidence" in "share", 0.0..=1.0;
        /// Number of gates of the simplified hard circuit, counted every few epochs.
        gates_kept = epoch.kept_gates.map(|gates| gates as f64), "Simplified gates" in "gates", 0.0..;
        /// Learning rate of AdamW, after linear decay and halving by rollbacks.
        learning_rate = epoch.report.learning_rate, "Learning rate", 0.0..;
        /// 1 if training is finished: enough consecutive epochs without a wrong bit of the hard circuit.
        settled = f64::from(u8::from(epoch.finished)), "Finished", 0.0..=1.0;
    }
}

/// Converts the measurements of a finished training epoch to a metric row.
pub(crate) fn row(epoch: &EpochMetrics) -> MetricRow {
    MetricRow::of(epoch.report.epoch, METRICS, epoch)
}

/// Converts the error of a circuit with too many gates to an error that names the config field `circuit.update`.
pub(crate) fn too_large(error: CircuitError) -> LabError {
    LabError::invalid("circuit.update", "as given", error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    #[test]
    fn presets_match_the_learners_presets() {
        for of in LogicPreset::ALL {
            let config = schema().configure(&json!({"preset": of.name()})).unwrap();
            assert_eq!(read(&config), Ok(LogicConfig::of(of)));
        }
    }
}
