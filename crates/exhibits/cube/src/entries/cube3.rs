//! Config fields, presets and metrics of the 3×3×3 cube (EfficientCube).

use serde_json::{Value, json};
use vivarium_agents::cube3::{Cube3Config, Report};
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::protocol::{MetricInfo, MetricRow};

/// Registered name of the 3×3×3 experiment.
pub(crate) const NAME: &str = "cube3";

vivarium_config::config! {
    /// Config section of the tests on random cubes during training: interval and number of cubes.
    #[derive(Clone, Copy, Eq)]
    pub(crate) struct TestsConfig {
        ["tests"]
        /// Number of samples between tests on a fixed set of random cubes with several beam widths. 0 disables tests.
        every: u64 = 4_000_000, "Test interval" in "samples", integer(0, 1_000_000_000_000), live;
        /// Number of random cubes in a test; more cubes give a more precise result but take longer.
        cubes: u32 = 10, "Test cubes", integer(1, 1_000), live;
    }
}

/// Beam widths of the tests during training: each test solves a fixed set of random cubes once with every width. Width
/// 1 is the greedy policy.
pub(crate) const TEST_WIDTHS: [u32; 3] = [1, 32, 256];

/// Returns the config schema of the 3×3×3 cube experiment: fields, presets and checks between fields.
pub(crate) fn schema() -> Schema {
    let fields = [Cube3Config::default().fields(), TestsConfig::default().fields()].concat();
    Schema { name: NAME, fields, presets: presets(), check: |config| parse(config).map(drop) }
}

fn presets() -> Vec<PresetInfo> {
    vec![
        preset("hour", "One hour", json!({}))
            .with_help("Solves nearly every cube with beam search after one hour on two cores."),
        preset(
            "small",
            "Small network",
            json!({
                "learner": { "width": 256, "blocks": 1, "scrambles": 8, "anneal_samples": 10_000_000 },
                "tests": { "every": 1_000_000, "cubes": 5 },
            }),
        )
        .with_help("Small enough to watch: improves within minutes, but solutions are longer."),
    ]
}

/// Parses a config whose fields are in range, and checks relations between fields. Returns the learner config and the
/// test config.
///
/// # Errors
/// [`LabError::Invalid`] if fields are inconsistent or the network is too large.
pub(crate) fn parse(config: &Value) -> Result<(Cube3Config, TestsConfig), LabError> {
    let own = Cube3Config::from_json(config)?;
    own.check()?;
    Ok((own, TestsConfig::from_json(config)?))
}

/// Config paths of the learning rates that are halved after divergence.
pub(crate) const LEARNING_RATES: [&str; 2] = ["learner.learning_rate", "learner.final_learning_rate"];

vivarium_lab::metrics! {
    /// Metrics of the network's move predictions in a training iteration.
    const PREDICTIONS: Report as report {
        /// How surprising the right move is for the network: lower is better. Cross-entropy of the move that undoes the
        /// last turn of a scramble.
        loss = report.loss, "Loss" in "nat", 0.0..;
        /// Top-1 accuracy of the move that undoes the last turn. Cannot reach 100 %, as most states can be reached by
        /// several last turns.
        accuracy = report.accuracy, "Accuracy" in "share", 0.0..=1.0;
    }
}

vivarium_lab::metrics! {
    /// Learning rate and gradient norm of a training iteration.
    const STEPS: Report as report {
        /// Current learning rate, after decay and rollbacks.
        learning_rate = report.learning_rate, "Learning rate", 0.0..;
        /// Mean gradient norm before clipping.
        gradient_norm = report.gradient_norm, "Gradient norm", 0.0..;
    }
}

/// Converts the report of a training iteration to a metric row.
pub(crate) fn row(report: &Report) -> MetricRow {
    let mut row = MetricRow::of(report.counters.samples, PREDICTIONS, report);
    row.values.extend(metrics::values(STEPS, report));
    row
}

/// Returns the name of the metric "fraction of test cubes solved with beam width `width`", such as `solved_32`.
pub(crate) fn solved_name(width: u32) -> String {
    format!("solved_{width}")
}

/// Returns the name of the metric "mean solution length with beam width `width`", such as `length_32`.
pub(crate) fn length_name(width: u32) -> String {
    format!("length_{width}")
}

pub(crate) fn metrics() -> Vec<MetricInfo> {
    let mut all = metrics::described(PREDICTIONS);
    for width in TEST_WIDTHS {
        let (how, by) = match width {
            1 => ("greedy".to_owned(), "by greedy moves, without search".to_owned()),
            width => (format!("beam width {width}"), format!("with beam width {width}")),
        };
        all.push(
            MetricInfo::new(
                &solved_name(width),
                &format!("Solve rate, {how}"),
                "share",
                &format!("Fraction of the random cubes of the last test that were solved {by}."),
            )
            .within(0.0..=1.0),
        );
        all.push(
            MetricInfo::new(
                &length_name(width),
                &format!("Solution length, {how}"),
                "moves per solution",
                &format!("Mean length of the solutions that the last test found {by}."),
            )
            .within(0.0..),
        );
    }
    all.extend(metrics::described(STEPS));
    all
}
