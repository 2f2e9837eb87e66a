//! A person's turn, checker by checker.

use super::board::{Board, descending};
use super::dice::Roll;
use super::notation::place_name;
use super::plays::{CheckerMove, Moves, Play};
use super::position::Position;
use super::side::{BAR, PLACES};

/// A turn under way: which checkers may be moved where with the dice that are left, so that the whole turn is
/// legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    before: Position,
    now: Position,
    roll: Roll,
    moves: Moves,
}

/// Where a checker may be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The place: 1 to 24, or [`OFF`](super::OFF).
    pub to: usize,
    /// The moves that bring it there, one for each die that it takes.
    pub moves: Moves,
}

/// A move that a turn does not allow; the turn is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// A place that the board does not have.
    #[error("there is no place {place}; a checker moves from the bar (25) or a point from 1 to 24")]
    Place {
        /// The place that was given.
        place: usize,
    },
    /// A checker that may not move there.
    #[error("with {dice} left, a checker may not move from {from} to {to}; it may move to {allowed}")]
    Move {
        /// From where.
        from: String,
        /// To where.
        to: String,
        /// The dice that are left.
        dice: String,
        /// Where it may move instead.
        allowed: String,
    },
}

/// The dice that are left of a roll, the higher one first.
type DiceLeft = ([u8; 4], usize);

impl Turn {
    /// The turn before its first move.
    pub fn new(position: Position, roll: Roll) -> Self {
        Self { before: position, now: position, roll, moves: Moves::NONE }
    }

    /// The position before the first move.
    pub fn before(&self) -> Position {
        self.before
    }

    /// The position after the moves made so far, seen by the player who makes them.
    pub fn position(&self) -> Position {
        self.now
    }

    /// The moves made so far.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// The dice that have not been played, the higher one first. Some may be left when the turn is complete.
    pub fn dice_left(&self) -> Vec<u8> {
        let (dice, len) = self.left();
        dice[..len].to_vec()
    }

    /// Nothing more can be moved: the turn may be handed over.
    pub fn is_complete(&self) -> bool {
        self.sources().is_empty()
    }

    /// The places from which a checker may be moved now, the highest first.
    pub fn sources(&self) -> Vec<usize> {
        let (dice, len) = self.left();
        let steps = steps(&Board::new(&self.now), &dice[..len]);
        (1..PLACES).rev().filter(|&place| steps.iter().any(|mask| mask >> place & 1 != 0)).collect()
    }

    /// Where a checker may be put from a place now, by one die or by several: fewer dice first, then the
    /// higher die. A place occurs twice when the two ways to it hit differently.
    pub fn targets(&self, from: usize) -> Vec<Target> {
        if !(1..PLACES).contains(&from) {
            return Vec::new();
        }
        let mut found: Vec<(Target, Position)> = Vec::new();
        let mut reached = vec![(from, *self, Moves::NONE)];
        while !reached.is_empty() {
            let mut further = Vec::new();
            for (place, turn, path) in reached {
                let (dice, len) = turn.left();
                let steps = steps(&Board::new(&turn.now), &dice[..len]);
                for die in (1..=6).rev().filter(|&die| steps[die] >> place & 1 != 0) {
                    let one = CheckerMove { from: place as u8, die: die as u8 };
                    let (Some(next), Some(moves)) = (turn.with(one), path.and(one)) else { continue };
                    let to = usize::from(one.to());
                    if !found.iter().any(|(target, position)| target.to == to && *position == next.now) {
                        found.push((Target { to, moves }, next.now));
                        further.push((to, next, moves));
                    }
                }
            }
            reached = further;
        }
        found.into_iter().map(|(target, _)| target).collect()
    }

    /// Moves a checker to a place that is among the [`targets`](Self::targets), by the first way to it.
    ///
    /// # Errors
    /// [`TurnError`] if it is not among them.
    pub fn advance(&mut self, from: usize, to: usize) -> Result<(), TurnError> {
        if let Some(&place) = [from, to].iter().find(|&&place| place > BAR) {
            return Err(TurnError::Place { place });
        }
        let targets = self.targets(from);
        let Some(target) = targets.iter().find(|target| target.to == to) else {
            let names: Vec<_> = targets.iter().map(|target| place_name(target.to)).collect();
            let dice: Vec<_> = self.dice_left().iter().map(u8::to_string).collect();
            let or_none = |names: Vec<String>, none: &str, joint: &str| {
                if names.is_empty() { none.to_owned() } else { names.join(joint) }
            };
            return Err(TurnError::Move {
                from: place_name(from),
                to: place_name(to),
                dice: or_none(dice, "no dice", " and "),
                allowed: or_none(names, "nowhere", " or "),
            });
        };
        *self = target.moves.iter().fold(*self, |turn, &one| turn.with(one).unwrap_or(turn));
        Ok(())
    }

    /// Takes back the last move, that of one die; `false` when there is none.
    pub fn undo(&mut self) -> bool {
        let Some((moves, _)) = self.moves.without_last() else { return false };
        let start = Self::new(self.before, self.roll);
        *self = moves.iter().fold(start, |turn, &one| turn.with(one).unwrap_or(turn));
        true
    }

    /// The whole turn as a play, once it is complete.
    pub fn play(&self) -> Option<Play> {
        self.is_complete().then_some(Play { after: self.now, moves: self.moves })
    }

    /// The turn with one more move, which must be legal; `None` after four.
    fn with(self, one: CheckerMove) -> Option<Self> {
        let now = self.now.moved(usize::from(one.from), usize::from(one.die));
        Some(Self { now, moves: self.moves.and(one)?, ..self })
    }

    /// The dice that have not been played.
    fn left(&self) -> DiceLeft {
        let (high, low) = (self.roll.high(), self.roll.low());
        if self.roll.is_double() {
            return ([high; 4], 4 - self.moves.len());
        }
        match *self.moves {
            [] => ([high, low, 0, 0], 2),
            [one] => ([if one.die == high { low } else { high }, 0, 0, 0], 1),
            _ => ([0; 4], 0),
        }
    }
}

/// For each die that is left, the places from which it may be played so that the whole turn is legal, as
/// bits; the list is indexed by what a die shows.
fn steps(board: &Board, dice: &[u8]) -> [u32; 7] {
    let mut steps = [0; 7];
    let most = most_moves(board, dice);
    for (at, &die) in dice.iter().enumerate() {
        let die = usize::from(die);
        // Only the higher die, the first of the list, when one alone can be played.
        if steps[die] != 0 || (most == 1 && steps.iter().any(|&mask| mask != 0)) {
            continue;
        }
        let rest: Vec<u8> = [&dice[..at], &dice[at + 1..]].concat();
        for from in descending(board.sources(die)) {
            if 1 + most_moves(&board.moved(from, die), &rest) == most {
                steps[die] |= 1 << from;
            }
        }
    }
    steps
}

/// The most of these dice that can be played: up to four equal ones, or two different ones.
fn most_moves(board: &Board, dice: &[u8]) -> usize {
    match *dice {
        [] => 0,
        [die] => usize::from(board.sources(usize::from(die)) != 0),
        [high, low] if high != low => {
            let both = |first: u8, second: u8| {
                let after = |from| board.moved(from, first.into()).sources(second.into());
                descending(board.sources(first.into())).map(|from| 1 + usize::from(after(from) != 0)).max()
            };
            both(high, low).max(both(low, high)).unwrap_or(0)
        }
        [die, ..] => board.longest(die.into(), dice.len()),
    }
}
