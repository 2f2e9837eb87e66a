//! Dialog before a roll: double, take or pass.

use super::board::draw;
use super::command::{self, Command, HELP};
use super::resignation;
use crate::games::adviser::Adviser;
use crate::games::doubling_text::{decide, doubling_text, match_text};
use crate::games::equity_table::EquityTable;
use crate::games::play::console::Console;
use vivarium_envs::backgammon::doubling::{DoublingAction, DoublingContext, DoublingDecision};
use vivarium_envs::backgammon::{Match, Position, Roll, Win};

/// Smallest equity loss of a doubling decision that is reported.
const REPORTED_LOSS: f64 = 0.0005;

/// Result of the dialog before a roll.
pub enum BeforeRoll {
    /// The player on roll rolls the dice. `roll`: dice that the human player entered.
    Roll { state: Match, roll: Option<Roll> },
    /// The player on roll doubled, and the opponent passed.
    Passed,
    /// The human player resigns.
    Resignation(Win),
    /// The human player quits the program.
    Quit,
}

/// Dialog before a roll. The human player is player 0.
pub struct DoublingDialog<'d, 'c> {
    pub console: &'d mut Console<'c>,
    /// Adviser that decides for the opponent and rates the human player; without an adviser, the opponent never doubles
    /// and always takes.
    pub adviser: Option<&'d mut (dyn Adviser + 'static)>,
    /// Name of the opponent.
    pub opponent: &'d str,
    pub equity_table: &'d EquityTable,
    /// State before the roll.
    pub state: Match,
}

impl DoublingDialog<'_, '_> {
    /// Returns whether the player on roll has a doubling decision.
    pub fn is_decision(state: &Match) -> bool {
        state.may_double() && DoublingContext::check(state).is_ok()
    }

    /// Runs the dialog of the human player, who doubles or rolls in `position`.
    pub fn human_on_roll(mut self, position: &Position) -> BeforeRoll {
        self.print_board(position);
        loop {
            let Some(line) = self.console.prompt("roll or double> ") else { return BeforeRoll::Quit };
            let roll = match command::parse_before_roll(&line) {
                Ok(Command::Done) => None,
                Ok(Command::Roll(roll)) => roll,
                Ok(Command::Double) => return self.human_doubles(position),
                Ok(Command::Hint) => {
                    self.print_hint(position);
                    continue;
                }
                Ok(Command::Resign(win)) => {
                    let points = self.state.points(win);
                    if resignation::confirms(self.console, win, points)
                        && self.accepts_resignation(position, win)
                    {
                        return BeforeRoll::Resignation(win);
                    }
                    continue;
                }
                Ok(Command::Quit) => return BeforeRoll::Quit,
                other => {
                    self.answer(other, position, "enter roll or double; checkers move after the roll");
                    continue;
                }
            };
            if let Some(decision) = self.decision(position)
                && matches!(decision.action(), DoublingAction::DoubleTake | DoublingAction::DoublePass)
            {
                self.print_loss("no double", decision.double() - decision.no_double, "double");
            }
            return BeforeRoll::Roll { state: self.state, roll };
        }
    }

    /// Runs the turn of the opponent, who doubles or rolls in `position`, which is seen from the opponent.
    pub fn opponent_on_roll(mut self, position: &Position) -> BeforeRoll {
        let action = self.decision(position).map(|decision| decision.action());
        if !matches!(action, Some(DoublingAction::DoubleTake | DoublingAction::DoublePass)) {
            return BeforeRoll::Roll { state: self.state, roll: None };
        }
        self.state = self.state.double();
        self.opponent_has_doubled(position)
    }

    /// Runs the dialog of the human player after a double of the opponent. `position` is seen from the opponent.
    pub fn opponent_has_doubled(mut self, position: &Position) -> BeforeRoll {
        let board = position.mirrored();
        self.print_board(&board);
        self.console.print_line(&format!("{} doubles to {}.", self.opponent, 2 * self.state.doubling_cube()));
        loop {
            let Some(line) = self.console.prompt("take or pass> ") else { return BeforeRoll::Quit };
            match command::parse_command(&line) {
                Ok(Command::Take) => {
                    if let Some(decision) = self.decision(position) {
                        self.print_loss("take", decision.double_take - decision.double_pass, "pass");
                    }
                    return BeforeRoll::Roll { state: self.state.take(), roll: None };
                }
                Ok(Command::Pass) => {
                    if let Some(decision) = self.decision(position) {
                        self.print_loss("pass", decision.double_pass - decision.double_take, "take");
                    }
                    return BeforeRoll::Passed;
                }
                Ok(Command::Hint) => self.print_hint(position),
                Ok(Command::Quit) => return BeforeRoll::Quit,
                other => self.answer(other, &board, "enter take or pass"),
            }
        }
    }

    fn human_doubles(mut self, position: &Position) -> BeforeRoll {
        let decision = self.decision(position);
        if let Some(decision) = decision {
            self.print_loss("double", decision.no_double - decision.double(), "no double");
        }
        let value = 2 * self.state.doubling_cube();
        if decision.is_none_or(|decision| decision.is_take()) {
            self.console.print_line(&format!("You double to {value}; {} takes.", self.opponent));
            return BeforeRoll::Roll { state: self.state.double().take(), roll: None };
        }
        self.console.print_line(&format!("You double to {value}; {} passes.", self.opponent));
        BeforeRoll::Passed
    }

    /// Answers a command that changes nothing.
    fn answer(&mut self, command: Result<Command, String>, board: &Position, otherwise: &str) {
        match command {
            Err(message) => self.console.print_line(&message),
            Ok(Command::Board) => self.print_board(board),
            Ok(Command::Pips) => {
                let [mine, theirs] = [board.mine(), board.theirs()].map(|side| side.pips());
                self.console.print_line(&format!("you: {mine} pips, {}: {theirs} pips", self.opponent));
            }
            Ok(Command::Id) => {
                let position = if self.state.on_roll == 0 { *board } else { board.mirrored() };
                self.console.print_line(&format!("{}:{}", position.id(), self.state.id()));
            }
            Ok(Command::Help) => self.console.print_line(HELP),
            Ok(_) => self.console.print_line(otherwise),
        }
    }

    /// Returns the doubling decision of the player on roll; `None` without an adviser or a decision.
    fn decision(&mut self, position: &Position) -> Option<DoublingDecision> {
        let adviser = self.adviser.as_mut()?;
        let evaluation = decide(position, &self.state, *adviser, self.equity_table).ok()?;
        evaluation.decided.ok().map(|decided| decided.decision)
    }

    fn print_hint(&mut self, position: &Position) {
        let text = match self.adviser.as_mut() {
            None => "no adviser available; use --checkpoint FILE or --against gnubg".to_owned(),
            Some(adviser) => doubling_text(position, &self.state, *adviser, self.equity_table)
                .unwrap_or_else(|message| message),
        };
        self.console.print_line(&text);
    }

    fn print_board(&mut self, board: &Position) {
        let text = match_text(&self.state, ["you", self.opponent]);
        self.console.print_line(&format!("\n{}\n{text}", draw(board)));
    }

    fn print_loss(&mut self, action: &str, loss: f64, better: &str) {
        if loss >= REPORTED_LOSS {
            self.console.print_line(&format!("{action} loses {loss:.3}; the best action is {better}"));
        }
    }

    fn accepts_resignation(&mut self, position: &Position, win: Win) -> bool {
        let (Some(adviser), Ok(context)) =
            (self.adviser.as_mut(), self.equity_table.equity_context(&self.state))
        else {
            return true;
        };
        let Ok(probabilities) = adviser.probabilities_before_roll(position, context) else { return true };
        let equity = -context.equity(context.value(position, probabilities));
        let refused = resignation::refusal(equity, win, context.opponent(), self.opponent);
        refused.is_none_or(|message| {
            self.console.print_line(&message);
            false
        })
    }
}
