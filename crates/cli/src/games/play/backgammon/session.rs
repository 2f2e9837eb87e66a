//! Session of `vivarium play`: consecutive backgammon games of the human player against an opponent.

use super::command::{self, Command, HELP};
use super::doubling::{DoublingDialog, RollDialogResult};
use super::prompt_state::{CUBELESS, PromptState};
use super::recorder::GameRecorder;
use super::resignation::{confirms, points_text, refusal, win_text};
use super::session_errors::SessionErrors;
use super::shown_notes::ShownNotes;
use super::turn::TypedTurn;
use crate::error::CliError;
use crate::games::adviser_args::NUM_HINTS;
use crate::games::board_text::{CHECKER_CHARS, draw};
use crate::games::doubling_text::{NotedText, match_text};
use crate::games::equity_table::EquityTable;
use crate::games::play::console::Console;
use vivarium_agents::players::{Decision, Player};
use vivarium_envs::backgammon::doubling::{DoublingContext, DoublingError, EquityContext};
use vivarium_envs::backgammon::{
    Dice, Match, Play, Plays, Position, RelativePlayer as Side, Roll, State, TurnPhase, Win,
};
use vivarium_exhibit_games::advice::{Advice, Adviser, BY_FORMULA, COLUMNS_NOTE, equity_unit, plays_table};
use vivarium_kernels::rng;
use vivarium_mcts::Game;

/// Player index of the human player; the opponent has the index 1.
const HUMAN: u8 = 0;
/// Random stream from which the seed of the opponent's random numbers is derived.
const OPPONENT_STREAM: u32 = 1;

/// Settings of a session of `vivarium play`.
pub struct TerminalGameSettings {
    /// Random seed of the dice.
    pub seed: u64,
    /// Whether the user enters each roll of both sides; otherwise, the program rolls the dice.
    pub manual_dice: bool,
    /// Position of the first game, from the view of the player on roll: the human player, unless `match_state` says that
    /// the opponent is on roll. `None` for the starting position.
    pub position: Option<Position>,
    /// Roll of the human player in `position`; `None` for a random roll.
    pub roll: Option<Roll>,
    /// State of the match or money session in `position`, or before the first game; `None` for money games without the
    /// doubling cube. The human player is player 0.
    pub match_state: Option<Match>,
    /// Match equity table of the doubling decisions, at least as long as the match.
    pub equity_table: EquityTable,
    /// Recorder of the games; `None` if they are not recorded.
    pub recorder: Option<GameRecorder>,
    /// Opponent: display name and player. Without a player, the opponent makes the best play of the adviser.
    pub opponent: (String, Option<Box<dyn Player<State>>>),
    /// Whether the equity losses of the human player's plays and doubling decisions are printed.
    pub comments: bool,
    /// Adviser that evaluates the plays, for hints and for an opponent without a player; `None` if no adviser is available.
    pub adviser: Option<Box<dyn Adviser>>,
}

/// Session of a human player in the terminal: settings, console and score.
pub struct TerminalGame<'a> {
    settings: TerminalGameSettings,
    console: Console<'a>,
    /// Points won by the human player and by the opponent.
    points: [i32; 2],
    /// State of the match or money session; `None` for money games without the doubling cube.
    match_state: Option<Match>,
    /// Equity losses of the human player.
    errors: SessionErrors,
    shown_notes: ShownNotes,
}

/// End of a turn: next turn, end of the game, or end of the session.
enum TurnEnd {
    /// The turn is complete. Contains the state after the turn.
    Turn(State),
    /// The game is over. Contains the points that the human player won (negative: lost).
    Game(i32),
    /// The human player quits the program.
    Quit,
}

impl<'a> TerminalGame<'a> {
    /// Creates a session.
    pub fn new(settings: TerminalGameSettings, console: Console<'a>) -> Self {
        let match_state = settings.match_state;
        Self {
            settings,
            console,
            points: [0, 0],
            match_state,
            errors: SessionErrors::default(),
            shown_notes: ShownNotes::default(),
        }
    }

    /// Plays games until the human player quits.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the opponent fails.
    pub fn run(mut self) -> Result<(), CliError> {
        let opponent = self.settings.opponent.0.clone();
        let dice = if self.settings.manual_dice {
            "You enter the dice of both sides".to_owned()
        } else {
            format!("Dice seed: {}", self.settings.seed)
        };
        self.console.print_line(&format!(
            "You play {}, from point 24 to point 1; {opponent} plays {}. {dice}. Enter help for the commands.",
            CHECKER_CHARS[0], CHECKER_CHARS[1]
        ));
        for game in 0.. {
            if let Some(recorder) = &mut self.settings.recorder {
                recorder.begin(&self.match_state.unwrap_or(Match::MONEY), self.settings.position);
            }
            let points = self.play_game(game)?;
            if let Some(recorder) = &mut self.settings.recorder {
                let result =
                    |points: i32| (u8::from(points < 0), points.unsigned_abs().min(u16::MAX.into()) as u16);
                recorder.end(points.map(result))?;
            }
            let Some(points) = points else { break };
            let score = self.score_after_game(points);
            self.console.print_line(&score);
            if !self.console.prompt_next_game() {
                break;
            }
        }
        let [mine, theirs] = self.points;
        let points = |points: i32| points_text(points.try_into().unwrap_or(u16::MAX));
        self.console.print_line(&format!("Final score: {} won, {} lost.", points(mine), points(theirs)));
        let recorded = self.settings.recorder.as_ref().map(GameRecorder::path);
        if let Some(summary) = self.errors.text(recorded).filter(|_| self.settings.comments) {
            self.console.print_line(&summary);
        }
        Ok(())
    }

    /// Plays the game with the index `game` in the session. Returns the points that the human player won (negative:
    /// lost), or `None` if the human player quits.
    fn play_game(&mut self, game: u32) -> Result<Option<i32>, CliError> {
        let dice = Dice { seed: self.settings.seed, game };
        let mut state = match self.settings.position.take() {
            Some(position) => {
                let player = self.match_state.map_or(HUMAN, |state| state.on_roll);
                let state = State { position, phase: TurnPhase::Roll, player };
                self.settings.roll.take().map_or(state, |roll| state.rolled(roll))
            }
            None => {
                let opening =
                    if self.settings.manual_dice { self.enter_opening() } else { Some(dice.opening()) };
                let Some((human_begins, roll)) = opening else { return Ok(None) };
                State { player: u8::from(!human_begins), ..State::START }.rolled(roll)
            }
        };
        for turn in 1.. {
            let mut board_shown = false;
            if state.phase == TurnPhase::Roll {
                board_shown = state.player == HUMAN && self.is_doubling_decision(state.player);
                let roll = match self.before_roll(&state) {
                    RollDialogResult::Roll { state: next, roll } => {
                        self.record_take(state.player, &next);
                        self.match_state = self.match_state.map(|_| next);
                        roll
                    }
                    RollDialogResult::Passed => {
                        if let Some(recorder) = &mut self.settings.recorder {
                            recorder.double(state.player, false);
                        }
                        return Ok(Some(self.end_by_pass(state.player)));
                    }
                    RollDialogResult::Resignation(win) => return Ok(Some(self.end_by_resignation(win))),
                    RollDialogResult::Quit => return Ok(None),
                };
                let roll = match roll {
                    None if self.settings.manual_dice => {
                        match self.dialog(state.player).enter_roll(&state.position) {
                            RollDialogResult::Resignation(win) => {
                                return Ok(Some(self.end_by_resignation(win)));
                            }
                            RollDialogResult::Roll { roll: Some(roll), .. } => roll,
                            _ => return Ok(None),
                        }
                    }
                    roll => roll.unwrap_or_else(|| dice.roll(turn)),
                };
                state = state.rolled(roll);
            }
            let end = match state.player {
                HUMAN => self.human_turn(state, board_shown),
                _ => self.opponent_turn(state, rng::derive(dice.seed, OPPONENT_STREAM), game, turn + 1)?,
            };
            state = match end {
                TurnEnd::Turn(state) => state,
                TurnEnd::Game(points) => return Ok(Some(points)),
                TurnEnd::Quit => return Ok(None),
            };
            if let Some(outcome) = state.outcome() {
                let won = (outcome.winner == Side::Mine) == (state.player == HUMAN);
                let who = if won { "You win" } else { "You lose" };
                let points = self.points_of(outcome.win);
                self.console.print_line(&format!(
                    "{}\n{who} {}.",
                    draw(&human_view(&state)),
                    win_text(outcome.win, points)
                ));
                return Ok(Some(if won { points.into() } else { -i32::from(points) }));
            }
        }
        Ok(None)
    }

    /// Adds the points of a game that the human player won (negative: lost) to the score. Returns a text with the score and
    /// the prompt for the next game.
    fn score_after_game(&mut self, points: i32) -> String {
        let opponent = self.settings.opponent.0.as_str();
        self.points[usize::from(points < 0)] += points.abs();
        let Some(state) = self.match_state else {
            let [mine, theirs] = self.points;
            return format!(
                "Score: you {mine}, {opponent} {theirs}. Press Enter for another game, or enter quit."
            );
        };
        let winner = u8::from(points < 0);
        let next = state.after_game(winner, points.unsigned_abs().min(u16::MAX.into()) as u16);
        let [mine, theirs] = next.score;
        let score = format!("Score: you {mine}, {opponent} {theirs}");
        let Some(winner) = next.winner() else {
            self.match_state = Some(next);
            let length = if next.length > 0 { format!(", match to {}", next.length) } else { String::new() };
            return format!("{score}{length}. Press Enter for the next game, or enter quit.");
        };
        self.match_state = Some(Match::start(state.length, false));
        let who = if winner == HUMAN { "You win" } else { "You lose" };
        format!("{score}. {who} the match. Press Enter for another match, or enter quit.")
    }

    /// Prompts for the opening roll: the die of the human player, then the die of the opponent. Returns whether the human
    /// player begins, and the roll; `None` if the human player quits.
    fn enter_opening(&mut self) -> Option<(bool, Roll)> {
        self.console.print_line("Opening roll: enter your die and the opponent's die, such as 31.");
        loop {
            let line = self.console.prompt("opening roll> ")?;
            let digits: Vec<u8> = line.bytes().filter(u8::is_ascii_digit).collect();
            match command::parse_before_roll(&line) {
                Ok(Command::Roll(Some(roll))) if roll.is_double() => {
                    self.console.print_line("equal dice: both players roll again");
                }
                Ok(Command::Roll(Some(roll))) => return Some((digits.first() > digits.last(), roll)),
                Ok(Command::Quit) => return None,
                Ok(Command::Help) => self.console.print_line(HELP),
                Err(message) if digits.is_empty() => self.console.print_line(&message),
                _ => self.console.print_line("enter two dice from 1 to 6, your die first, such as 31"),
            }
        }
    }

    /// Returns the dialog before a roll of `player`.
    fn dialog(&mut self, player: u8) -> DoublingDialog<'_, 'a> {
        DoublingDialog {
            console: &mut self.console,
            adviser: self.settings.adviser.as_deref_mut(),
            opponent: &self.settings.opponent.0,
            equity_table: &self.settings.equity_table,
            state: self.match_state.unwrap_or(CUBELESS).turn_of(player),
            has_state: self.match_state.is_some(),
            comments: self.settings.comments,
            errors: &mut self.errors,
            shown_notes: &mut self.shown_notes,
        }
    }

    /// Runs the dialog before a roll, if the player on roll has a doubling decision.
    fn before_roll(&mut self, state: &State) -> RollDialogResult {
        let Some(match_state) = self.match_state else {
            return RollDialogResult::Roll { state: Match::MONEY, roll: None };
        };
        let match_state = match_state.turn_of(state.player);
        let dialog = self.dialog(state.player);
        match state.player {
            HUMAN if DoublingDialog::is_decision(&match_state) => dialog.human_on_roll(&state.position),
            HUMAN => RollDialogResult::Roll { state: match_state, roll: None },
            _ if match_state.doubled => dialog.opponent_has_doubled(&state.position),
            _ if DoublingDialog::is_decision(&match_state) => dialog.opponent_on_roll(&state.position),
            _ => RollDialogResult::Roll { state: match_state, roll: None },
        }
    }

    /// Records a double of `player` that was taken, if the dialog has led to the state `next`.
    fn record_take(&mut self, player: u8, next: &Match) {
        let doubled = |state: Match| next.doubling_cube_exponent > state.doubling_cube_exponent;
        if let Some(recorder) =
            self.settings.recorder.as_mut().filter(|_| self.match_state.is_some_and(doubled))
        {
            recorder.double(player, true);
        }
    }

    /// Returns whether `player` has a doubling decision before the roll.
    fn is_doubling_decision(&self, player: u8) -> bool {
        self.match_state.is_some_and(|state| DoublingDialog::is_decision(&state.turn_of(player)))
    }

    /// Ends a game in which the opponent of `doubler` passed. Returns the points that the human player won (negative:
    /// lost).
    fn end_by_pass(&mut self, doubler: u8) -> i32 {
        let points = self.points_of(Win::Single);
        let who = if doubler == HUMAN { "You win" } else { "You lose" };
        self.console.print_line(&format!("{who} {}.", points_text(points)));
        if doubler == HUMAN { points.into() } else { -i32::from(points) }
    }

    /// Ends a game that the human player resigned. Returns the negative number of points.
    fn end_by_resignation(&mut self, win: Win) -> i32 {
        let points = self.points_of(win);
        self.console.print_line(&format!("You resign {}.", win_text(win, points)));
        -i32::from(points)
    }

    /// Returns the points of a win in the current game.
    fn points_of(&self, win: Win) -> u16 {
        self.match_state.map_or(win.points() as u16, |state| state.points(win))
    }

    /// Plays a turn of the opponent and prints the play. The opponent's random numbers depend on `opponent_seed`, the
    /// index `game` of the game and the index `turn` of the turn.
    fn opponent_turn(
        &mut self,
        mut state: State,
        opponent_seed: u64,
        game: u32,
        turn: u32,
    ) -> Result<TurnEnd, CliError> {
        let before = state.position;
        let TurnPhase::Play(roll) = state.phase else { return Ok(TurnEnd::Turn(state)) };
        let mut step = 2 * turn;
        if let Some(player) = &mut self.settings.opponent.1 {
            while state.player != HUMAN
                && matches!(state.phase, TurnPhase::Play(_) | TurnPhase::SecondHalf(_))
            {
                let decision = Decision::new(state, opponent_seed, game, step);
                let chosen = player.choose(&[decision]).map_err(CliError::failed_by)?;
                state = Game::after(&state, chosen.first().copied().unwrap_or(0));
                step += 1;
            }
        } else {
            let advice = self.advise(1 - HUMAN, &before, roll, &[]).map_err(CliError::failed)?;
            state = state_after_play(&state, advice.first().map(|best| best.play));
        }
        let mut plays = Plays::new();
        plays.generate(&before, roll);
        let made = plays.iter().find(|play| play.after == state.position.mirrored());
        if let (Some(recorder), Some(play)) = (&mut self.settings.recorder, made) {
            recorder.play(1 - HUMAN, roll, *play);
        }
        let made = made.map_or_else(|| "no move".to_owned(), |play| play.notation(&before));
        let name = self.settings.opponent.0.clone();
        self.console.print_line(&format!("\n{name} rolled {roll} and played {made}"));
        Ok(TurnEnd::Turn(state))
    }

    /// Plays a turn of the human player, who types commands until the turn is confirmed. `board_shown`: the board was
    /// printed before the roll.
    fn human_turn(&mut self, state: State, board_shown: bool) -> TurnEnd {
        let TurnPhase::Play(mut roll) = state.phase else { return TurnEnd::Turn(state) };
        let mut turn = TypedTurn::new(state.position, roll);
        if !board_shown {
            let score = self.match_state.map(|state| match_text(&state, ["you", &self.settings.opponent.0]));
            let score = score.map_or(String::new(), |score| format!("\n{score}"));
            self.console.print_line(&format!("\n{}{score}", draw(&state.position)));
        }
        self.console.print_line(&format!("You rolled {roll}."));
        if turn.only_play().is_some_and(|play| play.moves.is_empty()) {
            self.console.print_line("No checker can move.");
            return TurnEnd::Turn(self.end_turn(&state, roll, turn.only_play()));
        }
        loop {
            let Some(line) = self.console.prompt(&format!("{roll}> ")) else { return TurnEnd::Quit };
            let command = match command::parse_command(&line) {
                Ok(command) => command,
                Err(message) => {
                    self.console.print_line(&message);
                    continue;
                }
            };
            match command {
                Command::Done => match turn.play().or_else(|| turn.only_play()) {
                    Some(play) => {
                        self.rate_play(&turn.before(), roll, &play);
                        return TurnEnd::Turn(self.end_turn(&state, roll, Some(play)));
                    }
                    None => self
                        .console
                        .print_line(&format!("the turn is not complete: {}", remaining_dice(&turn))),
                },
                Command::Moves(text) => match turn.enter(&text) {
                    Ok(()) => {
                        self.console.print_line(&draw(&turn.position()));
                        self.console.print_line(&match turn.play() {
                            Some(play) => format!(
                                "{}: press Enter to confirm, or enter undo",
                                play.notation(&turn.before())
                            ),
                            None => remaining_dice(&turn),
                        });
                    }
                    Err(message) => self.console.print_line(&message),
                },
                Command::Targets(place) => self.console.print_line(&turn.targets(place)),
                Command::Plays => self.console.print_line(&turn.plays().join("\n")),
                Command::Hint => self.print_hints(&turn.before(), roll),
                Command::Roll(None) => {
                    self.console
                        .print_line("the dice have been rolled; to replace them, enter such as roll 31");
                }
                Command::Double | Command::Take | Command::Pass => {
                    let why = self.no_doubling_decision();
                    self.console.print_line(&why);
                }
                Command::Roll(Some(dice)) => {
                    roll = dice;
                    turn = TypedTurn::new(state.position, roll);
                    self.console.print_line(&format!("{}\nYou rolled {roll}.", draw(&state.position)));
                }
                Command::Undo => {
                    let undone = turn.undo();
                    self.console.print_line(&if undone {
                        draw(&turn.position())
                    } else {
                        "there is no move to undo".into()
                    });
                }
                Command::Resign(win) => {
                    let points = self.points_of(win);
                    if confirms(&mut self.console, win, points)
                        && self.accepts_resignation(&turn.before(), roll, win)
                    {
                        return TurnEnd::Game(self.end_by_resignation(win));
                    }
                }
                Command::Quit => return TurnEnd::Quit,
                Command::Board | Command::Pips | Command::Id | Command::Help => {
                    let state = self.match_state.unwrap_or(CUBELESS).turn_of(HUMAN);
                    let prompt = PromptState {
                        board: turn.position(),
                        before: turn.before(),
                        state: Match { roll: Some(roll), ..state },
                        has_state: self.match_state.is_some(),
                        opponent: &self.settings.opponent.0,
                    };
                    self.console.print_line(&prompt.output(&command).unwrap_or_default());
                }
            }
        }
    }

    /// Returns why the human player has no doubling decision after the roll.
    fn no_doubling_decision(&self) -> String {
        let Some(state) = self.match_state.map(|state| state.turn_of(HUMAN)) else {
            return "the games of this session have no doubling cube; start play with --match".to_owned();
        };
        match DoublingContext::check(&Match { roll: None, ..state }) {
            Err(error) => error.to_string(),
            Ok(()) => DoublingError::Rolled.to_string(),
        }
    }

    /// Records the play of the human player and returns the state after the turn.
    fn end_turn(&mut self, state: &State, roll: Roll, play: Option<Play>) -> State {
        if let (Some(recorder), Some(play)) = (&mut self.settings.recorder, play) {
            recorder.play(HUMAN, roll, play);
        }
        state_after_play(state, play)
    }

    /// Returns the score and the doubling cube of `player` in a turn.
    fn equity_context(&self, player: u8) -> Result<EquityContext<'_>, String> {
        self.match_state.map_or(Ok(EquityContext::CUBELESS_MONEY), |state| {
            self.settings.equity_table.equity_context(&state.turn_of(player))
        })
    }

    /// Returns the plays of a roll of `player` with their evaluations, the best first. The `selected` plays have the full depth.
    fn advise(
        &mut self,
        player: u8,
        position: &Position,
        roll: Roll,
        selected: &[Play],
    ) -> Result<Vec<Advice>, String> {
        let no_adviser = "no adviser available; use --checkpoint FILE or --against gnubg";
        let mut adviser = self.settings.adviser.take().ok_or(no_adviser)?;
        let advise = |context| adviser.advise_with_plays(position, roll, context, selected);
        let advice = self.equity_context(player).and_then(advise);
        self.settings.adviser = Some(adviser);
        advice
    }

    /// Prints the best plays of a roll with their equities and outcome probabilities.
    fn print_hints(&mut self, position: &Position, roll: Roll) {
        let advised = self.advise(HUMAN, position, roll, &[]).and_then(|advice| {
            let table = plays_table(position, &advice, NUM_HINTS, self.equity_context(HUMAN)?, None);
            let note = format!("{COLUMNS_NOTE} {}.", equity_unit(self.match_state.as_ref(), BY_FORMULA));
            Ok(self.shown_notes.text(&NotedText { text: table.trim_end().to_owned(), note }))
        });
        self.console.print_line(&advised.unwrap_or_else(|message| message));
    }

    /// Rates the human player's play: adds its equity loss relative to the best play to the errors of the session, and prints the
    /// loss. Prints nothing for the best play, without comments or without an adviser.
    fn rate_play(&mut self, position: &Position, roll: Roll, play: &Play) {
        if !self.settings.comments {
            return;
        }
        let Ok(advice) = self.advise(HUMAN, position, roll, std::slice::from_ref(play)) else { return };
        let made = advice.iter().find(|advice| advice.play.after == play.after);
        let (Some(best), Some(made)) = (advice.first(), made) else { return };
        // If only one of the two plays was searched, the best play may have a lower equity than the play of the human.
        let lost = (best.equity - made.equity).max(0.0);
        if advice.len() > 1 {
            self.errors.add_play(lost);
        }
        if lost >= 0.0005 {
            let better = best.play.notation(position);
            self.console.print_line(&format!(
                "{} loses {lost:.3}; the best play is {better}",
                play.notation(position)
            ));
        }
    }

    /// Returns whether the opponent accepts a resignation with the value `win`: the opponent's equity must not exceed
    /// this value. Without an adviser, the opponent accepts all resignations.
    fn accepts_resignation(&mut self, position: &Position, roll: Roll, win: Win) -> bool {
        let Ok(advice) = self.advise(HUMAN, position, roll, &[]) else { return true };
        let Some(best) = advice.first() else { return true };
        let refused = self
            .equity_context(1 - HUMAN)
            .ok()
            .and_then(|context| refusal(-best.equity, win, context, &self.settings.opponent.0));
        refused.is_none_or(|message| {
            self.console.print_line(&message);
            false
        })
    }
}

/// Returns the state after a play of the player on roll; the other player is then on roll. `None` is a turn without a
/// legal play.
fn state_after_play(state: &State, play: Option<Play>) -> State {
    let position = play.map_or(state.position, |play| play.after).mirrored();
    State { position, phase: TurnPhase::Roll, player: 1 - state.player }
}

/// Returns the position of a state from the view of the human player.
fn human_view(state: &State) -> Position {
    if state.player == HUMAN { state.position } else { state.position.mirrored() }
}

/// Formats the dice of a turn that have not been played, such as "3 and 1 left to play".
fn remaining_dice(turn: &TypedTurn) -> String {
    let dice: Vec<_> = turn.dice_left().iter().map(u8::to_string).collect();
    format!("{} left to play", dice.join(" and "))
}
