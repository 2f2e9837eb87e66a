//! Match text of JellyFish: `.mat`.
//!
//! A line of a game has a number and two columns, one for each player: `roll: play`, `Doubles => 2`, `Takes` or `Drops`.
//! The last line, `Wins 1 point`, is in the column of the winner.

use super::consistency::{check_result, check_start};
use super::match_record::{
    MatchRecord, RecordError, RecordTag, RecordedAction, RecordedGame, RecordedResult,
};
use super::quoted::quoted;
use super::replay::GameReplay;
use crate::backgammon::dice::Roll;
use crate::backgammon::match_id::Match;
use crate::backgammon::match_play::is_one_away;
use std::fmt::Write;

/// Width of the first column after the number of the line, in characters.
const COLUMN: usize = 27;
/// Column of a line from which on a single action belongs to the second player, in characters.
const SECOND: usize = 20;

/// Formats a match. The format has no set-up positions: the games must begin with the starting position.
pub(super) fn write(record: &MatchRecord) -> String {
    let mut text = String::new();
    for (tag, value) in &record.tags {
        let value = if *tag == RecordTag::Date { value.replace('-', ".") } else { plain_value(value) };
        let _ = writeln!(text, "; [{} \"{value}\"]", tag.mat_name());
    }
    let _ = writeln!(text, " {} point match", record.length);
    let [first, second] = &record.players.each_ref().map(|name| plain_name(name));
    for (index, game) in record.games.iter().enumerate() {
        let [mine, theirs] = game.score;
        let left = format!("{first} : {mine}");
        let _ = writeln!(text, "\n Game {}\n {left:<31} {second} : {theirs}", index + 1);
        let mut replay = GameReplay::of(record, game);
        // The actions, as columns: (player, text).
        let mut cells: Vec<(u8, String)> = Vec::new();
        for action in &game.actions {
            let cell = match action {
                RecordedAction::Play { roll, play, .. } => {
                    let play = if play.moves.is_empty() {
                        "Cannot Move".to_owned()
                    } else {
                        play.notation(replay.position())
                    };
                    format!("{}{}: {play}", roll.high(), roll.low())
                }
                RecordedAction::Double { .. } => {
                    format!(" Doubles => {}", 2 * replay.state().doubling_cube())
                }
                RecordedAction::Take { .. } => " Takes".to_owned(),
                RecordedAction::Pass { .. } => " Drops".to_owned(),
            };
            cells.push((action.player(), cell));
            // The actions of a record obey the rules.
            let _ = replay.apply(action);
        }
        let (mut line, mut open) = (1, false);
        for (player, cell) in cells {
            if player == 0 {
                if open {
                    text.push('\n');
                }
                let _ = write!(text, "{line:>3}) {cell:<COLUMN$}");
                (line, open) = (line + 1, true);
            } else {
                if !open {
                    let _ = write!(text, "{line:>3}) {:<COLUMN$}", "");
                    line += 1;
                }
                let _ = writeln!(text, " {cell}");
                open = false;
            }
        }
        if let Some(RecordedResult { winner, points }) = game.result {
            let wins = format!("Wins {points} {}", if points == 1 { "point" } else { "points" });
            // GNU Backgammon reads the result of the second player in the line of the first player's last action.
            let indent = match (winner, open) {
                (0, false) => 6,
                (0, true) => {
                    text.push('\n');
                    6
                }
                (_, true) => 2,
                (_, false) => COLUMN + 7,
            };
            let _ = writeln!(text, "{:indent$}{wins}", "");
        } else if open {
            text.push('\n');
        }
    }
    // Columns end without blanks.
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Returns a value of a tag without the separators of the format.
fn plain_value(value: &str) -> String {
    value
        .chars()
        .map(|c| {
            if c.is_control() {
                ' '
            } else if c == '"' {
                '\''
            } else {
                c
            }
        })
        .collect()
}

/// Parses a tag in a comment, such as `; [Event "Open"]`. Returns `None` for other comments.
fn parse_tag(comment: &str) -> Option<(RecordTag, String)> {
    let inner = comment.trim_start_matches(';').trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?.trim();
    let tag = RecordTag::ALL.into_iter().find(|tag| tag.mat_name() == name).filter(|_| !value.is_empty())?;
    let value = if tag == RecordTag::Date { value.replace('.', "-") } else { value.to_owned() };
    Some((tag, value))
}

/// Returns a name without the separators of the format.
fn plain_name(name: &str) -> String {
    let name: String = name.chars().map(|c| if c == ':' || c.is_control() { ' ' } else { c }).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Parses a match.
pub(super) fn parse(text: &str) -> Result<MatchRecord, RecordError> {
    let mut record = MatchRecord::new([String::new(), String::new()], 0, false);
    let mut has_length = false;
    // Score of the present game is on the line after its title.
    let mut needs_score = false;
    let mut replay: Option<GameReplay> = None;
    for (index, line) in text.lines().enumerate() {
        let syntax = |problem: String| RecordError::Syntax { line: index + 1, problem };
        let words = line.trim();
        if words.is_empty() {
            continue;
        }
        if words.starts_with(';') {
            let tag = parse_tag(words);
            record.tags.extend(tag.filter(|(tag, _)| record.tags.iter().all(|(other, _)| other != tag)));
            continue;
        }
        if let Some(length) = words.to_lowercase().strip_suffix("point match") {
            record.length = length.trim().parse().map_err(|_| {
                syntax(format!("{} has no match length; it is written as \"5 point match\"", quoted(words)))
            })?;
            record.jacoby = record.length == 0;
            has_length = true;
        } else if !has_length {
            return Err(syntax(format!(
                "{} is not the match length, such as \"5 point match\"",
                quoted(words)
            )));
        } else if is_title(words) {
            needs_score = true;
        } else if needs_score {
            let (players, score) = parse_score(words).ok_or_else(|| {
                syntax(format!("{} is not a score, such as \"Ann : 0     Bob : 1\"", quoted(words)))
            })?;
            if record.games.is_empty() {
                record.players = players;
            }
            let game = RecordedGame::new(score, is_crawford(&record, score));
            check_start(&record, &game, false).map_err(syntax)?;
            replay = Some(GameReplay::new(record.state_before(&game)));
            record.games.push(game);
            needs_score = false;
        } else {
            let (Some(replay), Some(game)) = (replay.as_mut(), record.games.last_mut()) else {
                return Err(syntax(format!("{} precedes the first game", quoted(words))));
            };
            for (column, cell) in cells(line) {
                if let Some(action) = read_cell(&cell, column, replay, game).map_err(syntax)? {
                    replay.apply(&action).map_err(syntax)?;
                    game.actions.push(action);
                    game.result = replay.result();
                }
            }
        }
    }
    Ok(record)
}

/// Returns whether a game with this score is the Crawford game: the first one in which exactly one player needs 1 point, or the
/// only game of a match to 1 point.
fn is_crawford(record: &MatchRecord, score: [u16; 2]) -> bool {
    let one_away = |score| is_one_away(record.length, score);
    let state = Match { score, crawford: true, ..Match::start(record.length, record.jacoby) };
    state.check_crawford().is_ok() && !record.games.iter().any(|game| one_away(game.score))
}

/// Returns whether a line is the title of a game, such as `Game 2`.
fn is_title(words: &str) -> bool {
    words.strip_prefix("Game ").is_some_and(|number| number.trim().parse::<u32>().is_ok())
}

/// Parses names and scores, such as `Ann : 0     Bob : 1`.
fn parse_score(words: &str) -> Option<([String; 2], [u16; 2])> {
    let (rest, theirs) = words.rsplit_once(':')?;
    let (first, rest) = rest.split_once(':')?;
    let (mine, second) = rest.trim_start().split_once(char::is_whitespace)?;
    let score = [mine.trim().parse().ok()?, theirs.trim().parse().ok()?];
    Some(([first.trim().to_owned(), second.trim().to_owned()], score))
}

/// Splits a line of a game into its actions, with the player of each. A line has two columns, and an action starts with a
/// roll, such as `31:`, or a word.
fn cells(line: &str) -> Vec<(u8, String)> {
    let start = line.find(')').filter(|at| line[..*at].trim().parse::<u32>().is_ok()).map_or(0, |at| at + 1);
    let mut cells: Vec<(usize, String)> = Vec::new();
    let mut at = line[..start].chars().count();
    for word in line[start..].split_inclusive(' ') {
        let trimmed = word.trim();
        let starts = is_roll(trimmed)
            || ["doubles", "redoubles", "takes", "drops", "passes", "wins", "beavers"]
                .contains(&trimmed.to_lowercase().as_str());
        if starts {
            cells.push((at, trimmed.to_owned()));
        } else if !trimmed.is_empty() {
            match cells.last_mut() {
                Some((_, cell)) => {
                    cell.push(' ');
                    cell.push_str(trimmed);
                }
                // Text without an action; its reader reports the error.
                None => cells.push((at, trimmed.to_owned())),
            }
        }
        at += word.chars().count();
    }
    match &cells[..] {
        [(at, _)] if *at < SECOND => vec![(0, cells.remove(0).1)],
        [_] => vec![(1, cells.remove(0).1)],
        _ => (0..).zip(cells).map(|(player, (_, cell))| (player, cell)).collect(),
    }
}

/// Returns whether a word is a roll, such as `31:`.
fn is_roll(word: &str) -> bool {
    word.strip_suffix(':').is_some_and(|dice| dice.len() == 2 && dice.bytes().all(|c| c.is_ascii_digit()))
}

/// Reads one action of `player`. Returns `None` for the result of the game, which is stored in `game`.
fn read_cell(
    cell: &str,
    player: u8,
    replay: &mut GameReplay,
    game: &mut RecordedGame,
) -> Result<Option<RecordedAction>, String> {
    if player > 1 {
        return Err("more than two actions in a line".to_owned());
    }
    let (word, rest) = cell.split_once(' ').unwrap_or((cell, ""));
    Ok(Some(match word.to_lowercase().as_str() {
        "doubles" | "redoubles" => {
            let doubled = 2 * replay.state().doubling_cube();
            match rest.trim_start_matches("=>").trim().parse::<u32>() {
                Ok(value) if value != doubled => {
                    return Err(format!(
                        "{} doubles to {value}, but the doubling cube is {} here; correct the number to {doubled}",
                        quoted(cell),
                        doubled / 2
                    ));
                }
                _ => RecordedAction::Double { player },
            }
        }
        "takes" => RecordedAction::Take { player },
        "drops" | "passes" => RecordedAction::Pass { player },
        "wins" => {
            let points = rest.split(' ').next().and_then(|points| points.parse().ok());
            let points = points.ok_or_else(|| format!("{} has no number of points", quoted(cell)))?;
            let result = RecordedResult { winner: player, points };
            check_result(replay, result)?;
            game.result = Some(result);
            return Ok(None);
        }
        _ if is_roll(word) => {
            let dice = word.as_bytes();
            let roll = Roll::new(dice[0] - b'0', dice[1] - b'0').map_err(|error| error.to_string())?;
            let play = replay.find(player, roll, play_notation(rest))?;
            RecordedAction::Play { player, roll, play }
        }
        _ => {
            return Err(format!(
                "{} is not an action; allowed are a roll with a play, such as \"31: 8/5 6/5\", Doubles, Takes, Drops and Wins",
                quoted(cell)
            ));
        }
    }))
}

/// Returns the notation of a play; no text if no checker can move.
fn play_notation(play: &str) -> &str {
    let play = play.trim();
    if play.eq_ignore_ascii_case("cannot move") || play.contains('?') { "" } else { play }
}
