//! The cube of 2×2×2: fields, presets and metrics of deep Q-learning.

use crate::protocol::CubeEvaluationRow;
use serde_json::{Value, json};
use vivarium_agents::dqn::{CubeParams, CubeProblem, DqnConfig, DqnProblem, DqnReport};
use vivarium_config::Config;
use vivarium_lab::config::difference;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::protocol::{MetricInfo, MetricRow};

/// The most weights of a network: they are kept several times in memory, which is small in a browser.
const MOST_WEIGHTS: u64 = 8 << 20;

/// What configs the experiment may have.
pub(crate) fn schema() -> Schema {
    let fields = [CubeParams::default().fields(), DqnConfig::default_for(CubeProblem::NAME).fields()].concat();
    Schema { name: CubeProblem::NAME, fields, presets: presets(), check: |config| read(config).map(drop) }
}

fn presets() -> Vec<PresetInfo> {
    let own = DqnConfig::default_for(CubeProblem::NAME).to_json();
    vec![
        preset("alone", "By trying alone", json!({}))
            .with_help("Deep Q-learning from nothing: scrambles get longer as it masters the shorter ones."),
        preset(
            "demonstrations",
            "After demonstrations",
            difference(&DqnConfig::cube2_with_demonstrations().to_json(), &own),
        )
        .with_help(
            "A solver shows best moves first, then it goes on by trying: the surest way to solve all states.",
        ),
        preset(
            "plain",
            "Without improvements",
            json!({
                "cube": { "symmetries": false, "features": "stickers" },
                "dqn": {
                    "dueling": false,
                    "double": false,
                    "n_step": 1,
                    "priority_exponent": 0.0,
                    "importance_exponent": 0.0,
                    "curriculum_threshold": 0.0,
                },
            }),
        )
        .with_help(
            "Plain deep Q-learning from stickers, without symmetries, curriculum, priorities, dueling heads, \
             double targets and long returns: what they are worth.",
        ),
    ]
}

/// The learner's own config and what is chosen about the cube, from a config whose fields are all in range, after checking
/// what must hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<(DqnConfig, CubeParams), LabError> {
    let params = CubeParams::from_json(config)?;
    let own = DqnConfig::from_json(config)?;
    own.check()?;
    let inputs = CubeProblem::inputs(&params);
    let sizes: Vec<u64> = [inputs.features.unwrap_or(inputs.count) as u64]
        .into_iter()
        .chain(own.hidden.iter().map(|&units| units.into()))
        .chain([CubeProblem::ACTIONS as u64 + 1])
        .collect();
    let weights: u64 = sizes.windows(2).map(|pair| pair[0] * pair[1]).sum();
    if weights > MOST_WEIGHTS {
        let allowed = format!("the network must have at most {MOST_WEIGHTS} weights, here {weights}");
        return Err(own.refused("hidden", allowed).into());
    }
    Ok((own, params))
}

/// The paths of the step sizes, which the guard makes smaller.
pub(crate) const LEARNING_RATES: [&str; 2] = ["dqn.learning_rate", "dqn.final_learning_rate"];

vivarium_lab::metrics! {
    /// What is measured of an iteration.
    const METRICS: DqnReport as report {
        /// Episodes at the hardest open level that end with a solved cube, random moves among theirs.
        success = success(report), "Success at the hardest level" in "share";
        /// The longest scramble that is tried so far.
        open_level = f64::from(report.open_level), "Hardest open level" in "moves";
        /// Weighed loss of the temporal-difference errors.
        loss = report.loss, "Loss";
        /// Cross-entropy of the solver's best moves.
        lesson_loss = report.demonstration_loss, "Demonstration loss" in "nat";
        /// Mean value of the moves learned from.
        value_mean = report.value_mean, "Mean value" in "reward";
        /// Mean size of the temporal-difference errors.
        error_mean = report.error_mean, "Mean error" in "reward";
        /// Mean length of the episodes that ended.
        length_mean = report.length_mean, "Episode length" in "moves";
        /// The share of moves that are made at random.
        epsilon = report.epsilon, "Exploration" in "share";
        /// In use, after annealing and roll-backs.
        learning_rate = report.learning_rate, "Learning rate";
        /// Mean length of the gradient before it is clipped.
        gradient_norm = report.gradient_norm, "Gradient norm";
    }
}

/// The share of the episodes at the hardest open level that ended with a solved cube.
fn success(report: &DqnReport) -> Option<f64> {
    let hardest = report.levels.get((report.open_level as usize).wrapping_sub(1))?;
    (hardest.episodes > 0).then(|| hardest.successes as f64 / hardest.episodes as f64)
}

/// A finished iteration as a row of metrics.
pub(crate) fn row(report: &DqnReport) -> MetricRow {
    MetricRow::of(report.counters.samples, METRICS, report)
}

vivarium_lab::metrics! {
    /// What is measured of an evaluation.
    pub(crate) const EVALUATION: CubeEvaluationRow as row {
        /// The share of all 3,674,160 states that the network solves without search, as the last evaluation found.
        solved = row.solved, "States solved" in "share";
        /// How much longer its solutions are than the shortest, averaged over all states that it solves.
        mean_excess = row.mean_excess, "Moves beyond the fewest" in "moves per solution";
    }
}

/// What the metrics mean.
pub(crate) fn metrics() -> Vec<MetricInfo> {
    [metrics::described(EVALUATION), metrics::described(METRICS)].concat()
}
