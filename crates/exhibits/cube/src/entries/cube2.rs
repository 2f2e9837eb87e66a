//! Config fields, presets and metrics of the 2×2×2 cube (DQN).

use crate::protocol::CubeEvaluationRow;
use serde_json::{Value, json};
use vivarium_agents::dqn::{CubeParams, CubeProblem, DqnConfig, DqnProblem, DqnReport};
use vivarium_config::Config;
use vivarium_lab::config::difference;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::protocol::{MetricInfo, MetricRow};

/// Maximum number of weights of the DQN network. Training keeps several copies in memory, which is limited in a
/// browser.
const MAX_WEIGHTS: u64 = 8 << 20;

/// Returns the config schema of the 2×2×2 cube experiment: fields, presets and checks between fields.
pub(crate) fn schema() -> Schema {
    let fields = [CubeParams::default().fields(), DqnConfig::cube2().fields()].concat();
    Schema { name: CubeProblem::NAME, fields, presets: presets(), check: |config| parse(config).map(drop) }
}

fn presets() -> Vec<PresetInfo> {
    let own = DqnConfig::cube2().to_json();
    vec![
        preset("alone", "Double DQN", json!({}))
            .with_help("Deep Q-learning without demonstrations; a curriculum lengthens the scrambles."),
        preset(
            "demonstrations",
            "Demonstrations first",
            difference(&DqnConfig::cube2_with_demonstrations().to_json(), &own),
        )
        .with_help(
            "Supervised pretraining on optimal moves of the solver, then deep Q-learning; solves all states most reliably.",
        ),
        preset(
            "plain",
            "Plain DQN",
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
            "Deep Q-learning from stickers, without symmetry reduction, curriculum, prioritized replay, dueling heads, \
             double DQN and n-step returns, for comparison.",
        ),
    ]
}

/// Parses a config whose fields are in range, and checks relations between fields. Returns the learner config and the
/// cube parameters.
///
/// # Errors
/// [`LabError::Invalid`] if fields are inconsistent or the network is too large.
pub(crate) fn parse(config: &Value) -> Result<(DqnConfig, CubeParams), LabError> {
    let params = CubeParams::from_json(config)?;
    let own = DqnConfig::from_json(config)?;
    own.check()?;
    let inputs = CubeProblem::spec(&params).inputs;
    let sizes: Vec<u64> = [inputs.features.unwrap_or(inputs.count) as u64]
        .into_iter()
        .chain(own.hidden.iter().map(|&units| units.into()))
        .chain([CubeProblem::ACTIONS as u64 + 1])
        .collect();
    let weights: u64 = sizes.windows(2).map(|pair| pair[0] * pair[1]).sum();
    if weights > MAX_WEIGHTS {
        let allowed = format!("at most {MAX_WEIGHTS} weights; the network has {weights}");
        return Err(own.refused("hidden", allowed).into());
    }
    Ok((own, params))
}

/// Config paths of the learning rates that are halved after divergence.
pub(crate) const LEARNING_RATES: [&str; 2] = ["dqn.learning_rate", "dqn.final_learning_rate"];

vivarium_lab::metrics! {
    /// Metrics of a training iteration of DQN on the 2×2×2 cube.
    const METRICS: DqnReport as report {
        /// Fraction of episodes at the highest open curriculum level that end with a solved cube, exploration
        /// included.
        success = success(report), "Success rate" in "share", 0.0..=1.0;
        /// Highest open curriculum level: length of the longest scrambles; level 15 has random states.
        open_level = f64::from(report.open_level), "Curriculum level" in "moves", 0.0..;
        /// How wrong the network is about its moves: lower is better. Importance-weighted loss of the
        /// temporal-difference errors.
        loss = report.loss, "Loss", 0.0..;
        /// Demonstration loss: cross-entropy of the solver's optimal moves, plus the Huber loss of their value.
        lesson_loss = report.demonstration_loss, "Demonstration loss" in "nat", 0.0..;
        /// How good the network rates the sampled moves. Mean of their Q-values, the expected rewards to come.
        value_mean = report.value_mean, "Mean Q-value" in "reward";
        /// How far the rating of a move is from the better estimate a few moves later. Mean absolute
        /// temporal-difference error.
        error_mean = report.error_mean, "Mean TD error" in "reward", 0.0..;
        /// Mean length of completed episodes.
        length_mean = report.length_mean, "Episode length" in "moves", 0.0..;
        /// Exploration rate ε: fraction of random moves.
        epsilon = report.epsilon, "Exploration" in "share", 0.0..=1.0;
        /// Current learning rate, after decay and rollbacks.
        learning_rate = report.learning_rate, "Learning rate", 0.0..;
        /// Mean gradient norm before clipping.
        gradient_norm = report.gradient_norm, "Gradient norm", 0.0..;
    }
}

/// Returns the success rate at the highest open curriculum level; `None` if no episode ended at this level.
fn success(report: &DqnReport) -> Option<f64> {
    let hardest = report.levels.get((report.open_level as usize).wrapping_sub(1))?;
    (hardest.episodes > 0).then(|| hardest.successes as f64 / hardest.episodes as f64)
}

/// Converts the report of a training iteration to a metric row.
pub(crate) fn row(report: &DqnReport) -> MetricRow {
    MetricRow::of(report.counters.samples, METRICS, report)
}

vivarium_lab::metrics! {
    /// Metrics that are reported for each exhaustive evaluation, which covers all states of the cube.
    pub(crate) const EVALUATION: CubeEvaluationRow as row {
        /// Fraction of all 3,674,160 states that the network solves without search (greedy policy), measured by the last
        /// evaluation.
        solved = row.solved, "States solved" in "share", 0.0..=1.0;
        /// Mean number of moves beyond the optimum, over all solved states.
        mean_excess = row.mean_excess, "Excess moves" in "moves per solution", 0.0..;
    }
}

/// Returns the descriptions of all metrics of the 2×2×2 cube experiment, for front ends.
pub(crate) fn metrics() -> Vec<MetricInfo> {
    [metrics::described(EVALUATION), metrics::described(METRICS)].concat()
}
