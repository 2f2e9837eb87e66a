//! Agreement of a recorded game with the rules and with the games before it.

use super::match_record::{MatchRecord, RecordedGame, RecordedResult};
use super::replay::GameReplay;

/// Checks that a game can follow the games of `record`: score, Crawford game and doubling cube. The first game may have any
/// score, because a record may begin within a match. `has_crawford_rule` states whether the match is known to have the
/// Crawford rule.
///
/// # Errors
/// A message with the contradiction and its remedy.
pub(super) fn check_start(
    record: &MatchRecord,
    game: &RecordedGame,
    has_crawford_rule: bool,
) -> Result<(), String> {
    let state = record.state_before(game);
    let [mine, theirs] = game.score;
    if let Some(winner) = state.winner() {
        return Err(format!(
            "the score is {mine}-{theirs}, so player {} has won the match to {} before this game; correct the score or the length",
            winner + 1,
            record.length
        ));
    }
    let before = record.games.last().and_then(|last| Some((last, last.result?)));
    if let Some((last, RecordedResult { winner, points })) = before {
        let number = record.games.len();
        let expected = record.state_before(last).after_game(winner, points);
        let [first, second] = expected.score;
        if expected.score != game.score {
            return Err(format!(
                "the score is {mine}-{theirs}, but {first}-{second} follows from game {number}; correct the score, or the result of \
                 game {number}"
            ));
        }
        if has_crawford_rule && expected.crawford && !game.crawford {
            return Err(format!(
                "this is the Crawford game, because the score is {mine}-{theirs} for the first time; the record does not mark it"
            ));
        }
        if game.crawford && !expected.crawford {
            return Err(format!(
                "the game is marked as the Crawford game, but at {mine}-{theirs} it is not the first game in which a player needs 1 \
                 point; remove the mark or correct the score"
            ));
        }
    }
    state.check_crawford().map_err(|error| error.to_string())
}

/// Checks that a result agrees with the actions of a game. A game that the actions do not end ends by a resignation.
///
/// # Errors
/// A message with the contradiction and its remedy.
pub(super) fn check_result(replay: &GameReplay, result: RecordedResult) -> Result<(), String> {
    let RecordedResult { winner, points } = result;
    let state = replay.state();
    let allowed = replay.possible_points();
    // Some programs write only the points that the winner needs for the match.
    let needed = state.length.saturating_sub(state.score[usize::from(winner & 1)]);
    let agrees =
        |&allowed: &u16| allowed == points || state.length > 0 && allowed > needed && points == needed;
    let cube = state.doubling_cube();
    match replay.result() {
        Some(by_rules) if by_rules.winner != winner => Err(format!(
            "the record says that player {} wins, but the actions end the game with a win of player {}; correct the result",
            winner + 1,
            by_rules.winner + 1
        )),
        _ if allowed.iter().any(agrees) => Ok(()),
        Some(by_rules) => Err(format!(
            "the record says that player {} wins {}, but the actions end the game with {} (doubling cube {cube}); correct the \
             result",
            winner + 1,
            points_text(points),
            points_text(by_rules.points)
        )),
        None => Err(format!(
            "the record says that player {} wins {}, but a resignation with the doubling cube at {cube} costs {}, {} or {} points; \
             correct the result, or add the missing actions",
            winner + 1,
            points_text(points),
            allowed[0],
            allowed[1],
            allowed[2]
        )),
    }
}

fn points_text(points: u16) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}
