//! Session of `vivarium play`: consecutive backgammon games of the human player against an opponent.

use super::board::{CHECKER_CHARS, draw};
use super::command::{self, Command, HELP};
use super::turn::TypedTurn;
use crate::error::CliError;
use crate::games::adviser::Adviser;
use crate::games::play::console::Console;
use crate::games::plays_table::plays_table;
use vivarium_agents::players::{Decision, Player};
use vivarium_envs::backgammon::{
    Dice, Play, Plays, Position, RelativePlayer as Side, Roll, State, TurnPhase, Win,
};
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
    /// Position of the first game, with the human player on roll; `None` for the starting position.
    pub position: Option<Position>,
    /// Roll of the human player in `position`; `None` for a random roll.
    pub roll: Option<Roll>,
    /// Opponent: display name and player.
    pub opponent: (String, Box<dyn Player<State>>),
    /// Adviser that evaluates the plays for hints; `None` if no adviser is available.
    pub adviser: Option<Box<dyn Adviser>>,
}

/// Session of a human player in the terminal: settings, console and score.
pub struct TerminalGame<'a> {
    settings: TerminalGameSettings,
    console: Console<'a>,
    /// Points won by the human player and by the opponent.
    points: [i32; 2],
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
        Self { settings, console, points: [0, 0] }
    }

    /// Plays games until the human player quits.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the opponent fails.
    pub fn run(mut self) -> Result<(), CliError> {
        let opponent = self.settings.opponent.0.clone();
        self.console.print_line(&format!(
            "You play {}, from point 24 to point 1; {opponent} plays {}. Dice seed: {}. Enter help for the commands.",
            CHECKER_CHARS[0], CHECKER_CHARS[1], self.settings.seed
        ));
        for game in 0.. {
            let Some(points) = self.play_game(game)? else { break };
            self.points[usize::from(points < 0)] += points.abs();
            let [mine, theirs] = self.points;
            self.console.print_line(&format!(
                "Score: you {mine}, {opponent} {theirs}. Press Enter for another game, or enter quit."
            ));
            if !self.console.prompt_next_game() {
                break;
            }
        }
        let [mine, theirs] = self.points;
        self.console.print_line(&format!("Final score: {mine} points won, {theirs} points lost."));
        Ok(())
    }

    /// Plays the game with the index `game` in the session. Returns the points that the human player won (negative:
    /// lost), or `None` if the human player quits.
    fn play_game(&mut self, game: u32) -> Result<Option<i32>, CliError> {
        let dice = Dice { seed: self.settings.seed, game };
        let mut state = match self.settings.position.take() {
            Some(position) => State { position, phase: TurnPhase::Roll, player: HUMAN }
                .rolled(self.settings.roll.take().unwrap_or_else(|| dice.roll(1))),
            None => {
                let (human_begins, roll) = dice.opening();
                State { player: u8::from(!human_begins), ..State::START }.rolled(roll)
            }
        };
        for turn in 2.. {
            let end = match state.player {
                HUMAN => self.human_turn(state),
                _ => self.opponent_turn(state, rng::derive(dice.seed, OPPONENT_STREAM), game, turn)?,
            };
            state = match end {
                TurnEnd::Turn(state) => state,
                TurnEnd::Game(points) => return Ok(Some(points)),
                TurnEnd::Quit => return Ok(None),
            };
            if let Some(outcome) = state.outcome() {
                let won = (outcome.winner == Side::Mine) == (state.player == HUMAN);
                let who = if won { "You win" } else { "You lose" };
                self.console.print_line(&format!(
                    "{}\n{who} {}.",
                    draw(&human_view(&state)),
                    game_value(outcome.win)
                ));
                return Ok(Some(if won { outcome.win.points() } else { -outcome.win.points() }));
            }
            state = state.rolled(dice.roll(turn));
        }
        Ok(None)
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
        while state.player != HUMAN && matches!(state.phase, TurnPhase::Play(_) | TurnPhase::SecondHalf(_)) {
            let decision = Decision::new(state, opponent_seed, game, step);
            let chosen = self.settings.opponent.1.choose(&[decision]).map_err(CliError::failed_by)?;
            state = Game::after(&state, chosen.first().copied().unwrap_or(0));
            step += 1;
        }
        let mut plays = Plays::new();
        plays.generate(&before, roll);
        let made = plays.iter().find(|play| play.after == state.position.mirrored());
        let made = made.map_or_else(|| "no move".to_owned(), |play| play.notation(&before));
        let name = self.settings.opponent.0.clone();
        self.console.print_line(&format!("\n{name} rolled {roll} and played {made}"));
        Ok(TurnEnd::Turn(state))
    }

    /// Plays a turn of the human player, who types commands until the turn is confirmed.
    fn human_turn(&mut self, state: State) -> TurnEnd {
        let TurnPhase::Play(mut roll) = state.phase else { return TurnEnd::Turn(state) };
        let mut turn = TypedTurn::new(state.position, roll);
        self.console.print_line(&format!("\n{}\nYou rolled {roll}.", draw(&state.position)));
        if turn.only_play().is_some_and(|play| play.moves.is_empty()) {
            self.console.print_line("No checker can move.");
            return TurnEnd::Turn(state_after_play(&state, turn.only_play()));
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
                        self.print_equity_loss(&turn.before(), roll, &play);
                        return TurnEnd::Turn(state_after_play(&state, Some(play)));
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
                Command::Pips => {
                    let position = turn.position();
                    let [mine, theirs] = [position.mine(), position.theirs()].map(|side| side.pips());
                    self.console.print_line(&format!(
                        "you: {mine} pips, {}: {theirs} pips",
                        self.settings.opponent.0
                    ));
                }
                Command::Roll(dice) => {
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
                Command::Board => self.console.print_line(&draw(&turn.position())),
                Command::Id => self.console.print_line(&format!("{} before your play", turn.before().id())),
                Command::Resign(win) => {
                    if self.accepts_resignation(&turn.before(), roll, win) {
                        self.console.print_line(&format!("You resign {}.", game_value(win)));
                        return TurnEnd::Game(-win.points());
                    }
                }
                Command::Help => self.console.print_line(HELP),
                Command::Quit => return TurnEnd::Quit,
            }
        }
    }

    /// Prints the best plays of a roll with their equities and outcome probabilities.
    fn print_hints(&mut self, position: &Position, roll: Roll) {
        let Some(adviser) = &mut self.settings.adviser else {
            self.console.print_line("no adviser available; use --checkpoint FILE or --against gnubg");
            return;
        };
        let advice = match adviser.advise(position, roll) {
            Ok(advice) => advice,
            Err(message) => return self.console.print_line(&message),
        };
        self.console.print_line(&plays_table(position, &advice));
    }

    /// Prints the equity loss of the human player's play relative to the best play. Prints nothing for the best play
    /// or without an adviser.
    fn print_equity_loss(&mut self, position: &Position, roll: Roll, play: &Play) {
        let Some(adviser) = &mut self.settings.adviser else { return };
        let Ok(advice) = adviser.advise(position, roll) else { return };
        let made = advice.iter().find(|advice| advice.play.after == play.after);
        let (Some(best), Some(made)) = (advice.first(), made) else { return };
        // If only one of the two plays was searched, the best play may have a lower equity than the play of the human.
        let lost = (best.equity - made.equity).max(0.0);
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
        let Some(adviser) = &mut self.settings.adviser else { return true };
        let best = adviser.advise(position, roll).ok().and_then(|advice| advice.first().copied());
        let Some(best) = best else { return true };
        let worth = -best.equity;
        let content = worth <= win.points() as f32;
        if !content {
            self.console.print_line(&format!(
                "resignation rejected: the game is worth {worth:.2} points to {}; offer more, or continue",
                self.settings.opponent.0
            ));
        }
        content
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

fn game_value(win: Win) -> &'static str {
    match win {
        Win::Single => "a single game: 1 point",
        Win::Gammon => "a gammon: 2 points",
        Win::Backgammon => "a backgammon: 3 points",
    }
}
