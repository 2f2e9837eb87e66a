//! Text rendering of the board.

use vivarium_envs::backgammon::{BAR, OFF, Position, Side};

/// Characters that represent the checkers of the human player and of the opponent.
pub const MARKS: [char; 2] = ['X', 'O'];
/// Maximum number of checkers drawn per point. A larger number of checkers is shown as a number.
const ROWS: u8 = 5;

/// Draws the board from the view of the human player, whose checkers move from point 24 (upper right) to point 1 (lower
/// right).
pub fn draw(position: &Position) -> String {
    let sides = [position.mine(), position.theirs()];
    let top: Vec<usize> = (13..=24).collect();
    let bottom: Vec<usize> = (1..=12).rev().collect();
    let line = " +-------------------+----+-------------------+";
    let mut lines = vec![numbers(&top), line.to_owned()];
    for row in 0..ROWS {
        lines.push(row_of(&sides, &top, row, (row == 0).then_some(1)));
    }
    lines.push(" |                   |bar |                   |".to_owned());
    for row in (0..ROWS).rev() {
        lines.push(row_of(&sides, &bottom, row, (row == 0).then_some(0)));
    }
    lines.push(line.to_owned());
    lines.push(numbers(&bottom));
    for (line, player) in [(2, 1), (2 + 2 * usize::from(ROWS), 0)] {
        let (side, who) = (sides[player], ["you", "opponent"][player]);
        let off = side.count(OFF);
        lines[line] += &format!("  {} {who}: {} pips, {off} off", MARKS[player], side.pips());
    }
    lines.join("\n")
}

/// Formats the text line with the numbers of twelve points of the board.
fn numbers(points: &[usize]) -> String {
    let half = |points: &[usize]| points.iter().map(|point| format!("{point:>3}")).collect::<String>();
    format!("  {}       {}", half(&points[..6]), half(&points[6..]))
}

/// Formats one text row of the board, which shows one checker of each of twelve points; row 0 is at the edge of the
/// board. `on_bar` is the player (0 or 1) whose checkers on the bar the row shows.
fn row_of(sides: &[Side; 2], points: &[usize], row: u8, on_bar: Option<usize>) -> String {
    let half = |points: &[usize]| points.iter().map(|&point| cell(sides, point, row)).collect::<String>();
    let bar = match on_bar.map(|player| (sides[player].count(BAR), MARKS[player])) {
        Some((1.., mark)) => {
            let count = sides[on_bar.unwrap_or(0)].count(BAR);
            if count > 1 { format!("{mark}x{count}") } else { format!(" {mark} ") }
        }
        _ => "   ".to_owned(),
    };
    format!(" |{} |{bar:<4}|{} |", half(&points[..6]), half(&points[6..]))
}

/// Formats text row `row` of a point of the board: the mark of a checker, or blanks. If the point has more checkers
/// than text rows, its last text row contains the number of checkers.
fn cell(sides: &[Side; 2], point: usize, row: u8) -> String {
    let [mine, theirs] = [sides[0].count(point), sides[1].count(BAR - point)];
    let (count, mark) = if mine > 0 { (mine, MARKS[0]) } else { (theirs, MARKS[1]) };
    match count {
        count if count <= row => "   ".to_owned(),
        count if count > ROWS && row == ROWS - 1 => format!("{count:>3}"),
        _ => format!("  {mark}"),
    }
}
