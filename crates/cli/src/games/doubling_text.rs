//! Text and JSON of a doubling decision: probabilities, equities, match winning probabilities and losses of the three actions, and
//! the best action.

use super::equity_table::EquityTable;
use crate::text::{self, fixed, signed};
use serde_json::{Value, json};
use std::fmt::Write;
use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingError, DoublingMethod, EquityContext};
use vivarium_envs::backgammon::{DoublingCubeOwner, Match, Position};
use vivarium_exhibit_games::advice::{Adviser, DecidedDoubling, DoublingLosses, probabilities_text};

/// Describes how the equities of a doubling decision were computed. `probabilities`: method of the probabilities before
/// the roll.
fn method_note(method: DoublingMethod, is_match: bool, probabilities: &str) -> String {
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
        DoublingMethod::Rollout => format!(
            "Cubeless probabilities by {probabilities}. Equities per value of the doubling cube are the means of {probabilities} \
             without a double, and after double and take"
        ),
        DoublingMethod::Janowski => format!(
            "Cubeless probabilities by {probabilities}. Equities per value of the doubling cube are computed from these \
             probabilities by Janowski's formula with cube life {CUBE_LIFE}"
        ),
    }
}

/// Text of an evaluation, with a note on units and methods that most evaluations of a session share.
pub struct NotedText {
    pub text: String,
    pub note: String,
}

impl NotedText {
    /// Returns the text with the note below it.
    pub fn full(&self) -> String {
        format!("{}\n\n{}", self.text, self.note)
    }
}

/// Probabilities before the roll, and the doubling decision.
pub struct DoublingAdvice {
    /// Cubeless outcome probabilities of the player on roll.
    pub probabilities: [f32; 5],
    /// Decision, or the reason why there is none.
    pub decided: Result<DecidedDoubling, DoublingError>,
    /// Equity at the score with the best actions; after an offered double, of the player who doubles.
    pub equity: f64,
    /// Match winning probability of `equity`; `None` in a money game.
    pub match_winning_probability: Option<f64>,
}

impl DoublingAdvice {
    /// Formats the equity at the score and, in a match, the match winning probability in one line.
    fn equity_text(&self) -> String {
        let equity = signed(self.equity, 3);
        self.match_winning_probability.map_or_else(
            || format!("Equity per value of the doubling cube: {equity}."),
            |probability| {
                format!(
                    "Equity at the score: {equity} (+1 and −1 are a single game won and lost); match winning probability (MWC): {} %.",
                    fixed(100.0 * probability, 2)
                )
            },
        )
    }
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
    let context = equity_table.equity_context(state)?;
    let probabilities = adviser.probabilities_before_roll(position, context)?;
    let decided = equity_table.context(state);
    let decided = decided.map(|context| DecidedDoubling::new(position, probabilities, &context));
    let equity = match &decided {
        Ok(DecidedDoubling { decision, .. }) if state.doubled => decision.double(),
        Ok(DecidedDoubling { decision, .. }) => decision.no_double.max(decision.double()),
        Err(_) => context.equity(context.value(position, probabilities)),
    };
    let match_winning_probability = context.match_winning_probability(equity);
    Ok(DoublingAdvice { probabilities, decided, equity, match_winning_probability })
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
) -> Result<NotedText, String> {
    let advice = decide(position, state, adviser, equity_table)?;
    Ok(advice_text(&advice, state, &adviser.method_before_roll(position), equity_table))
}

/// Formats the doubling decision of [`decide`]. `method`: method of the probabilities before the roll.
pub fn advice_text(
    advice: &DoublingAdvice,
    state: &Match,
    method: &str,
    equity_table: &EquityTable,
) -> NotedText {
    let probabilities = probabilities_text(advice.probabilities);
    match &advice.decided {
        Ok(decided) => {
            let NotedText { text, note } = decision_text(decided, [None; 3], state, method, equity_table);
            NotedText {
                text: format!("{probabilities}\n\n{text}"),
                note: format!("{PROBABILITIES_NOTE} {note}"),
            }
        }
        Err(error) => NotedText {
            text: format!("{probabilities}\n{}\n{error}", advice.equity_text()),
            note: PROBABILITIES_NOTE.to_owned(),
        },
    }
}

/// Formats the three actions as a table: equity and, in a match, match winning probability, with standard errors if `errors` has
/// them, and the loss of the player who makes the action. The best action follows. `probabilities`: method of the probabilities before the
/// roll.
pub fn decision_text(
    decided: &DecidedDoubling,
    errors: [Option<f64>; 3],
    state: &Match,
    probabilities: &str,
    equity_table: &EquityTable,
) -> NotedText {
    let context = equity_table.equity_context(state).ok().filter(|_| state.length > 0);
    let mwc_title = context.map(|_| "MWC".to_owned());
    let heading = [equities_of(state.doubled).to_owned(), "equity".to_owned()].into_iter().chain(mwc_title);
    let mut rows = vec![heading.chain(["loses".to_owned()]).collect::<Vec<_>>()];
    let actions = decided.actions().into_iter().zip(errors);
    for (((action, equity), error), loses) in actions.zip(losses_text(decided, state.doubled)) {
        let error_text = |error: Option<f64>, decimals: usize| {
            error.map_or(String::new(), |error| format!(" ±{error:.decimals$}"))
        };
        let mut row = vec![action, signed(equity, 3) + &error_text(error, 3)];
        row.extend(context.and_then(|context| {
            let probability = |equity: f64| context.match_winning_probability(equity);
            let scale = 100.0 * (probability(1.0)? - probability(0.0)?);
            let error = error_text(error.map(|error| error * scale), 2);
            Some(fixed(100.0 * probability(equity)?, 2) + &error)
        }));
        row.push(loses);
        rows.push(row);
    }
    let mut note = format!(
        "{}. {}{LOSSES_NOTE}",
        method_note(decided.method, state.length > 0, probabilities),
        if state.length > 0 { MWC_NOTE } else { "" }
    );
    if let Some(name) = equity_table.loaded().filter(|_| state.length > 0) {
        let _ = write!(note, " Match equity table: {name}.");
    }
    NotedText { text: format!("{}\nBest: {}", text::table(&rows), decided.best(state.doubled)), note }
}

/// Meaning of the column MWC.
const MWC_NOTE: &str = "MWC: match winning probability in percent. ";

/// Meaning of the column of the losses.
const LOSSES_NOTE: &str = "Loses: equity that the action loses against the best action of the same player.";

/// Formats the losses of the rows of a decision: no double, double and take, double and pass. The best reply to a double has the loss
/// of the double, and the other reply has the loss of the opponent. `offered`: the opponent decides.
fn losses_text(decided: &DecidedDoubling, offered: bool) -> [String; 3] {
    let DoublingLosses { no_double, double, take, pass } = DoublingLosses::of(&decided.decision);
    let loss = |loss: f64| if loss > 0.0 { format!("{loss:.3}") } else { "–".to_owned() };
    if offered {
        return [String::new(), loss(take), loss(pass)];
    }
    let by_opponent = |lost: f64| loss(lost) + if lost > 0.0 { " (opponent)" } else { "" };
    if decided.decision.is_take() {
        [loss(no_double), loss(double), by_opponent(pass)]
    } else {
        [loss(no_double), by_opponent(take), loss(double)]
    }
}

/// Returns the name of the player whose equities a decision has. `offered`: the player has doubled.
fn equities_of(offered: bool) -> &'static str {
    if offered { "player who doubles" } else { "player on roll" }
}

/// Returns a doubling decision as JSON. `offered`: the player on roll has doubled; `context` is that of this player.
pub fn doubling_json(decided: &DecidedDoubling, offered: bool, context: EquityContext<'_>) -> Value {
    let DecidedDoubling { decision, method, .. } = decided;
    let DoublingLosses { no_double, double, take, pass } = DoublingLosses::of(&decided.decision);
    let probability = |equity: f64| context.match_winning_probability(equity);
    json!({
        "equities_of": equities_of(offered),
        "method": match method {
            DoublingMethod::Exact => "exact",
            DoublingMethod::BearOff => "estimate",
            DoublingMethod::Janowski => "formula",
            DoublingMethod::Rollout => "rollout",
        },
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "match_winning_probabilities": probability(decision.no_double).map(|no_double| json!({
            "no_double": no_double,
            "double_take": probability(decision.double_take),
            "double_pass": probability(decision.double_pass),
        })),
        "losses": { "no_double": no_double, "double": double, "take": take, "pass": pass },
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
