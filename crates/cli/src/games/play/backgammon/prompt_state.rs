//! State of a game at a prompt, for the commands that only show it.

use super::command::{Command, HELP};
use crate::games::board_text::draw;
use crate::games::position_input::ids_text;
use vivarium_envs::backgammon::{Match, Position, Xgid};

/// State of a game at a prompt.
pub struct PromptState<'a> {
    /// Position from the view of the human player, after the moves of the current turn.
    pub board: Position,
    /// Position before the turn, from the view of the player on roll.
    pub before: Position,
    /// State of the match with the player on roll and the dice; in games without the doubling cube, [`CUBELESS`] with them.
    pub state: Match,
    /// Whether the game has a doubling cube or a score.
    pub has_state: bool,
    /// Name of the opponent.
    pub opponent: &'a str,
}

/// State of a game without the doubling cube: gammons and backgammons count.
pub const CUBELESS: Match = Match { without_jacoby: true, ..Match::MONEY };

impl PromptState<'_> {
    /// Returns the output of a command that only shows the state; `None` for other commands.
    pub fn output(&self, command: &Command) -> Option<String> {
        match command {
            Command::Board => Some(draw(&self.board)),
            Command::Pips => {
                let [mine, theirs] = [self.board.mine(), self.board.theirs()].map(|side| side.pips());
                Some(format!("you: {mine} pips, {}: {theirs} pips", self.opponent))
            }
            Command::Id => Some(ids_text(&Xgid::new(self.before, self.state), self.has_state)),
            Command::Help => Some(HELP.to_owned()),
            _ => None,
        }
    }
}
