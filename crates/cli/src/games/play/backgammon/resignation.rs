//! Resignations of the human player.

use crate::games::play::console::Console;
use crate::text::signed;
use vivarium_envs::backgammon::Win;
use vivarium_envs::backgammon::doubling::EquityContext;

/// Asks the human player to confirm a resignation with the value `win`, which costs `points`.
pub fn confirms(console: &mut Console<'_>, win: Win, points: u16) -> bool {
    let answer = console.prompt(&format!("Resign {}? yes or no> ", win_text(win, points)));
    let is_confirmed = matches!(answer.as_deref().map(str::trim), Some("yes" | "y"));
    if !is_confirmed {
        console.print_line("You play on.");
    }
    is_confirmed
}

/// Returns the message of an opponent who rejects a resignation of the value `win`; `None` if the opponent accepts.
/// The `equity` of the opponent must not exceed the equity of the offered win at the score, in `context`.
pub fn refusal(equity: f64, win: Win, context: EquityContext<'_>, opponent: &str) -> Option<String> {
    (equity > context.equity_of_win(win)).then(|| {
        format!(
            "resignation rejected: the equity of {opponent} is {}, that of the offer {}; offer more, or continue",
            signed(equity, 2),
            signed(context.equity_of_win(win), 2)
        )
    })
}

/// Returns the name of a win with its points.
pub fn win_text(win: Win, points: u16) -> String {
    let name = match win {
        Win::Single => "a single game",
        Win::Gammon => "a gammon",
        Win::Backgammon => "a backgammon",
    };
    format!("{name}: {}", points_text(points))
}

/// Formats a number of points.
pub fn points_text(points: u16) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}
