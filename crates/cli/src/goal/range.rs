//! Ranges of evaluation measures and training metrics, to reject goals that no run can reach.

use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::info::ExperimentInfo;
use vivarium_mcts::Game;

/// Range of a measure, `[minimum, maximum]`; bounds may be infinite.
pub type MeasureRange = [f64; 2];

const ANY: MeasureRange = [f64::NEG_INFINITY, f64::INFINITY];
const SHARE: MeasureRange = [0.0, 1.0];
/// Range of nonnegative measures: losses, lengths and counts.
const POSITIVE: MeasureRange = [0.0, f64::INFINITY];

/// Computes the range of an evaluation measure or training metric. Episode returns are unbounded, because their range
/// depends on the config.
pub fn of(info: &ExperimentInfo, measure: &str) -> MeasureRange {
    evaluated(info, measure).unwrap_or_else(|| metric(info, measure))
}

/// Returns the range of an evaluation measure; `None` for a training metric.
fn evaluated(info: &ExperimentInfo, measure: &str) -> Option<MeasureRange> {
    Some(match measure {
        "accuracy" | "wins" | "solved" | "answered" => SHARE,
        "points" => points(info),
        "likelihood" => [f64::NEG_INFINITY, 0.0],
        "held_out_perplexity" => [1.0, f64::INFINITY],
        "return_std" | "length" | "wrong_bits" | "excess" | "moves" | "held_out_loss" => POSITIVE,
        _ => return None,
    })
}

/// Returns the range of a training metric, which follows from the metric's name and unit.
fn metric(info: &ExperimentInfo, name: &str) -> MeasureRange {
    let unit =
        info.metrics.iter().find(|metric| metric.name == name).map_or("", |metric| metric.unit.as_str());
    match (name, unit) {
        (_, "share") | ("settled", _) => SHARE,
        ("explained_variance", _) => [f64::NEG_INFINITY, 1.0],
        (_, "points per game") => points(info),
        ("perplexity", _) => [1.0, f64::INFINITY],
        // The estimate of the KL divergence may be negative.
        ("approx_kl", _) => ANY,
        (
            "learning_rate" | "gradient_norm" | "error_mean" | "promotions" | "value_loss" | "loss"
            | "game_points",
            _,
        )
        | (
            _,
            "nat" | "nats/token" | "squared error" | "bits" | "gates" | "decisions" | "moves"
            | "moves per solution" | "tokens/s" | "steps per episode",
        ) => POSITIVE,
        _ => ANY,
    }
}

/// Returns the range of the points per game of a board game.
fn points(info: &ExperimentInfo) -> MeasureRange {
    let most = match info.name.as_str() {
        State::NAME => f64::from(State::MAX_VALUE),
        ConnectFour::NAME => f64::from(ConnectFour::MAX_VALUE),
        _ => return ANY,
    };
    [-most, most]
}

/// Formats a range, such as `from 0 to 1` or `at least 0`.
pub fn describe([least, most]: MeasureRange) -> String {
    match (least.is_finite(), most.is_finite()) {
        (true, true) => format!("from {least} to {most}"),
        (true, false) => format!("at least {least}"),
        (false, true) => format!("at most {most}"),
        (false, false) => "any number".to_owned(),
    }
}
