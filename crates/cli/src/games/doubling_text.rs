//! Text and JSON of a doubling decision: probabilities, the equities of the three actions, and the best action.

use super::equity_table::EquityTable;
use serde_json::{Value, json};
use std::fmt::Write;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingError, DoublingMethod};
use vivarium_envs::backgammon::{DoublingCubeOwner, Match, Position};
use vivarium_exhibit_games::advice::{Adviser, DecidedDoubling, probabilities_text};

/// Returns the note below a doubling decision: how its equities were computed. `probabilities`: method of the probabilities before
/// the roll.
fn note(method: DoublingMethod, is_match: bool, probabilities: &str) -> String {
    match method {
        DoublingMethod::Exact => {
            let values = if is_match { ", with the match equity table for the scores after it" } else { "" };
            format!(
                "Equities per value of the doubling cube are exact: they include all rolls, plays and doubles to the end of the \
                 game{values}"
            )
        }
        DoublingMethod::BearOff => {
            "Equities per value of the doubling cube are estimates: they include all rolls, plays and doubles of the \
             next turns. Janowski's formula follows, with the winning probability of the bear-off table and a cube life that is \
             fitted to exact bear-offs"
                .to_owned()
        }
        DoublingMethod::Janowski => format!(
            "Cubeless probabilities by {probabilities}. Equities per value of the doubling cube are computed from these \
             probabilities by Janowski's formula with cube life {CUBE_LIFE}"
        ),
    }
}

/// Probabilities before the roll, and the doubling decision.
pub struct DoublingAdvice {
    /// Cubeless outcome probabilities of the player on roll.
    pub probabilities: [f32; 5],
    /// Decision, or the reason why there is none.
    pub decided: Result<DecidedDoubling, DoublingError>,
}

/// Computes the doubling decision of the player on roll in `position`.
///
/// # Errors
/// A message if the adviser fails, or the table does not have the score.
pub fn decide(
    position: &Position,
    state: &Match,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<DoublingAdvice, String> {
    let probabilities = adviser.probabilities_before_roll(position, equity_table.equity_context(state)?)?;
    let decided = equity_table.context(state);
    let decided = decided.map(|context| DecidedDoubling::new(position, probabilities, &context));
    Ok(DoublingAdvice { probabilities, decided })
}

/// Formats the doubling decision of the player on roll in `position`, from the adviser's cubeless probabilities before the roll.
/// If a double has been offered, the best action is the one of the opponent.
///
/// # Errors
/// A message if the adviser fails.
pub fn doubling_text(
    position: &Position,
    state: &Match,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<String, String> {
    let decision = decide(position, state, adviser, equity_table)?;
    let text = format!("{}\n{PROBABILITIES_NOTE}", probabilities_text(decision.probabilities));
    Ok(match decision.decided {
        Ok(decided) => {
            let method = adviser.method_before_roll(position);
            format!("{text}\n\n{}", decision_text(&decided, [None; 3], state, &method, equity_table))
        }
        Err(error) => format!("{text}\n{error}"),
    })
}

/// Formats the equities of the three actions, with standard errors if `errors` has them, the best action, and a note on the
/// method. `probabilities`: method of the probabilities before the roll.
pub fn decision_text(
    decided: &DecidedDoubling,
    errors: [Option<f64>; 3],
    state: &Match,
    probabilities: &str,
    equity_table: &EquityTable,
) -> String {
    let mut text = format!("equity of the {}:", equities_of(state.doubled));
    for (row, error) in decided.equity_rows().into_iter().zip(errors) {
        let error = error.map_or(String::new(), |error| format!(" ±{error:.3}"));
        let _ = write!(text, "\n{row}{error}");
    }
    let _ = write!(
        text,
        "\nBest: {}\n\n{}.",
        decided.best(state.doubled),
        note(decided.method, state.length > 0, probabilities)
    );
    if let Some(name) = equity_table.loaded().filter(|_| state.length > 0) {
        let _ = write!(text, " Match equity table: {name}.");
    }
    text
}

/// Returns the name of the player whose equities a decision has. `offered`: the player has doubled.
fn equities_of(offered: bool) -> &'static str {
    if offered { "player who doubles" } else { "player on roll" }
}

/// Returns a doubling decision as JSON. `offered`: the player on roll has doubled.
pub fn doubling_json(decided: &DecidedDoubling, offered: bool) -> Value {
    let DecidedDoubling { decision, method, .. } = decided;
    json!({
        "equities_of": equities_of(offered),
        "method": match method {
            DoublingMethod::Exact => "exact",
            DoublingMethod::BearOff => "estimate",
            DoublingMethod::Janowski => "formula",
        },
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "best": decided.best(offered),
    })
}

/// Meaning of the probabilities before the roll.
const PROBABILITIES_NOTE: &str = "Equity and probabilities of the player on roll, before the roll. Wins and losses include gammons, and gammons include backgammons.";

/// Formats score and doubling cube: match length and score of both players, or the rule of a money session. `names`:
/// player 0, player 1.
pub fn match_text(state: &Match, names: [&str; 2]) -> String {
    let [first, second] = state.score;
    let score = format!("{} {first}, {} {second}", names[0], names[1]);
    let game = match (state.length, state.crawford) {
        (0, _) if state.without_jacoby => format!("Money session without the Jacoby rule: {score}"),
        (0, _) => format!("Money session with the Jacoby rule: {score}"),
        (1, _) => return format!("Match to 1: {score}. No doubling cube."),
        (length, true) => format!("Match to {length}: {score}; Crawford game"),
        (length, false) => format!("Match to {length}: {score}"),
    };
    let owner = match state.doubling_cube_owner {
        DoublingCubeOwner::Centered => "in the center".to_owned(),
        DoublingCubeOwner::Player(player) => format!("owned by {}", names[usize::from(player & 1)]),
    };
    format!("{game}. Doubling cube {} {owner}.", state.doubling_cube())
}
