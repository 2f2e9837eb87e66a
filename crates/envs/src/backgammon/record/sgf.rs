//! Smart Game Format of backgammon: game number 6, as GNU Backgammon writes it.
//!
//! Player 0 is White, player 1 is Black. A move is the roll and two letters for each checker: the letters a to x are the
//! points 1 to 24 of White, y is the bar, z is off. A position is set up by AE, AW, AB, PL, CV and CO.

use super::consistency::{check_result, check_start};
use super::match_record::{
    MatchRecord, RecordError, RecordTag, RecordedAction, RecordedGame, RecordedResult, RecordedSetup,
};
use super::quoted::quoted;
use super::replay::GameReplay;
use super::sgf_tree::{self, SgfNodes, SgfProperty};
use crate::backgammon::dice::Roll;
use crate::backgammon::match_id::DoublingCubeOwner;
use crate::backgammon::position::Position;
use crate::backgammon::side::{BAR, CHECKERS, OFF, PLACES};
use std::fmt::Write;

/// Formats a match, one game tree for each game.
pub(super) fn write(record: &MatchRecord) -> String {
    let mut text = String::new();
    let [white, black] = &record.players.each_ref().map(|name| escaped(name));
    for (index, game) in record.games.iter().enumerate() {
        let [mine, theirs] = game.score;
        let _ = write!(
            text,
            "(;FF[4]GM[6]CA[UTF-8]AP[Vivarium]MI[length:{}][game:{index}][ws:{mine}][bs:{theirs}]PW[{white}]PB[{black}]",
            record.length
        );
        let rules = match (record.length, record.jacoby, game.crawford) {
            (0, true, _) => "RU[Jacoby]",
            (0, false, _) => "",
            (_, _, true) => "RU[Crawford:CrawfordGame]",
            (_, _, false) => "RU[Crawford]",
        };
        text.push_str(rules);
        for (tag, value) in &record.tags {
            let _ = write!(text, "{}[{}]", tag.sgf_name(), escaped(value));
        }
        if let Some(setup) = &game.setup {
            text.push_str(&setup_properties(setup));
        }
        if let Some(RecordedResult { winner, points }) = game.result {
            // A result that does not follow from the actions is a resignation.
            let mut replay = GameReplay::of(record, game);
            let _ = game.actions.iter().try_for_each(|action| replay.apply(action));
            let resigned = if replay.result().is_none() { "R" } else { "" };
            let _ = write!(text, "RE[{}+{points}{resigned}]", color(winner));
        }
        for action in &game.actions {
            let player = action.player();
            let _ = write!(text, "\n;{}[", color(player));
            match action {
                RecordedAction::Play { roll, play, .. } => {
                    let _ = write!(text, "{}{}", roll.high(), roll.low());
                    for one in play.moves.iter() {
                        text.push(letter(one.from.into(), player));
                        text.push(letter(one.to().into(), player));
                    }
                }
                RecordedAction::Double { .. } => text.push_str("double"),
                RecordedAction::Take { .. } => text.push_str("take"),
                RecordedAction::Pass { .. } => text.push_str("drop"),
            }
            text.push(']');
        }
        text.push_str(")\n");
    }
    text
}

/// Parses a match.
pub(super) fn parse(text: &str) -> Result<MatchRecord, RecordError> {
    let trees = sgf_tree::parse(text)?;
    let mut record = MatchRecord::new([String::new(), String::new()], 0, false);
    for nodes in &trees {
        let number = record.games.len() + 1;
        let error = |action, problem| RecordError::Action { game: number, action, problem };
        let game = header(&mut record, nodes).map_err(|problem| error(0, problem))?;
        let mut replay = GameReplay::of(&record, &game);
        let mut game = game;
        let recorded = game.result.take();
        for property in nodes.iter().flatten() {
            let player = match property.name.as_str() {
                "W" => 0,
                "B" => 1,
                _ => continue,
            };
            let at = game.actions.len() + 1;
            let action = read_action(property, player, &mut replay).map_err(|problem| error(at, problem))?;
            replay.apply(&action).map_err(|problem| error(at, problem))?;
            game.actions.push(action);
        }
        if let Some(result) = recorded {
            check_result(&replay, result).map_err(|problem| error(game.actions.len(), problem))?;
        }
        game.result = recorded.or(replay.result());
        record.games.push(game);
    }
    Ok(record)
}

/// Reads the root of a game tree: length, score, players, rules and result.
fn header(record: &mut MatchRecord, nodes: &SgfNodes) -> Result<RecordedGame, String> {
    let root = nodes.first().ok_or("the game tree has no nodes")?;
    let values = |name: &str| {
        let property = root.iter().find(|property| property.name == name);
        property.map_or(&[][..], |property| &property.values[..])
    };
    if values("GM").first().map(String::as_str) != Some("6") {
        return Err("the game is not backgammon; GM[6] is needed".to_owned());
    }
    let number = |name: &str| -> Result<u16, String> {
        let found = values("MI").iter().find_map(|value| value.strip_prefix(name)?.strip_prefix(':'));
        found.map_or(Ok(0), |value| {
            value
                .trim()
                .parse()
                .map_err(|_| format!("{name} of the property MI is {}, not a number", quoted(value)))
        })
    };
    let rules: Vec<_> = values("RU").iter().flat_map(|rules| rules.split(':')).map(str::trim).collect();
    if record.games.is_empty() {
        record.length = number("length")?;
        record.jacoby = record.length == 0 && rules.contains(&"Jacoby");
        record.players = ["PW", "PB"].map(|name| values(name).first().cloned().unwrap_or_default());
        let tag = |tag: RecordTag| {
            Some((tag, values(tag.sgf_name()).first().filter(|value| !value.is_empty())?.clone()))
        };
        record.tags = RecordTag::ALL.into_iter().filter_map(tag).collect();
    }
    let result = match values("RE").first() {
        Some(text) => parse_result(text)?,
        None => None,
    };
    let crawford = record.length == 1 || rules.contains(&"CrawfordGame");
    let game = RecordedGame::new([number("ws")?, number("bs")?], crawford);
    let game = RecordedGame { setup: read_setup(nodes)?, result, ..game };
    check_start(record, &game, rules.contains(&"Crawford"))?;
    Ok(game)
}

/// Formats a set-up position: an empty board, the checkers of both players, the player on roll and the doubling cube.
fn setup_properties(setup: &RecordedSetup) -> String {
    let mut text = "AE[a:y]".to_owned();
    let white_view = if setup.on_roll == 0 { setup.position } else { setup.position.mirrored() };
    for (player, side) in [(0, white_view.mine()), (1, white_view.theirs())] {
        let _ = write!(text, "A{}", color(player));
        for place in (1..=BAR).rev() {
            (0..side.count(place)).for_each(|_| text.extend(['[', letter(place, player), ']']));
        }
    }
    let owner = match setup.doubling_cube_owner {
        DoublingCubeOwner::Player(0) => 'w',
        DoublingCubeOwner::Player(_) => 'b',
        DoublingCubeOwner::Centered => 'c',
    };
    let _ = write!(text, "PL[{}]CV[{}]CO[{owner}]", color(setup.on_roll), 1 << setup.doubling_cube_exponent);
    text
}

/// Reads the position that the properties before the first action set up; `None` for the starting position. The checkers
/// that are not on the board are borne off.
fn read_setup(nodes: &SgfNodes) -> Result<Option<RecordedSetup>, String> {
    let is_action = |property: &&SgfProperty| matches!(property.name.as_str(), "W" | "B");
    let is_checkers = |property: &&SgfProperty| matches!(property.name.as_str(), "AW" | "AB");
    let properties = || nodes.iter().flatten();
    if properties().skip_while(|property| !is_action(property)).any(|property| is_checkers(&property)) {
        return Err("a position is set up after the first play; only set-ups before it are read".to_owned());
    }
    let before = || properties().take_while(|property| !is_action(property));
    if !before().any(|property| is_checkers(&property)) {
        return Ok(None);
    }
    let mut counts = [[0u8; PLACES]; 2];
    for property in before().filter(is_checkers) {
        let player = u8::from(property.name == "AB");
        for value in &property.values {
            let found = match value.trim().as_bytes() {
                [letter] => place(*letter, player).filter(|&place| place != OFF),
                _ => None,
            };
            let found = found.ok_or_else(|| {
                format!(
                    "{} is not a place of a checker; allowed are a to x, and y for the bar",
                    quoted(value)
                )
            })?;
            counts[usize::from(player)][found] = counts[usize::from(player)][found].saturating_add(1);
        }
    }
    for counts in &mut counts {
        let on_board: u32 = counts.iter().copied().map(u32::from).sum();
        counts[OFF] = u32::from(CHECKERS).saturating_sub(on_board) as u8;
    }
    let value = |names: &[&str]| {
        let property = before().find(|property| names.contains(&property.name.as_str()));
        property.and_then(|property| property.values.first()).map_or("", |value| value.trim())
    };
    let first = properties().find(is_action).map_or("W", |property| &property.name);
    let on_roll = match value(&["PL"]).chars().next() {
        Some('W' | 'w') => 0,
        Some('B' | 'b') => 1,
        _ => u8::from(first == "B"),
    };
    let cube = value(&["CV"]);
    let doubling_cube_exponent = match cube.parse::<u16>() {
        _ if cube.is_empty() => 0,
        Ok(value) if value.is_power_of_two() => value.trailing_zeros() as u8,
        _ => return Err(format!("CV is {}; the doubling cube is a power of two, up to 32768", quoted(cube))),
    };
    let doubling_cube_owner = match value(&["CO", "CP"]) {
        "w" => DoublingCubeOwner::Player(0),
        "b" => DoublingCubeOwner::Player(1),
        _ => DoublingCubeOwner::Centered,
    };
    let [white, black] = counts;
    let position = if on_roll == 0 { Position::new(white, black) } else { Position::new(black, white) };
    let position = position.map_err(|error| format!("set-up position: {error}"))?;
    if position.outcome().is_some() {
        return Err(
            "the game is over in the set-up position; both players need checkers on the board".to_owned()
        );
    }
    Ok(Some(RecordedSetup { position, on_roll, doubling_cube_exponent, doubling_cube_owner }))
}

/// Parses a result such as `W+2` or, after a resignation, `B+1R`. Returns `None` for an unfinished game.
fn parse_result(text: &str) -> Result<Option<RecordedResult>, String> {
    let Some((winner, points)) = text.split_once('+') else { return Ok(None) };
    let winner = match winner.trim() {
        "W" => 0,
        "B" => 1,
        _ => return Err(format!("result {}; it is written as W+1 or B+1", quoted(text))),
    };
    let points = points.trim().trim_end_matches(['R', 'r']);
    let points =
        points.parse().map_err(|_| format!("result {}; it is written as W+1 or B+1", quoted(text)))?;
    Ok(Some(RecordedResult { winner, points }))
}

fn read_action(
    property: &SgfProperty,
    player: u8,
    replay: &mut GameReplay,
) -> Result<RecordedAction, String> {
    let value = property.values.first().map_or("", |value| value.trim());
    Ok(match value {
        "double" => RecordedAction::Double { player },
        "take" => RecordedAction::Take { player },
        "drop" | "pass" => RecordedAction::Pass { player },
        _ => {
            let (roll, moves) = parse_move(value, player).ok_or_else(|| {
                format!("{} is not a move, such as 31hefe, or double, take, drop", quoted(value))
            })?;
            let play = replay.find(player, roll, &moves)?;
            RecordedAction::Play { player, roll, play }
        }
    })
}

/// Parses a move such as `31hefe`: returns the roll and the play in standard notation.
fn parse_move(value: &str, player: u8) -> Option<(Roll, String)> {
    let [first @ b'1'..=b'6', second @ b'1'..=b'6', letters @ ..] = value.as_bytes() else { return None };
    if letters.len() % 2 != 0 {
        return None;
    }
    let roll = Roll::new(first - b'0', second - b'0').ok()?;
    let mut moves = Vec::new();
    for pair in letters.chunks(2) {
        let [from, to] = [place(pair[0], player)?, place(pair[1], player)?];
        let name = |place: usize| match place {
            BAR => "bar".to_owned(),
            OFF => "off".to_owned(),
            point => point.to_string(),
        };
        moves.push(format!("{}/{}", name(from), name(to)));
    }
    Some((roll, moves.join(" ")))
}

fn color(player: u8) -> char {
    if player == 0 { 'W' } else { 'B' }
}

/// Returns the letter of a place in the numbering of `player`.
fn letter(place: usize, player: u8) -> char {
    match (place, player) {
        (BAR, _) => 'y',
        (OFF, _) => 'z',
        (point, 0) => char::from(b'a' + point as u8 - 1),
        (point, _) => char::from(b'a' + 24 - point as u8),
    }
}

/// Returns the place of a letter in the numbering of `player`.
fn place(letter: u8, player: u8) -> Option<usize> {
    let point = |letter: u8| usize::from(letter - b'a') + 1;
    match (letter, player) {
        (b'y', _) => Some(BAR),
        (b'z', _) => Some(OFF),
        (b'a'..=b'x', 0) => Some(point(letter)),
        (b'a'..=b'x', _) => Some(BAR - point(letter)),
        _ => None,
    }
}

/// Returns a name as a value: brackets, backslashes and colons are escaped, and line ends are blanks.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            ']' | '\\' | ':' => text.extend(['\\', character]),
            control if control.is_control() => text.push(' '),
            other => text.push(other),
        }
    }
    text
}
