//! Output of `vivarium solve`: text, the table of a batch, and JSON.

use super::args::SolveArgs;
use super::solution::{GivenCube, Solution};
use crate::cube::experiment_name;
use crate::{terminal, text};
use serde_json::json;
use std::cmp::Ordering;
use vivarium_envs::cube::{CubeOrientation, CubePuzzle, FaceTurn, LayerMove, TurnMetric};

/// Prints the heading of the table of a batch.
pub fn print_heading(args: &SolveArgs) {
    if !args.json {
        terminal::print_line("  line  htm  qtm best  solution");
    }
}

/// Prints a solution of a batch as a row of the table: line of standard input, length in both metrics, length of the best known
/// solution in `metric`, and moves.
pub fn print_row(line: u64, metric: TurnMetric, orientation: CubeOrientation, solution: &Solution) {
    let [half, quarter] =
        [TurnMetric::Half, TurnMetric::Quarter].map(|metric| metric.length(&solution.turns));
    let best = solution.best_length(metric);
    let moves = moves_text(orientation, &solution.turns);
    let moves = if moves.is_empty() { "–" } else { &moves };
    terminal::print_line(&format!("{line:>6} {half:>4} {quarter:>4} {best:>4}  {moves}"));
}

/// Prints a solution as a JSON object. `input`: stickers and scramble; `line`: line of standard input.
pub fn print_json<C: CubePuzzle>(
    given: &GivenCube<C>,
    [stickers, scramble]: [Option<&str>; 2],
    line: Option<u64>,
    solution: &Solution,
) {
    let lengths = |turns: &[FaceTurn]| {
        json!({
            "solution": moves_text(given.orientation, turns),
            "half_turns": TurnMetric::Half.length(turns),
            "quarter_turns": TurnMetric::Quarter.length(turns),
        })
    };
    let mut value = lengths(&solution.turns);
    value["experiment"] = experiment_name(C::SIZE).into();
    value["scramble"] = scramble.into();
    value["stickers"] = stickers.into();
    value["minimum"] = solution.minimum.into();
    value["how"] = solution.how.as_str().into();
    value["comparison"] = solution.rival.as_ref().map_or(serde_json::Value::Null, |rival| {
        let mut value = lengths(&rival.turns);
        value["how"] = rival.how.as_str().into();
        value
    });
    if let Some(line) = line {
        value["line"] = line.into();
    }
    terminal::print_line(&value.to_string());
}

/// Formats a solution. `orientation` is the orientation of the whole cube before the solution.
pub fn moves_text(orientation: CubeOrientation, turns: &[FaceTurn]) -> String {
    let moves = orientation.to_standard().into_iter().chain(turns.iter().map(|&turn| turn.into()));
    moves.map(|layers: LayerMove| layers.to_string()).collect::<Vec<_>>().join(" ")
}

/// Prints a verified solution, and its length on standard error. `orientation` is the orientation of the whole cube before
/// the solution.
pub fn print(metric: TurnMetric, orientation: CubeOrientation, solution: &Solution) {
    let Solution { turns, how, rival, .. } = solution;
    let moves = moves_text(orientation, turns);
    if moves.is_empty() {
        terminal::print_line("This cube is solved.");
        return;
    }
    terminal::print_line(&moves);
    let rotations = match orientation.to_standard().len() {
        0 => "",
        1 => " The rotation of the whole cube is not counted.",
        _ => " The rotations of the whole cube are not counted.",
    };
    terminal::print_message(&format!(
        "{} {how}.{rotations} Verified: the cube is solved.",
        lengths(metric, turns)
    ));
    if let Some(rival) = rival {
        let comparison = match metric.length(&rival.turns).cmp(&metric.length(turns)) {
            Ordering::Less => {
                format!("{}: {}", lengths(metric, &rival.turns), moves_text(orientation, &rival.turns))
            }
            Ordering::Equal => "no shorter solution".into(),
            Ordering::Greater => format!("{}, more", lengths(metric, &rival.turns)),
        };
        terminal::print_message(&format!("For comparison, {}: {comparison}.", rival.how));
    }
}

/// Returns the length of a solution in both metrics, `metric` first.
fn lengths(metric: TurnMetric, turns: &[FaceTurn]) -> String {
    let moves = text::count(metric.length(turns).into(), "move");
    let name = |metric| match metric {
        TurnMetric::Half => "half-turn metric",
        TurnMetric::Quarter => "quarter-turn metric",
    };
    let other = match metric {
        TurnMetric::Half => TurnMetric::Quarter,
        TurnMetric::Quarter => TurnMetric::Half,
    };
    format!("{moves} ({}; {} in the {})", name(metric), other.length(turns), name(other))
}
