//! Saving and restoring the table (the game that a user plays or analyzes) as a game record.
//!
//! The record contains the start of the game, rolls and moves. Restoring a table replays them by the rules, so a file
//! cannot contain a state that violates the rules.

use super::match_play::{DROPPED, MatchPlay};
use super::{PlayAssessment, TableState};
use crate::protocol::{DiceMode, GameMove, GameOutcome, GamePlayer, GamePosition, GameStage, GameTurn};
use crate::rules::TableGame;
use serde::{Deserialize, Serialize};
use vivarium_envs::backgammon::Match;
use vivarium_lab::error::LabError;

/// Maximum number of turns of a game record. Connect Four has at most 42 turns, backgammon games about 60.
const MAX_TURNS: usize = 5000;

/// Record of the game that a user plays or analyzes: start of the game, rolls, moves and players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    game: u32,
    /// Seat that the user requested to start a new game, or to move in a set-up position; `None` if the rules decide.
    first: Option<u8>,
    /// Position that the user has set up, and its roll; `None` if the game began at the initial position.
    entered: Option<(GamePosition, Option<[u8; 2]>)>,
    /// Match ID of GNU Backgammon at the start of the game; `None` in cubeless games.
    #[serde(default)]
    match_id: Option<String>,
    turns: Vec<RecordedTurn>,
    /// Double before the roll of the current turn; `None` without a double.
    #[serde(default)]
    double: Option<RecordedDouble>,
    /// Roll of the current turn, higher die first. `moves` holds the moves of this turn so far.
    dice: Option<[u8; 2]>,
    moves: Vec<[u8; 2]>,
    /// Seat that resigned, and the number of points that the seat lost; `None` without a resignation.
    resigned: Option<(u8, u32)>,
    /// ID of the current position, which must result from the turns of the record.
    id: String,
    /// Seat to move in the current position.
    seat: u8,
    seats: [GamePlayer; 2],
    score: [u32; 2],
    dice_mode: DiceMode,
    /// Seed of the dice that the user has set; `None` if the seed is derived from the run's seed.
    #[serde(default)]
    dice_seed: Option<u32>,
    pace: Option<f32>,
    /// Whether a computer waits for the command `move_now` in an entered position.
    #[serde(default)]
    is_held: bool,
}

/// Double before the roll of the current turn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RecordedDouble {
    Offered,
    Taken,
    Dropped,
}

/// A finished turn of the game record: double, seat, roll, moves and assessment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RecordedTurn {
    seat: u8,
    /// Whether the seat doubled before the roll, and the opponent took.
    #[serde(default)]
    doubled: bool,
    dice: Option<[u8; 2]>,
    moves: Vec<[u8; 2]>,
    lost: Option<f32>,
    best: Option<String>,
    equity: Option<f32>,
}

fn ways(moves: &[GameMove]) -> Vec<[u8; 2]> {
    moves.iter().map(|one| [one.from, one.to]).collect()
}

impl RecordedTurn {
    fn of(seen: &GameTurn) -> Self {
        let GameTurn { seat, dice, doubled, moves, lost, best, equity, .. } = seen.clone();
        Self { seat, doubled: doubled.is_some(), dice, moves: ways(&moves), lost, best, equity }
    }

    fn assessment(&self) -> PlayAssessment {
        let equity = self.equity.map(|equity| if self.seat == 0 { equity } else { -equity });
        PlayAssessment { lost: self.lost, best: self.best.clone(), equity }
    }
}

impl<G: TableGame> TableState<G> {
    /// Returns the record of the game at the table: start of the game, rolls and moves. [`of_record`](Self::of_record)
    /// restores the game from the record.
    pub(crate) fn record(&self) -> GameRecord {
        let of_loser = |outcome: &GameOutcome| outcome.winner.map(|winner| (1 - winner, outcome.win.into()));
        let dropped = self.outcome.as_ref().is_some_and(|outcome| outcome.how == DROPPED);
        let double = match self.stage() {
            GameStage::Doubled => Some(RecordedDouble::Offered),
            _ if dropped => Some(RecordedDouble::Dropped),
            _ => self.doubled().map(|_| RecordedDouble::Taken),
        };
        GameRecord {
            game: self.game,
            first: self.first,
            entered: self.entered.clone(),
            match_id: self.match_play().map(|play| play.start.id()),
            turns: self.history.iter().map(|past| RecordedTurn::of(&past.seen)).collect(),
            double,
            dice: self.state.dice(),
            moves: self.turn.as_ref().map(|turn| ways(&G::made(turn))).unwrap_or_default(),
            resigned: self
                .outcome
                .as_ref()
                .filter(|_| self.state.outcome().is_none() && !dropped)
                .and_then(of_loser),
            id: self.id(),
            seat: self.state.player(),
            seats: self.seats,
            score: self.score,
            dice_mode: self.timing.dice_mode,
            dice_seed: self.dice_seed,
            pace: self.timing.pace,
            is_held: self.timing.is_held,
        }
    }

    /// Restores the game at the table by replaying the rolls and moves of a game record. `seed` is the seed of the run.
    ///
    /// # Errors
    /// [`LabError`] naming the turn that breaks the rules.
    pub(crate) fn of_record(seed: u64, record: &GameRecord) -> Result<Self, LabError> {
        if record.turns.len() > MAX_TURNS {
            let allowed = format!("a game of at most {MAX_TURNS} turns");
            return Err(LabError::invalid("turns", record.turns.len().to_string(), allowed));
        }
        // All moves are replayed as moves of human players, because these are checked one by one.
        let mut table = Self::new(seed, [GamePlayer::Person; 2]);
        match &record.entered {
            Some((position, dice)) => table.set_position(position, record.first, *dice)?,
            None => {
                table.game = record.game.wrapping_sub(1);
                table.new_game(table.seats, record.first)?;
            }
        }
        table.game = record.game;
        let parse = |id: &String| {
            let refuse = |error: String| LabError::invalid("match_id", id, error);
            Match::from_id(id).map(MatchPlay::new).map_err(|error| refuse(error.to_string()))
        };
        let match_id = record.match_id.as_ref().filter(|_| G::HAS_DOUBLING_CUBE);
        table.match_play = match_id.map(parse).transpose()?;
        for (number, turn) in record.turns.iter().enumerate() {
            let in_turn = |error| {
                LabError::invalid(format!("turn {number}"), format!("{:?}", turn.moves), format!("{error}"))
            };
            table.replay_turn(turn).map_err(in_turn)?;
        }
        match record.double {
            Some(RecordedDouble::Offered) => table.replay_double()?,
            Some(double) => {
                table.replay_double()?;
                table.answer_double(double == RecordedDouble::Taken)?;
            }
            None => {}
        }
        if table.stage() == GameStage::Roll
            && let Some(dice) = record.dice
        {
            table.replay_roll(dice, record.seat)?;
        }
        table.set_seats(record.seats);
        record.moves.iter().try_for_each(|&[from, to]| table.move_checker(from, to))?;
        if let Some((seat, points)) = record.resigned {
            table.resign(seat, points)?;
        }
        table.score = record.score;
        table.timing.dice_mode = record.dice_mode;
        if let Some(seed) = record.dice_seed {
            table.seed_dice(seed);
        }
        table.set_pace(record.pace)?;
        table.timing.is_held = record.is_held && table.awaits_computer();
        // A notice about an entered position is shown only when the position is entered.
        table.notice = None;
        let id = table.id();
        if (&id, table.state.player(), table.state.dice()) != (&record.id, record.seat, record.dice) {
            return Err(LabError::invalid("position", &record.id, format!("its turns lead to {id}")));
        }
        Ok(table)
    }

    /// Replays a double of the record. The start of the game can have an offered double.
    fn replay_double(&mut self) -> Result<(), LabError> {
        if self.stage() == GameStage::Doubled { Ok(()) } else { self.double() }
    }

    /// Replays the finished turn `turn` of the record: double, roll, moves and end of the turn.
    fn replay_turn(&mut self, turn: &RecordedTurn) -> Result<(), LabError> {
        if turn.doubled {
            self.replay_double()?;
            self.answer_double(true)?;
        }
        if self.stage() == GameStage::Roll
            && let Some(dice) = turn.dice
        {
            self.replay_roll(dice, turn.seat)?;
        }
        turn.moves.iter().try_for_each(|&[from, to]| self.move_checker(from, to))?;
        if self.state.player() != turn.seat || self.state.dice() != turn.dice {
            return Err(self.not_now("confirm_turn", "it is not this seat's turn, or not with these dice"));
        }
        self.confirm(turn.assessment())
    }

    /// Replays a roll of the record, given with the higher die first. In the opening roll, `seat`, the seat that
    /// starts, has the higher die.
    fn replay_roll(&mut self, [high, low]: [u8; 2], seat: u8) -> Result<(), LabError> {
        self.roll(Some(if seat == 0 { [high, low] } else { [low, high] }))
    }
}
