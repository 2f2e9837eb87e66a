//! Session of `vivarium play connect-four`: consecutive games of the human player against an opponent.

use super::board::{STONE_CHARS, draw};
use super::command::{self, Command, HELP};
use super::history::History;
use crate::error::CliError;
use crate::games::play::console::Console;
use crate::games::play::players::SharedNetwork;
use crate::text::signed;
use std::fmt::Write;
use vivarium_agents::players::{Decision, NetworkPlayer, Player};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng;

/// Random stream from which the seed of the opponent's random numbers is derived.
const OPPONENT_STREAM: u32 = 1;
/// Minimum difference in value between the best column and the played column that is reported.
const REPORTED_LOSS: f32 = 0.1;

/// Evaluator of the columns of a position, for hints.
pub trait ColumnAdviser {
    /// Returns the open columns, 0 to 6, with the expected result of the player to move, from −1 (loss) to 1 (win); the
    /// best column first.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn values(&mut self, state: &ConnectFour) -> Result<Vec<(usize, f32)>, String>;
}

impl ColumnAdviser for NetworkPlayer<ConnectFour, SharedNetwork<ConnectFour>> {
    fn values(&mut self, state: &ConnectFour) -> Result<Vec<(usize, f32)>, String> {
        let open = (0..COLUMNS).filter(|&column| state.is_open(column));
        // After the move the opponent is to move.
        let evaluated = open.map(|column| Ok((column, -self.value(&state.after(column))?)));
        let values: Result<Vec<(usize, f32)>, _> = evaluated.collect();
        let mut values = values.map_err(|error: vivarium_mcts::SearchError| error.to_string())?;
        values.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok(values)
    }
}

/// Settings of a session of Connect Four.
pub struct ConnectFourSettings {
    /// Random seed of the opponent.
    pub seed: u64,
    /// Position of the first game, with the human player to move; `None` for the empty board.
    pub position: Option<History>,
    /// Opponent: display name and player.
    pub opponent: (String, Box<dyn Player<ConnectFour>>),
    /// Adviser that evaluates the columns for hints; `None` if no adviser is available.
    pub adviser: Option<Box<dyn ColumnAdviser>>,
}

/// Session of a human player in the terminal: settings, console and score.
pub struct ConnectFourSession<'a> {
    settings: ConnectFourSettings,
    console: Console<'a>,
    /// Games that the human player won, lost and drew.
    score: [u32; 3],
}

/// Result of a game for the human player; an index of the score.
#[derive(Clone, Copy)]
enum GameResult {
    Win,
    Loss,
    Draw,
}

/// End of a turn of the human player.
enum HumanTurn {
    /// The human player dropped a stone into this column.
    Column(usize),
    Resignation,
    /// The human player quits the program.
    Quit,
}

impl<'a> ConnectFourSession<'a> {
    /// Creates a session.
    pub fn new(settings: ConnectFourSettings, console: Console<'a>) -> Self {
        Self { settings, console, score: [0; 3] }
    }

    /// Plays games until the human player quits. The players begin in turn; the human player begins the first game.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the opponent fails.
    pub fn run(mut self) -> Result<(), CliError> {
        let opponent = self.settings.opponent.0.clone();
        self.console.print_line(&format!(
            "You play {}, {opponent} plays {}. Seed: {}. Enter a column from 1 to {COLUMNS}, or help for the commands.",
            STONE_CHARS[0], STONE_CHARS[1], self.settings.seed
        ));
        for game in 0.. {
            let Some(result) = self.play_game(game)? else { break };
            self.score[result as usize] += 1;
            let [won, lost, drawn] = self.score;
            self.console.print_line(&format!(
                "Score: you {won}, {opponent} {lost}, {drawn} drawn. Press Enter for another game, or enter quit."
            ));
            if !self.console.prompt_next_game() {
                break;
            }
        }
        let [won, lost, drawn] = self.score;
        self.console.print_line(&format!("Final score: {won} won, {lost} lost, {drawn} drawn."));
        Ok(())
    }

    /// Plays the game with the index `game` in the session. Returns the result, or `None` if the human player quits.
    fn play_game(&mut self, game: u32) -> Result<Option<GameResult>, CliError> {
        let (mut history, human) = match self.settings.position.take() {
            Some(history) => (history.clone(), history.state().player()),
            None => (History::new(), (game % 2) as u8),
        };
        loop {
            let state = history.state();
            if let Some(value) = state.value() {
                let (result, words) = match (value < 0.0, state.player() == human) {
                    (false, _) => (GameResult::Draw, "The game is drawn."),
                    (true, true) => (GameResult::Loss, "You lose."),
                    (true, false) => (GameResult::Win, "You win."),
                };
                self.console.print_line(&format!("\n{}\n{words}", draw(&state, human)));
                return Ok(Some(result));
            }
            if state.player() == human {
                match self.human_turn(&mut history, human) {
                    HumanTurn::Column(column) => history.push(column),
                    HumanTurn::Resignation => {
                        self.console.print_line("You resign.");
                        return Ok(Some(GameResult::Loss));
                    }
                    HumanTurn::Quit => return Ok(None),
                }
            } else {
                let seed = rng::derive(self.settings.seed, OPPONENT_STREAM);
                let decision = Decision::new(state, seed, game, history.moves().len() as u32);
                let (name, player) = &mut self.settings.opponent;
                let chosen = player.choose(&[decision]).map_err(CliError::failed_by)?;
                let column = chosen.first().copied().unwrap_or(0);
                self.console.print_line(&format!("\n{name} plays column {}", column + 1));
                history.push(column);
            }
        }
    }

    /// Executes the commands of the human player until the player drops a stone or leaves the game.
    fn human_turn(&mut self, history: &mut History, human: u8) -> HumanTurn {
        self.console.print_line(&format!("\n{}", draw(&history.state(), human)));
        loop {
            let Some(line) = self.console.prompt("column> ") else { return HumanTurn::Quit };
            let state = history.state();
            match command::parse_command(&line) {
                Err(message) => self.console.print_line(&message),
                Ok(Command::Drop(column)) if !state.is_open(column) => {
                    let open = (0..COLUMNS).filter(|&column| state.is_open(column));
                    let open: Vec<_> = open.map(|column| (column + 1).to_string()).collect();
                    self.console.print_line(&format!(
                        "column {} is full; open columns are {}",
                        column + 1,
                        open.join(", ")
                    ));
                }
                Ok(Command::Drop(column)) => {
                    self.print_loss(&state, column);
                    return HumanTurn::Column(column);
                }
                Ok(Command::Hint) => self.print_values(&state),
                Ok(Command::Undo) => {
                    let words = if history.undo() {
                        draw(&history.state(), human)
                    } else {
                        "there is no move to undo".into()
                    };
                    self.console.print_line(&words);
                }
                Ok(Command::Moves) => {
                    let moves = history.moves();
                    self.console.print_line(if moves.is_empty() { "no moves yet" } else { moves });
                }
                Ok(Command::Board) => self.console.print_line(&draw(&state, human)),
                Ok(Command::Resign) => return HumanTurn::Resignation,
                Ok(Command::Help) => self.console.print_line(HELP),
                Ok(Command::Quit) => return HumanTurn::Quit,
            }
        }
    }

    /// Prints the values of all open columns.
    fn print_values(&mut self, state: &ConnectFour) {
        let Some(adviser) = &mut self.settings.adviser else {
            self.console.print_line("no adviser available; use --checkpoint FILE");
            return;
        };
        match adviser.values(state) {
            Ok(values) => {
                let mut table = "column   value".to_owned();
                for (column, value) in values {
                    let _ = write!(table, "\n{:<6} {:>7}", column + 1, signed(value.into(), 2));
                }
                self.console.print_line(&table);
            }
            Err(message) => self.console.print_line(&message),
        }
    }

    /// Prints how much value the human player's move loses relative to the best column. Prints nothing for a small loss
    /// or without an adviser.
    fn print_loss(&mut self, state: &ConnectFour, column: usize) {
        let Some(adviser) = &mut self.settings.adviser else { return };
        let Ok(values) = adviser.values(state) else { return };
        let played = values.iter().find(|(known, _)| *known == column);
        let (Some((best, most)), Some((_, value))) = (values.first(), played) else { return };
        if most - value >= REPORTED_LOSS {
            self.console.print_line(&format!(
                "column {} loses {:.2}; the best column is {}",
                column + 1,
                most - value,
                best + 1
            ));
        }
    }
}
