//! Dialog before a roll: double, take or pass.

use super::command::{self, Command};
use super::prompt_state::PromptState;
use super::resignation::{self, points_text};
use super::session_errors::SessionErrors;
use super::shown_notes::ShownNotes;
use crate::games::board_text::draw;
use crate::games::doubling_text::{decide, doubling_text, match_text};
use crate::games::equity_table::EquityTable;
use crate::games::play::console::Console;
use vivarium_envs::backgammon::doubling::{DoublingAction, DoublingContext, DoublingDecision, EquityContext};
use vivarium_envs::backgammon::{Match, Position, Roll, Win};
use vivarium_exhibit_games::advice::{Adviser, probabilities_text};
use vivarium_exhibit_games::match_analysis::CLOSE_DOUBLE;

/// Smallest equity loss of a doubling decision that is reported.
const REPORTED_LOSS: f64 = 0.0005;

/// Answer to other input at a prompt for the dice.
const ENTER_DICE: &str = "enter two dice from 1 to 6, such as 31; help lists the commands";

/// Result of the dialog before a roll.
pub enum RollDialogResult {
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
    /// State before the roll; see [`PromptState::state`].
    pub state: Match,
    /// Whether the game has a doubling cube or a score.
    pub has_state: bool,
    /// Whether the equity loss of a decision of the human player is printed.
    pub comments: bool,
    /// Equity losses of the human player in the session.
    pub errors: &'d mut SessionErrors,
    pub shown_notes: &'d mut ShownNotes,
}

impl DoublingDialog<'_, '_> {
    /// Returns whether the player on roll has a doubling decision.
    pub fn is_decision(state: &Match) -> bool {
        state.may_double() && DoublingContext::check(state).is_ok()
    }

    /// Runs the dialog of the human player, who doubles or rolls in `position`.
    pub fn human_on_roll(mut self, position: &Position) -> RollDialogResult {
        self.print_board(position);
        // A double is made when it is confirmed.
        let mut doubles = false;
        loop {
            let Some(line) = self.console.prompt("roll or double> ") else { return RollDialogResult::Quit };
            let roll = match command::parse_before_roll(&line) {
                Ok(Command::Done | Command::Double) if doubles => return self.human_doubles(position),
                Ok(Command::Double) => {
                    doubles = true;
                    self.print_confirmation(&format!("double to {}", 2 * self.state.doubling_cube()));
                    continue;
                }
                Ok(Command::Undo) => {
                    self.console.print_line(if doubles {
                        "the double is taken back"
                    } else {
                        "there is no double to take back; a confirmed play cannot be undone"
                    });
                    doubles = false;
                    continue;
                }
                Ok(Command::Roll(_)) if doubles => {
                    self.console
                        .print_line("press Enter to confirm the double, or enter undo before you roll");
                    continue;
                }
                Ok(Command::Done) => None,
                Ok(Command::Roll(roll)) => roll,
                Ok(Command::Hint) => {
                    self.print_hint(position);
                    continue;
                }
                Ok(Command::Resign(win)) => {
                    if self.resigns(position, win) {
                        return RollDialogResult::Resignation(win);
                    }
                    continue;
                }
                Ok(Command::Quit) => return RollDialogResult::Quit,
                other => {
                    self.answer(other, position, "enter roll or double; checkers move after the roll");
                    continue;
                }
            };
            if let Some(decision) = self.decision(position) {
                let loss = decision.double() - decision.no_double;
                // As in the analysis of a match, a decision not to double counts if it is wrong or close.
                if loss > -CLOSE_DOUBLE {
                    self.rate("no double", loss, "double");
                }
            }
            return RollDialogResult::Roll { state: self.state, roll };
        }
    }

    /// Prompts for the dice of the player on roll in `position`.
    pub fn enter_roll(mut self, position: &Position) -> RollDialogResult {
        let is_human = self.state.on_roll == 0;
        let (prompt, board) = match is_human {
            true => ("your roll> ".to_owned(), *position),
            false => (format!("roll of {}> ", self.opponent), position.mirrored()),
        };
        loop {
            let Some(line) = self.console.prompt(&prompt) else { return RollDialogResult::Quit };
            match command::parse_before_roll(&line) {
                Ok(Command::Roll(roll @ Some(_))) => {
                    return RollDialogResult::Roll { state: self.state, roll };
                }
                Ok(Command::Hint) => self.print_hint(position),
                Ok(Command::Resign(win)) if is_human => {
                    if self.resigns(position, win) {
                        return RollDialogResult::Resignation(win);
                    }
                }
                Ok(Command::Resign(_)) => self.console.print_line("resign in your own turn"),
                Ok(Command::Undo) => self.console.print_line("there is no move to undo before the roll"),
                Ok(Command::Double | Command::Take | Command::Pass) => {
                    self.console
                        .print_line("no doubling decision at this prompt; enter the dice, such as 31");
                }
                Ok(Command::Quit) => return RollDialogResult::Quit,
                Err(_) if line.contains(|c: char| c.is_ascii_digit()) => self.console.print_line(ENTER_DICE),
                other => self.answer(other, &board, ENTER_DICE),
            }
        }
    }

    /// Runs the turn of the opponent, who doubles or rolls in `position`, which is seen from the opponent.
    pub fn opponent_on_roll(mut self, position: &Position) -> RollDialogResult {
        let action = self.decision(position).map(|decision| decision.action());
        if !matches!(action, Some(DoublingAction::DoubleTake | DoublingAction::DoublePass)) {
            return RollDialogResult::Roll { state: self.state, roll: None };
        }
        self.state = self.state.double();
        self.opponent_has_doubled(position)
    }

    /// Runs the dialog of the human player after a double of the opponent. `position` is seen from the opponent.
    pub fn opponent_has_doubled(mut self, position: &Position) -> RollDialogResult {
        let board = position.mirrored();
        self.print_board(&board);
        self.console.print_line(&format!("{} doubles to {}.", self.opponent, 2 * self.state.doubling_cube()));
        // Answer to confirm: whether the human player takes.
        let mut takes = None;
        loop {
            let Some(line) = self.console.prompt("take or pass> ") else { return RollDialogResult::Quit };
            match (command::parse_command(&line), takes) {
                (Ok(Command::Done | Command::Take), Some(true)) => {
                    if let Some(decision) = self.decision(position) {
                        self.rate("take", decision.double_take - decision.double_pass, "pass");
                    }
                    return RollDialogResult::Roll { state: self.state.take(), roll: None };
                }
                (Ok(Command::Done | Command::Pass), Some(false)) => {
                    if let Some(decision) = self.decision(position) {
                        self.rate("pass", decision.double_pass - decision.double_take, "take");
                    }
                    return RollDialogResult::Passed;
                }
                (Ok(answer @ (Command::Take | Command::Pass)), _) => {
                    takes = Some(answer == Command::Take);
                    let lost = points_text(self.state.points(Win::Single));
                    self.print_confirmation(&match answer {
                        Command::Take => format!("take at {}", 2 * self.state.doubling_cube()),
                        _ => format!("pass and lose {lost}"),
                    });
                }
                (Ok(Command::Undo), Some(_)) => {
                    takes = None;
                    self.console.print_line("the answer is taken back");
                }
                (Ok(Command::Hint), _) => self.print_hint(position),
                (Ok(Command::Quit), _) => return RollDialogResult::Quit,
                (other, _) => self.answer(other, &board, "enter take or pass"),
            }
        }
    }

    fn human_doubles(mut self, position: &Position) -> RollDialogResult {
        let decision = self.decision(position);
        if let Some(decision) = decision {
            self.rate("double", decision.no_double - decision.double(), "no double");
        }
        let value = 2 * self.state.doubling_cube();
        if decision.is_none_or(|decision| decision.is_take()) {
            self.console.print_line(&format!("You double to {value}; {} takes.", self.opponent));
            return RollDialogResult::Roll { state: self.state.double().take(), roll: None };
        }
        self.console.print_line(&format!("You double to {value}; {} passes.", self.opponent));
        RollDialogResult::Passed
    }

    /// Answers a command that changes nothing.
    fn answer(&mut self, command: Result<Command, String>, board: &Position, otherwise: &str) {
        match command {
            Err(message) => self.console.print_line(&message),
            Ok(Command::Board) if self.has_state => self.print_board(board),
            Ok(command) => {
                let Self { state, has_state, opponent, .. } = *self;
                let before = if state.on_roll == 0 { *board } else { board.mirrored() };
                let prompt = PromptState { board: *board, before, state, has_state, opponent };
                self.console.print_line(prompt.output(&command).as_deref().unwrap_or(otherwise));
            }
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
            Some(adviser) if self.has_state => {
                doubling_text(position, &self.state, *adviser, self.equity_table)
                    .map_or_else(|message| message, |text| self.shown_notes.text(&text))
            }
            Some(adviser) => adviser
                .probabilities_before_roll(position, EquityContext::CUBELESS_MONEY)
                .map_or_else(|message| message, probabilities_text),
        };
        self.console.print_line(&text);
    }

    fn print_board(&mut self, board: &Position) {
        let text = match_text(&self.state, ["you", self.opponent]);
        self.console.print_line(&format!("\n{}\n{text}", draw(board)));
    }

    /// Prompts for the confirmation of a doubling action.
    fn print_confirmation(&mut self, action: &str) {
        self.console.print_line(&format!("{action}: press Enter to confirm, or enter undo"));
    }

    /// Adds the loss of a decision of the human player to the errors of the session, and prints it. `loss` is the equity of the
    /// action `better` minus the equity of `action`; a negative loss is none.
    fn rate(&mut self, action: &str, loss: f64, better: &str) {
        self.errors.add_doubling(loss.max(0.0));
        if self.comments && loss >= REPORTED_LOSS {
            self.console.print_line(&format!("{action} loses {loss:.3}; the best action is {better}"));
        }
    }

    /// Confirms a resignation of the human player, who is on roll in `position`. Returns whether it ends the game.
    fn resigns(&mut self, position: &Position, win: Win) -> bool {
        resignation::confirms(self.console, win, self.state.points(win))
            && self.accepts_resignation(position, win)
    }

    fn accepts_resignation(&mut self, position: &Position, win: Win) -> bool {
        let context = match self.has_state {
            true => self.equity_table.equity_context(&self.state),
            false => Ok(EquityContext::CUBELESS_MONEY),
        };
        let (Some(adviser), Ok(context)) = (self.adviser.as_mut(), context) else { return true };
        let Ok(probabilities) = adviser.probabilities_before_roll(position, context) else { return true };
        let equity = -context.equity(context.value(position, probabilities));
        let refused = resignation::refusal(equity, win, context.opponent(), self.opponent);
        refused.is_none_or(|message| {
            self.console.print_line(&message);
            false
        })
    }
}
