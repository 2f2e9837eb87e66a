//! Report of a match analysis as text.

use super::{MARKS, MatchAnalysis, MatchResult, PlayerTotal, RatedAction, RatedKind, milli};
use crate::advice::{Advice, COLUMNS_NOTE, plays_table, probabilities_text};
use std::fmt::Write;
use vivarium_envs::backgammon::Xgid;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::record::{MatchRecord, RecordedGame};
use vivarium_lab::text::{column, fixed, signed, table};

/// Width of the players' names in a row, in characters.
const NAME_WIDTH: usize = 16;
/// Width of an action in a row, in characters.
const ACTION_WIDTH: usize = 32;

impl MatchAnalysis {
    /// Formats the analysis: a row for each action, the totals of both players for each game and the
    /// match, and the result. If candidates are listed, each decision is followed by its XGID and by its plays or the equities of
    /// the three doubling actions. `player`: the actions of this player, 0 or 1; `None` lists both.
    pub fn text(&self, player: Option<u8>) -> String {
        let record = &self.record;
        let mut text = match_title(record);
        for (index, (game, actions)) in record.games.iter().zip(&self.games).enumerate() {
            let _ = write!(text, "\n\n{}\n{}", game_title(record, game, index), row_heading());
            for action in actions.iter().filter(|action| is_of(player, action)) {
                if self.candidates > 0 {
                    let _ = write!(text, "\n{}{}", row(record, action), self.details(action));
                } else if !action.is_silent() {
                    let _ = write!(text, "\n{}", row(record, action));
                }
            }
            if let Some(result) = game.result {
                let winner = &record.players[usize::from(result.winner & 1)];
                let unit = if result.points == 1 { "point" } else { "points" };
                let _ = write!(text, "\n{winner} wins {} {unit}.", result.points);
            }
            if record.games.len() > 1 {
                let title = format!("game {}", index + 1);
                let _ = write!(text, "\n\n{}", totals_text(&title, record, PlayerTotal::of_players(actions)));
            }
        }
        if let Some(sentence) = incomplete(record) {
            let _ = write!(text, "\n\n{sentence}");
        }
        let _ = write!(text, "\n\n{}", totals_text("total", record, self.totals()));
        if let Some(result) = self.result() {
            let _ = write!(text, "\n\n{}", result_text(record, result));
        }
        let _ = write!(text, "\n\n{}", self.note());
        text
    }

    /// Formats the `count` largest errors of the analysis, the largest first, each with its XGID, and the totals of both players.
    /// `player`: the errors of this player, 0 or 1; `None` lists both. `board` draws a position; `None` draws none.
    pub fn worst_text(
        &self,
        count: usize,
        player: Option<u8>,
        board: Option<&dyn Fn(&Xgid) -> String>,
    ) -> String {
        let record = &self.record;
        let errors = self.errors(player);
        let of_player =
            player.map_or(String::new(), |player| format!(" of {}", record.players[usize::from(player & 1)]));
        let mut text = match_title(record);
        let _ =
            write!(text, "\n\nLargest errors{of_player}: {} of {}", count.min(errors.len()), errors.len());
        let _ = write!(text, "\ngame {}", row_heading());
        for (game, action) in errors.into_iter().take(count) {
            let _ = write!(text, "\n{game:>4} {}", row(record, action));
            if self.candidates > 0 {
                text.push_str(&self.details(action));
            } else {
                let _ = write!(text, "\n    {}", action.position);
            }
            if let Some(board) = board {
                let _ = write!(text, "\n\n{}\n", board(&action.position));
            }
        }
        let _ = write!(text, "\n\n{}\n\n{}", totals_text("total", record, self.totals()), self.note());
        text
    }

    /// Returns the XGIDs of the `count` largest errors of the analysis, the largest first. `player`: the errors of this player, 0 or 1;
    /// `None` for both.
    pub fn worst_positions(&self, count: usize, player: Option<u8>) -> Vec<Xgid> {
        self.errors(player).into_iter().take(count).map(|(_, action)| action.position).collect()
    }

    /// Returns all errors of a player, the largest first, each with the number of its game from 1. `None` returns the errors of both.
    fn errors(&self, player: Option<u8>) -> Vec<(u32, &RatedAction)> {
        let games = self
            .games
            .iter()
            .zip(1..)
            .flat_map(|(actions, game)| actions.iter().map(move |action| (game, action)));
        let mut errors: Vec<(u32, &RatedAction)> =
            games.filter(|(_, action)| action.best.is_some() && is_of(player, action)).collect();
        errors.sort_by(|(_, one), (_, other)| other.error.total_cmp(&one.error));
        errors
    }

    /// Returns the note on units, evaluator, depth and marks.
    fn note(&self) -> String {
        let mut text = format!(
            "Millipoints per value of the doubling cube, by {} evaluation {}. At the score and with the doubling cube, by Janowski's \
             formula. {}Marks: ?? from {}, ? from {}, ?! from {}; blunders: ?? and ?. PR: half the error rate.",
            self.evaluator.possessive(),
            self.depth.text(),
            self.evaluator.caution(),
            milli(MARKS[0].0),
            milli(MARKS[1].0),
            milli(MARKS[2].0)
        );
        if self.candidates > 0 {
            let _ = write!(
                text,
                "\n\nTables of plays and doubles are in points. {COLUMNS_NOTE} Tables of doubles have the \
                 equities and probabilities of the player on roll, before the roll."
            );
        }
        text
    }

    /// Returns the lines below a decision: its XGID, and the candidates of a play or the equities of a doubling decision. Empty for
    /// a play without a choice.
    fn details(&self, action: &RatedAction) -> String {
        let lines = if let Some(decided) = &action.doubling {
            let best = format!("Best: {}", decided.best(false));
            decided
                .equity_rows()
                .into_iter()
                .chain([best, probabilities_text(decided.probabilities)])
                .collect()
        } else if action.candidates.len() > 1 {
            let advice: Vec<Advice> = action.candidates.iter().map(|candidate| candidate.advice).collect();
            let played = action.candidates.iter().find(|candidate| candidate.is_played);
            let position = &action.position;
            let Ok(context) = EquityContext::new(&position.state, &self.equity_table) else {
                return String::new();
            };
            let played = played.map(|played| &played.advice.play);
            let table = plays_table(&position.position, &advice, u32::MAX, context, played);
            table.lines().map(str::to_owned).collect()
        } else {
            Vec::new()
        };
        let xgid = (!lines.is_empty()).then(|| action.position.to_string());
        xgid.into_iter().chain(lines).map(|line| format!("\n    {}", line.trim_end())).collect()
    }
}

/// Returns whether an action is listed with the actions of `player`; `None` lists both players.
fn is_of(player: Option<u8>, action: &RatedAction) -> bool {
    player.is_none_or(|player| action.player == player)
}

/// Formats the sums of both players.
fn totals_text(title: &str, record: &MatchRecord, totals: [PlayerTotal; 2]) -> String {
    let mut text = format!(
        "{} {:>6} {:>8} {:>9} {:>8} {:>9} {:>9} {:>11} {:>5}",
        column(title, NAME_WIDTH),
        "plays",
        "error",
        "doubling",
        "error",
        "blunders",
        "luck",
        "error rate",
        "PR"
    );
    for (name, total) in record.players.iter().zip(&totals) {
        let decimal = |value: Option<f64>| value.map_or("–".to_owned(), |value| fixed(value, 1));
        let _ = write!(
            text,
            "\n{} {:>6} {:>8} {:>9} {:>8} {:>9} {:>9} {:>11} {:>5}",
            column(name, NAME_WIDTH),
            total.plays,
            fixed(milli(total.play_error), 1),
            total.doubling_decisions,
            fixed(milli(total.doubling_error), 1),
            total.blunders,
            signed(milli(total.luck), 1),
            decimal(total.error_rate().map(milli)),
            decimal(total.performance_rating())
        );
    }
    text
}

/// Returns a sentence about a record that ends before the end of its game or match; `None` for a complete record.
fn incomplete(record: &MatchRecord) -> Option<String> {
    let last = record.games.last()?;
    let Some(result) = last.result else {
        return Some(format!(
            "The record ends within game {}: all sums are of its actions only.",
            record.games.len()
        ));
    };
    let mut score = last.score;
    score[usize::from(result.winner & 1)] += result.points;
    let is_over = record.length == 0 || score.iter().any(|points| *points >= record.length);
    let [first, second] = score;
    (!is_over).then(|| {
        format!(
            "The record ends before the end of the match, at {first}-{second} of {} points.",
            record.length
        )
    })
}

/// Formats the result of both players with and without luck.
fn result_text(record: &MatchRecord, result: MatchResult) -> String {
    let value = |value: f64| match record.length {
        0 => signed(value, 3),
        _ => format!("{} %", fixed(100.0 * value, 2)),
    };
    let heading = match record.length {
        0 => "result in points",
        _ => "match winning probability",
    };
    let row = |(name, result): (&String, MatchResult)| {
        vec![name.clone(), value(result.actual), value(result.luck_adjusted)]
    };
    let heading = [heading, "actual", "luck-adjusted"].map(str::to_owned).to_vec();
    let results = record.players.iter().zip([result, result.opposite()]);
    let text = table(&[vec![heading], results.map(row).collect()].concat());
    if record.length == 0 || (0.0..=1.0).contains(&result.luck_adjusted) {
        return text;
    }
    format!("{text}\nThe luck-adjusted result is an estimate, which can be less than 0 % or more than 100 %.")
}

fn match_title(record: &MatchRecord) -> String {
    let [first, second] = &record.players;
    match record.length {
        0 => format!("Money session: {first}, {second}"),
        length => format!("Match to {length}: {first}, {second}"),
    }
}

fn game_title(record: &MatchRecord, game: &RecordedGame, index: usize) -> String {
    let [mine, theirs] = game.score;
    let [first, second] = &record.players;
    let crawford = if game.crawford { ", Crawford game" } else { "" };
    format!("Game {}: {first} {mine}, {second} {theirs}{crawford}", index + 1)
}

fn row_heading() -> String {
    format!(
        "{} {} {:>7}    {:>7}  best",
        column("player", NAME_WIDTH),
        column("action", ACTION_WIDTH),
        "error",
        "luck"
    )
}

fn row(record: &MatchRecord, action: &RatedAction) -> String {
    let (words, luck) = match &action.kind {
        RatedKind::Play { roll, play, luck, .. } => (format!("{roll}: {play}"), signed(milli(*luck), 1)),
        other => (doubling_name(other).to_owned(), String::new()),
    };
    let name = &record.players[usize::from(action.player & 1)];
    let best = action.best.as_deref().unwrap_or("");
    let row = format!(
        "{} {} {:>7} {:<2} {luck:>7}  {best}",
        column(name, NAME_WIDTH),
        column(&words, ACTION_WIDTH),
        fixed(milli(action.error), 1),
        action.mark().unwrap_or("")
    );
    row.trim_end().to_owned()
}

fn doubling_name(kind: &RatedKind) -> &'static str {
    match kind {
        RatedKind::Play { .. } => "play",
        RatedKind::Double => "double",
        RatedKind::NoDouble => "no double",
        RatedKind::Take => "take",
        RatedKind::Pass => "pass",
    }
}
