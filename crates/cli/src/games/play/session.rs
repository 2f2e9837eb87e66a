//! Session of `vivarium play`: consecutive games of the human player against an opponent.

use super::adviser::{Adviser, HINTS};
use super::board::{MARKS, draw};
use super::command::{self, Command, HELP};
use super::turn::TypedTurn;
use crate::error::CliError;
use std::io::{self, BufRead, Write};
use vivarium_agents::players::{Decision, Player};
use vivarium_envs::backgammon::{
    Dice, Play, Plays, Position, RelativePlayer as Side, Roll, State, TurnPhase, Win,
};
use vivarium_kernels::rng;
use vivarium_mcts::Game;

/// Player index of the human player; the opponent has index 1.
const PERSON: u8 = 0;
/// Number of the random stream from which the seed of the opponent's random choices is derived.
const LOTS: u32 = 1;

/// Settings of a session of `vivarium play`.
pub struct TerminalGameSettings {
    /// Random seed of the dice.
    pub seed: u64,
    /// Position of the first game, with the human on roll; `None` for the starting position.
    pub position: Option<Position>,
    /// Opponent: display name and player.
    pub opponent: (String, Box<dyn Player<State>>),
    /// Evaluator of plays, for hints; `None` if hints are not available.
    pub adviser: Option<Box<dyn Adviser>>,
}

/// Session of a human player in the terminal, with its input, output and score.
pub struct TerminalGame<'a> {
    table: TerminalGameSettings,
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Points won by the human and by the opponent.
    points: [i32; 2],
}

/// Result of a turn: how the turn ended.
enum TurnEnd {
    /// The turn is complete; contains the state after the turn.
    Turn(State),
    /// The game is over; contains the points that the human won (negative: lost).
    Game(i32),
    /// The human quits.
    Quit,
}

impl<'a> TerminalGame<'a> {
    /// Creates a session with line-based input and output.
    pub fn new(table: TerminalGameSettings, input: &'a mut dyn BufRead, output: &'a mut dyn Write) -> Self {
        Self { table, input, output, points: [0, 0] }
    }

    /// Plays games until the human quits.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the opponent fails.
    pub fn run(mut self) -> Result<(), CliError> {
        let opponent = self.table.opponent.0.clone();
        self.say(&format!(
            "You play {}, from point 24 to point 1; {opponent} plays {}. Dice seed: {}. Enter help for the commands.",
            MARKS[0], MARKS[1], self.table.seed
        ));
        for game in 0.. {
            let Some(points) = self.game(game)? else { break };
            self.points[usize::from(points < 0)] += points.abs();
            let [mine, theirs] = self.points;
            self.say(&format!(
                "Score: you {mine}, {opponent} {theirs}. Press Enter for another game, or enter quit."
            ));
            if !self.another() {
                break;
            }
        }
        let [mine, theirs] = self.points;
        self.say(&format!("Final score: {mine} points won, {theirs} points lost."));
        Ok(())
    }

    /// Plays the game of index `game` in the session. Returns the points that the human won (negative: lost), or `None`
    /// if the human quits.
    fn game(&mut self, game: u32) -> Result<Option<i32>, CliError> {
        let dice = Dice { seed: self.table.seed, game };
        let mut state = match self.table.position.take() {
            Some(position) => State { position, phase: TurnPhase::Roll, player: PERSON }.rolled(dice.roll(1)),
            None => {
                let (person_begins, roll) = dice.opening();
                State { player: u8::from(!person_begins), ..State::START }.rolled(roll)
            }
        };
        for turn in 2.. {
            let end = match state.player {
                PERSON => self.person(state),
                _ => self.opponent(state, rng::derive(dice.seed, LOTS), game, turn)?,
            };
            state = match end {
                TurnEnd::Turn(state) => state,
                TurnEnd::Game(points) => return Ok(Some(points)),
                TurnEnd::Quit => return Ok(None),
            };
            if let Some(outcome) = state.outcome() {
                let won = (outcome.winner == Side::Mine) == (state.player == PERSON);
                let who = if won { "You win" } else { "You lose" };
                self.say(&format!("{}\n{who} {}.", draw(&seen(&state)), game_of(outcome.win)));
                return Ok(Some(if won { outcome.win.points() } else { -outcome.win.points() }));
            }
            state = state.rolled(dice.roll(turn));
        }
        Ok(None)
    }

    /// Plays a turn of the opponent and prints the turn. The opponent's random numbers depend on the seed `lots`, the
    /// index `game` of the game and the index `turn` of the turn.
    fn opponent(&mut self, mut state: State, lots: u64, game: u32, turn: u32) -> Result<TurnEnd, CliError> {
        let before = state.position;
        let TurnPhase::Play(roll) = state.phase else { return Ok(TurnEnd::Turn(state)) };
        let mut step = 2 * turn;
        while state.player != PERSON && matches!(state.phase, TurnPhase::Play(_) | TurnPhase::SecondHalf(_)) {
            let [low, high] = rng::block(lots, game, step);
            let decision = Decision { state, random: u64::from(high) << 32 | u64::from(low) };
            let chosen = self.table.opponent.1.choose(&[decision]).map_err(CliError::failed_by)?;
            state = Game::after(&state, chosen.first().copied().unwrap_or(0));
            step += 1;
        }
        let mut plays = Plays::new();
        plays.generate(&before, roll);
        let made = plays.iter().find(|play| play.after == state.position.mirrored());
        let made = made.map_or_else(|| "no move".to_owned(), |play| play.notation(&before));
        let name = self.table.opponent.0.clone();
        self.say(&format!("\n{name} rolled {roll} and played {made}"));
        Ok(TurnEnd::Turn(state))
    }

    /// Plays a turn of the human from typed commands.
    fn person(&mut self, state: State) -> TurnEnd {
        let TurnPhase::Play(roll) = state.phase else { return TurnEnd::Turn(state) };
        let mut turn = TypedTurn::new(state.position, roll);
        self.say(&format!("\n{}\nYou rolled {roll}.", draw(&state.position)));
        if turn.only().is_some_and(|play| play.moves.is_empty()) {
            self.say("No checker can move.");
            return TurnEnd::Turn(after(&state, turn.only()));
        }
        loop {
            let Some(line) = self.ask(&format!("{roll}> ")) else { return TurnEnd::Quit };
            let command = match command::parse(&line) {
                Ok(command) => command,
                Err(message) => {
                    self.say(&message);
                    continue;
                }
            };
            match command {
                Command::Done => match turn.play().or_else(|| turn.only()) {
                    Some(play) => {
                        self.comment(&turn.before(), roll, &play);
                        return TurnEnd::Turn(after(&state, Some(play)));
                    }
                    None => self.say(&format!("the turn is not complete: {}", left(&turn))),
                },
                Command::Moves(text) => match turn.make(&text) {
                    Ok(()) => {
                        self.say(&draw(&turn.position()));
                        self.say(&match turn.play() {
                            Some(play) => format!(
                                "{}: press Enter to confirm, or enter undo",
                                play.notation(&turn.before())
                            ),
                            None => left(&turn),
                        });
                    }
                    Err(message) => self.say(&message),
                },
                Command::Targets(place) => self.say(&turn.targets(place)),
                Command::Plays => self.say(&turn.plays().join("\n")),
                Command::Hint => self.hint(&turn.before(), roll),
                Command::Undo => {
                    let undone = turn.undo();
                    self.say(&if undone {
                        draw(&turn.position())
                    } else {
                        "there is no move to undo".into()
                    });
                }
                Command::Board => self.say(&draw(&turn.position())),
                Command::Id => self.say(&format!("{} before your play", turn.before().id())),
                Command::Resign(win) => {
                    if self.accepts(&turn.before(), roll, win) {
                        self.say(&format!("You resign {}.", game_of(win)));
                        return TurnEnd::Game(-win.points());
                    }
                }
                Command::Help => self.say(HELP),
                Command::Quit => return TurnEnd::Quit,
            }
        }
    }

    /// Prints the best plays of a roll with their equities.
    fn hint(&mut self, position: &Position, roll: Roll) {
        let Some(adviser) = &mut self.table.adviser else {
            self.say("no adviser available; use --checkpoint FILE or --against gnubg");
            return;
        };
        let advice = match adviser.advise(position, roll) {
            Ok(advice) => advice,
            Err(message) => return self.say(&message),
        };
        let best = advice.first().map_or(0.0, |advice| advice.equity);
        let mut lines = vec![format!("{:<28} {:>7} {:>7}   win  gammon  lose gammon", "", "equity", "lost")];
        for advice in advice.iter().take(HINTS) {
            let [win, gammon, _, lost_gammon, _] =
                advice.probabilities.map(|probability| 100.0 * probability);
            lines.push(format!(
                "{:<28} {:>+7.3} {:>7.3} {win:>4.0} % {gammon:>5.0} % {lost_gammon:>10.0} %",
                advice.play.notation(position),
                advice.equity,
                best - advice.equity,
            ));
        }
        self.say(&lines.join("\n"));
    }

    /// Prints how much equity the human's play loses compared with the best play. Prints nothing without an adviser.
    fn comment(&mut self, position: &Position, roll: Roll, play: &Play) {
        let Some(adviser) = &mut self.table.adviser else { return };
        let Ok(advice) = adviser.advise(position, roll) else { return };
        let made = advice.iter().find(|advice| advice.play.after == play.after);
        let (Some(best), Some(made)) = (advice.first(), made) else { return };
        // If only one of the two plays was searched, the best play may have a lower equity than the play of the human.
        let lost = (best.equity - made.equity).max(0.0);
        if lost >= 0.0005 {
            let better = best.play.notation(position);
            self.say(&format!("{} loses {lost:.3}; the best play is {better}", play.notation(position)));
        }
    }

    /// Returns whether the opponent accepts a resignation with the value `win`. Without an adviser, the opponent
    /// accepts all resignations.
    fn accepts(&mut self, position: &Position, roll: Roll, win: Win) -> bool {
        let Some(adviser) = &mut self.table.adviser else { return true };
        let best = adviser.advise(position, roll).ok().and_then(|advice| advice.first().copied());
        let Some(best) = best else { return true };
        let worth = -best.equity;
        let content = worth <= win.points() as f32;
        if !content {
            self.say(&format!(
                "resignation rejected: the game is worth {worth:.2} points to {}; offer more, or continue",
                self.table.opponent.0
            ));
        }
        content
    }

    /// Asks the human whether to play another game. Returns `false` if the human quits.
    fn another(&mut self) -> bool {
        loop {
            let Some(line) = self.ask("> ") else { return false };
            match command::parse(&line) {
                Ok(Command::Done) => return true,
                Ok(Command::Quit) => return false,
                _ => self.say("press Enter for another game, or enter quit"),
            }
        }
    }

    /// Prints a prompt and reads a line of input; `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Option<String> {
        // Errors of a closed output are ignored.
        let _ = write!(self.output, "{prompt}");
        let _ = self.output.flush();
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) => {
                self.say("");
                None
            }
            Ok(_) => Some(line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Some("?".to_owned()),
            Err(_) => None,
        }
    }

    fn say(&mut self, words: &str) {
        let _ = writeln!(self.output, "{words}");
    }
}

/// Returns the state after a play of the player on roll, with the other player on roll. `None` is a pass: no legal
/// play.
fn after(state: &State, play: Option<Play>) -> State {
    let position = play.map_or(state.position, |play| play.after).mirrored();
    State { position, phase: TurnPhase::Roll, player: 1 - state.player }
}

/// Returns the position of a state from the view of the human player.
fn seen(state: &State) -> Position {
    if state.player == PERSON { state.position } else { state.position.mirrored() }
}

/// Formats the remaining dice of a turn.
fn left(turn: &TypedTurn) -> String {
    let dice: Vec<_> = turn.dice_left().iter().map(u8::to_string).collect();
    format!("{} left to play", dice.join(" and "))
}

fn game_of(win: Win) -> &'static str {
    match win {
        Win::Single => "a single game: 1 point",
        Win::Gammon => "a gammon: 2 points",
        Win::Backgammon => "a backgammon: 3 points",
    }
}
