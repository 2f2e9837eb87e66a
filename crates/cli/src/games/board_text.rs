//! Text rendering of the backgammon board.

use vivarium_envs::backgammon::{BAR, OFF, Position, Side, Xgid};

/// Characters that represent the checkers of the player with the view (first) and of the opponent.
pub const CHECKER_CHARS: [char; 2] = ['X', 'O'];
/// Maximum number of checkers that are drawn on a point, one per text row. If a point has more checkers, a number is
/// shown.
const POINT_HEIGHT: u8 = 5;

/// Draws the board of an XGID from the view of the player on roll, whose checkers move from point 24 (upper right) to point 1
/// (lower right), with the pips of both players.
pub fn board_text(xgid: &Xgid) -> String {
    draw_with_names(&xgid.position, ["player on roll", "opponent"])
}

/// Draws the board from the view of the human player. The human's checkers move from point 24 (upper right) to point
/// 1 (lower right).
pub fn draw(position: &Position) -> String {
    draw_with_names(position, ["you", "opponent"])
}

/// Draws the board from the view of the player `names[0]`; `names[1]` is the opponent.
fn draw_with_names(position: &Position, names: [&str; 2]) -> String {
    let sides = [position.mine(), position.theirs()];
    let top: Vec<usize> = (13..=24).collect();
    let bottom: Vec<usize> = (1..=12).rev().collect();
    let line = " +-------------------+----+-------------------+";
    let mut lines = vec![point_numbers(&top), line.to_owned()];
    for row in 0..POINT_HEIGHT {
        lines.push(checker_row(&sides, &top, row, (row == 0).then_some(1)));
    }
    lines.push(" |                   |bar |                   |".to_owned());
    for row in (0..POINT_HEIGHT).rev() {
        lines.push(checker_row(&sides, &bottom, row, (row == 0).then_some(0)));
    }
    lines.push(line.to_owned());
    lines.push(point_numbers(&bottom));
    for (line, player) in [(2, 1), (2 + 2 * usize::from(POINT_HEIGHT), 0)] {
        let (side, name) = (sides[player], names[player]);
        let off = side.count(OFF);
        lines[line] += &format!("  {} {name}: {} pips, {off} off", CHECKER_CHARS[player], side.pips());
    }
    lines.join("\n")
}

/// Formats a text row with the numbers of twelve points of the board.
fn point_numbers(points: &[usize]) -> String {
    let half = |points: &[usize]| points.iter().map(|point| format!("{point:>3}")).collect::<String>();
    format!("  {}       {}", half(&points[..6]), half(&points[6..]))
}

/// Formats text row `row` of twelve points, which shows at most one checker of each point; row 0 is at the edge of
/// the board. If `on_bar` is given, the row also shows the checkers on the bar of this player (0: view, 1:
/// opponent).
fn checker_row(sides: &[Side; 2], points: &[usize], row: u8, on_bar: Option<usize>) -> String {
    let half =
        |points: &[usize]| points.iter().map(|&point| point_cell(sides, point, row)).collect::<String>();
    let bar = match on_bar.map(|player| (sides[player].count(BAR), CHECKER_CHARS[player])) {
        Some((1.., mark)) => {
            let count = sides[on_bar.unwrap_or(0)].count(BAR);
            if count > 1 { format!("{mark}x{count}") } else { format!(" {mark} ") }
        }
        _ => "   ".to_owned(),
    };
    format!(" |{} |{bar:<4}|{} |", half(&points[..6]), half(&points[6..]))
}

/// Formats text row `row` of one point: a checker, or blanks. If a point has more than [`POINT_HEIGHT`] checkers, the
/// last row shows the number of checkers.
fn point_cell(sides: &[Side; 2], point: usize, row: u8) -> String {
    let [mine, theirs] = [sides[0].count(point), sides[1].count(BAR - point)];
    let (count, mark) = if mine > 0 { (mine, CHECKER_CHARS[0]) } else { (theirs, CHECKER_CHARS[1]) };
    match count {
        count if count <= row => "   ".to_owned(),
        count if count > POINT_HEIGHT && row == POINT_HEIGHT - 1 => format!("{count:>3}"),
        _ => format!("  {mark}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_xgid_is_drawn_from_the_view_of_the_player_on_roll() {
        let text = |turn: i32| {
            let xgid = format!("XGID=-b----E-C---eE---c-e---AA-:0:0:{turn}:00:0:0:0:0:10");
            board_text(&Xgid::parse(&xgid).unwrap())
        };
        let [bottom, top] = [1, -1].map(text);
        for (text, words) in [
            (&bottom, "O opponent: 167 pips, 0 off"),
            (&bottom, "X player on roll: 166 pips, 0 off"),
            (&top, "O opponent: 166 pips, 0 off"),
            (&top, "X player on roll: 167 pips, 0 off"),
        ] {
            assert!(text.contains(words), "{words:?} is missing in\n{text}");
        }
        assert!(!bottom.contains("you"), "{bottom}");
    }
}
