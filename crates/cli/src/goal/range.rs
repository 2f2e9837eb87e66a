//! The values that a measure can have, so that a goal beyond them is refused: a run would never reach it.

use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::info::ExperimentInfo;
use vivarium_mcts::Game;

/// The least and the largest value.
pub type Range = [f64; 2];

const ANY: Range = [f64::NEG_INFINITY, f64::INFINITY];
const SHARE: Range = [0.0, 1.0];
/// Losses, lengths and counts.
const POSITIVE: Range = [0.0, f64::INFINITY];

/// The range of a measure of evaluations, or of a metric of the learner. A return has none: it depends on the config.
pub fn of(info: &ExperimentInfo, measure: &str) -> Range {
    evaluated(info, measure).unwrap_or_else(|| metric(info, measure))
}

/// Of what evaluations measure.
fn evaluated(info: &ExperimentInfo, measure: &str) -> Option<Range> {
    Some(match measure {
        "accuracy" | "wins" | "solved" | "answered" => SHARE,
        "points" => points(info),
        "likelihood" => [f64::NEG_INFINITY, 0.0],
        "held_out_perplexity" => [1.0, f64::INFINITY],
        "return_std" | "length" | "wrong_bits" | "excess" | "moves" | "held_out_loss" => POSITIVE,
        _ => return None,
    })
}

/// Of what the learner reports: by its unit, where that says enough.
fn metric(info: &ExperimentInfo, name: &str) -> Range {
    let unit =
        info.metrics.iter().find(|metric| metric.name == name).map_or("", |metric| metric.unit.as_str());
    match (name, unit) {
        (_, "share") | ("settled", _) => SHARE,
        ("explained_variance", _) => [f64::NEG_INFINITY, 1.0],
        (_, "points per game") => points(info),
        ("perplexity", _) => [1.0, f64::INFINITY],
        // An estimate, which may come out below 0.
        ("approx_kl", _) => ANY,
        (
            "learning_rate" | "gradient_norm" | "error_mean" | "promotions" | "value_loss" | "loss"
            | "game_points",
            _,
        )
        | (
            _,
            "nat" | "nats a token" | "squared error" | "bits" | "gates" | "decisions" | "moves"
            | "moves per solution" | "tokens/s" | "steps per episode",
        ) => POSITIVE,
        _ => ANY,
    }
}

/// What a game can be won or lost by.
fn points(info: &ExperimentInfo) -> Range {
    let most = match info.name.as_str() {
        State::NAME => f64::from(State::MAX_VALUE),
        ConnectFour::NAME => f64::from(ConnectFour::MAX_VALUE),
        _ => return ANY,
    };
    [-most, most]
}

/// A range in words: `from 0 to 1`, `0 at least`.
pub fn in_words([least, most]: Range) -> String {
    match (least.is_finite(), most.is_finite()) {
        (true, true) => format!("from {least} to {most}"),
        (true, false) => format!("{least} at least"),
        (false, true) => format!("{most} at most"),
        (false, false) => "any number".to_owned(),
    }
}
