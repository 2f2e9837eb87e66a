//! Replay of a recorded game by the rules.

use super::match_record::{MatchRecord, RecordedAction, RecordedGame, RecordedResult};
use crate::backgammon::dice::Roll;
use crate::backgammon::match_id::Match;
use crate::backgammon::outcome::Win;
use crate::backgammon::plays::{Play, Plays};
use crate::backgammon::position::Position;

/// Game that is replayed action by action: position, doubling cube and turn.
pub struct GameReplay {
    /// Checkers, from the view of the player on roll.
    position: Position,
    /// State of the match; [`Match::on_roll`] is the player on roll.
    state: Match,
    /// Whether a player has made the opening play, or the game began with a set-up position.
    has_begun: bool,
    /// Winner and kind of win; `None` if no action has ended the game.
    outcome: Option<(u8, Win)>,
    plays: Plays,
}

impl GameReplay {
    /// Starts a game from the starting position, in the state of a match before the game.
    pub fn new(state: Match) -> Self {
        Self { position: Position::START, state, has_begun: false, outcome: None, plays: Plays::new() }
    }

    /// Starts the replay of a game of `record`.
    pub fn of(record: &MatchRecord, game: &RecordedGame) -> Self {
        let mut replay = Self::new(record.state_before(game));
        match (&game.setup, game.actions.first()) {
            (Some(setup), _) => (replay.position, replay.has_begun) = (setup.position, true),
            (None, Some(first)) => replay.state = replay.state.turn_of(first.player()),
            (None, None) => {}
        }
        replay
    }

    /// Returns the checkers, from the view of the player on roll.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the state of the match before the roll of the player on roll.
    pub fn state(&self) -> &Match {
        &self.state
    }

    /// Returns whether the next play is the opening play, before which no player may double.
    pub fn is_opening(&self) -> bool {
        !self.has_begun
    }

    /// Returns the result by the rules; `None` if no action has ended the game. Resignations are not actions.
    pub fn result(&self) -> Option<RecordedResult> {
        let result = |(winner, win)| RecordedResult { winner, points: self.state.points(win) };
        self.outcome.map(result)
    }

    /// Returns the points that the winner of the game may have: with and without the Jacoby rule, which .mat files do not
    /// state; after a resignation, of each kind of win.
    pub(super) fn possible_points(&self) -> Vec<u16> {
        let without_jacoby = Match { without_jacoby: true, ..self.state };
        match self.outcome {
            Some((_, win)) => vec![self.state.points(win), without_jacoby.points(win)],
            None => {
                [Win::Single, Win::Gammon, Win::Backgammon].map(|win| without_jacoby.points(win)).to_vec()
            }
        }
    }

    /// Finds the legal play of `player` with the given notation.
    ///
    /// # Errors
    /// A message if the player is not on roll, or the play is not legal.
    pub fn find(&mut self, player: u8, roll: Roll, notation: &str) -> Result<Play, String> {
        let position = self.on_roll(player)?;
        self.plays.generate(&position, roll);
        self.plays.find(&position, notation).map_err(|error| error.to_string())
    }

    /// Makes an action.
    ///
    /// # Errors
    /// A message if the action breaks the rules; the game is then unchanged.
    pub fn apply(&mut self, action: &RecordedAction) -> Result<(), String> {
        if self.outcome.is_some() {
            return Err("the game is over".to_owned());
        }
        match *action {
            RecordedAction::Play { player, roll, play } => {
                let position = self.on_roll(player)?;
                self.plays.generate(&position, roll);
                if !self.plays.iter().any(|legal| legal.after == play.after) {
                    return Err(format!("{} is not a legal play of {roll}", play.notation(&position)));
                }
                self.state = self.state.turn_of(1 - player);
                self.position = play.after.mirrored();
                self.has_begun = true;
                if let Some(outcome) = self.position.outcome() {
                    self.outcome = Some((player, outcome.win));
                }
            }
            RecordedAction::Double { player } => {
                self.on_roll(player)?;
                if !self.has_begun || !self.state.may_double() {
                    return Err(format!("player {} may not double here", player + 1));
                }
                self.state = self.state.double();
            }
            RecordedAction::Take { player } => {
                self.answers(player)?;
                self.state = self.state.take();
            }
            RecordedAction::Pass { player } => {
                self.answers(player)?;
                self.outcome = Some((1 - player, Win::Single));
            }
        }
        Ok(())
    }

    /// Returns the position from the view of `player`.
    ///
    /// # Errors
    /// A message if the player is not on roll.
    fn on_roll(&self, player: u8) -> Result<Position, String> {
        if self.state.doubled {
            return Err("a double has been offered; the opponent takes or passes first".to_owned());
        }
        // Either player may have the opening roll; the starting position is the same for both.
        if self.has_begun && player != self.state.on_roll || player > 1 {
            return Err(format!("player {} is not on roll", player + 1));
        }
        Ok(self.position)
    }

    fn answers(&self, player: u8) -> Result<(), String> {
        if !self.state.doubled {
            return Err("no double has been offered".to_owned());
        }
        if player == self.state.on_roll {
            return Err(format!("player {} has doubled; the opponent takes or passes", player + 1));
        }
        Ok(())
    }
}
