//! A table as it is written down, and set up again from that.
//!
//! A game is written as a score sheet is: how it began, what was rolled, what was moved. Setting it up plays it again by the
//! rules, so that no file can put a game on the table that could not have been played there.

use super::{PlayAssessment, TableState};
use crate::protocol::{DiceMode, GameMove, GameOutcome, GamePlayer, GamePosition, GameStage, GameTurn};
use crate::rules::TableGame;
use serde::{Deserialize, Serialize};
use vivarium_lab::error::LabError;

/// The longest game that is set up again: Connect Four has 42 turns, and games of backgammon some 60.
const MOST_TURNS: usize = 5000;

/// Everything about a table that a person sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    game: u32,
    /// Who was to begin, or whose turn it was in the position that was entered.
    first: Option<u8>,
    /// The position that was entered, and what was rolled then.
    entered: Option<(GamePosition, Option<[u8; 2]>)>,
    turns: Vec<RecordedTurn>,
    /// What is rolled for the turn under way, and what of it is played.
    dice: Option<[u8; 2]>,
    moves: Vec<[u8; 2]>,
    /// Who gave the game up, and for how many points.
    resigned: Option<(u8, u32)>,
    /// The position under way: it must come of all that.
    id: String,
    /// Whose turn it is there.
    seat: u8,
    seats: [GamePlayer; 2],
    score: [u32; 2],
    dice_mode: DiceMode,
    /// What the dice fall by, if not by the seed of the run.
    #[serde(default)]
    dice_seed: Option<u32>,
    pace: Option<f32>,
}

/// A turn of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RecordedTurn {
    seat: u8,
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
        let GameTurn { seat, dice, moves, lost, best, equity, .. } = seen.clone();
        Self { seat, dice, moves: ways(&moves), lost, best, equity }
    }

    fn assessment(&self) -> PlayAssessment {
        let equity = self.equity.map(|equity| if self.seat == 0 { equity } else { -equity });
        PlayAssessment { lost: self.lost, best: self.best.clone(), equity }
    }
}

impl<G: TableGame> TableState<G> {
    /// The table written down.
    pub(crate) fn record(&self) -> GameRecord {
        let of_loser = |outcome: &GameOutcome| outcome.winner.map(|winner| (1 - winner, outcome.points));
        GameRecord {
            game: self.game,
            first: self.first,
            entered: self.entered.clone(),
            turns: self.past.iter().map(|past| RecordedTurn::of(&past.seen)).collect(),
            dice: self.state.dice(),
            moves: self.turn.as_ref().map(|turn| ways(&G::made(turn))).unwrap_or_default(),
            resigned: self.outcome.as_ref().filter(|_| self.state.outcome().is_none()).and_then(of_loser),
            id: self.state.id(&self.line),
            seat: self.state.player(),
            seats: self.seats,
            score: self.score,
            dice_mode: self.timing.dice_mode,
            dice_seed: self.dice_seed,
            pace: self.timing.pace,
        }
    }

    /// The table that was written down.
    ///
    /// # Errors
    /// [`LabError`] saying where the record breaks the rules.
    pub(crate) fn of_record(seed: u64, record: &GameRecord) -> Result<Self, LabError> {
        if record.turns.len() > MOST_TURNS {
            let allowed = format!("a game of at most {MOST_TURNS} turns");
            return Err(LabError::invalid("turns", record.turns.len().to_string(), allowed));
        }
        // Whoever played, a person's moves are checked one by one.
        let mut table = Self::new(seed, [GamePlayer::Person; 2]);
        match &record.entered {
            Some((position, dice)) => table.set_position(position, record.first, *dice)?,
            None => {
                table.game = record.game.wrapping_sub(1);
                table.new_game(table.seats, record.first)?;
            }
        }
        table.game = record.game;
        for (number, turn) in record.turns.iter().enumerate() {
            let in_turn = |error| {
                LabError::invalid(format!("turn {number}"), format!("{:?}", turn.moves), format!("{error}"))
            };
            table.play_again(turn).map_err(in_turn)?;
        }
        if table.stage() == GameStage::Roll
            && let Some(dice) = record.dice
        {
            table.fall_again(dice, record.seat)?;
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
        let id = table.state.id(&table.line);
        if (&id, table.state.player(), table.state.dice()) != (&record.id, record.seat, record.dice) {
            return Err(LabError::invalid("position", &record.id, format!("its turns lead to {id}")));
        }
        Ok(table)
    }

    /// Plays a turn of a record.
    fn play_again(&mut self, turn: &RecordedTurn) -> Result<(), LabError> {
        if self.stage() == GameStage::Roll
            && let Some(dice) = turn.dice
        {
            self.fall_again(dice, turn.seat)?;
        }
        turn.moves.iter().try_for_each(|&[from, to]| self.move_checker(from, to))?;
        if self.state.player() != turn.seat || self.state.dice() != turn.dice {
            return Err(self.not_now("confirm_turn", "it is not this seat's turn, or not with these dice"));
        }
        self.confirm(turn.assessment())
    }

    /// Rolls what was rolled; of an opening, the higher die was that of the seat that began.
    fn fall_again(&mut self, [high, low]: [u8; 2], seat: u8) -> Result<(), LabError> {
        self.roll(Some(if seat == 0 { [high, low] } else { [low, high] }))
    }
}
