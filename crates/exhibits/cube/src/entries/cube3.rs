//! The cube of 3×3×3: fields, presets and metrics of self-supervision on scrambles.

use serde_json::{Value, json};
use vivarium_agents::cube3::{Cube3Config, Report};
use vivarium_config::Config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::protocol::{MetricInfo, MetricRow};

/// The registered name.
pub(crate) const NAME: &str = "cube3";

vivarium_config::config! {
    /// How often the network is tested. The learner knows nothing of it.
    #[derive(Clone, Copy, Eq)]
    pub(crate) struct TestsConfig {
        ["tests"]
        /// After so many samples the network solves random cubes, always the same ones, with searches of several widths. 0:
        /// never.
        every: u64 = 4_000_000, "Tested every" in "samples", integer(0, 1_000_000_000_000), live;
        /// How many cubes it is tested on. More measure better and take longer.
        cubes: u32 = 10, "Cubes of a test", integer(1, 1_000), live;
    }
}

/// Ways that the searches of a test follow side by side; 1 is the network alone.
pub(crate) const TEST_WIDTHS: [u32; 3] = [1, 32, 256];

/// What configs the experiment may have.
pub(crate) fn schema() -> Schema {
    let fields = [Cube3Config::default().fields(), TestsConfig::default().fields()].concat();
    Schema { name: NAME, fields, presets: presets(), check: |config| read(config).map(drop) }
}

fn presets() -> Vec<PresetInfo> {
    vec![
        preset("hour", "An hour", json!({}))
            .with_help("Solves nearly every cube, with a search, after an hour on two cores."),
        preset(
            "small",
            "Small network",
            json!({
                "learner": { "width": 256, "blocks": 1, "scrambles": 8, "anneal_samples": 10_000_000 },
                "tests": { "every": 1_000_000, "cubes": 5 },
            }),
        )
        .with_help("A small part of the size: learns before your eyes, and solves in more moves."),
    ]
}

/// The learner's own config and how it is tested, from a config whose fields are all in range, after checking what must
/// hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<(Cube3Config, TestsConfig), LabError> {
    let own = Cube3Config::from_json(config)?;
    own.check()?;
    Ok((own, TestsConfig::from_json(config)?))
}

/// The paths of the step sizes, which the guard makes smaller.
pub(crate) const LEARNING_RATES: [&str; 2] = ["learner.learning_rate", "learner.final_learning_rate"];

vivarium_lab::metrics! {
    /// What is measured of how right an iteration's log_probabilities were.
    const GUESSES: Report as report {
        /// Cross-entropy of the move that undoes the last turn of a scramble.
        loss = report.loss, "Loss" in "nat";
        /// How often that move is found the likeliest. Never always: most cubes do not tell what was turned last.
        accuracy = report.accuracy, "Guessed right" in "share";
    }
}

vivarium_lab::metrics! {
    /// What is measured of its gradient steps.
    const STEPS: Report as report {
        /// In use, after annealing and roll-backs.
        learning_rate = report.learning_rate, "Learning rate";
        /// Mean length of the gradient before it is clipped.
        gradient_norm = report.gradient_norm, "Gradient norm";
    }
}

/// A finished iteration as a row of metrics.
pub(crate) fn row(report: &Report) -> MetricRow {
    let mut row = MetricRow::of(report.counters.samples, GUESSES, report);
    row.values.extend(metrics::values(STEPS, report));
    row
}

/// The metric of a test's share of solved cubes.
pub(crate) fn solved_name(width: u32) -> String {
    format!("solved_{width}")
}

/// That of the mean length of its solutions.
pub(crate) fn length_name(width: u32) -> String {
    format!("length_{width}")
}

pub(crate) fn metrics() -> Vec<MetricInfo> {
    let mut all = metrics::described(GUESSES);
    for width in TEST_WIDTHS {
        let how = match width {
            1 => "without search".to_owned(),
            width => format!("with a beam of {width}"),
        };
        all.push(MetricInfo::new(
            &solved_name(width),
            &format!("Solved {how}"),
            "share",
            &format!("Of the random cubes of the last test, those that the network solved {how}."),
        ));
        all.push(MetricInfo::new(
            &length_name(width),
            &format!("Moves {how}"),
            "moves per solution",
            &format!("Mean length of the solutions that it found {how}."),
        ));
    }
    all.extend(metrics::described(STEPS));
    all
}
