//! Interactive turn, in which a user moves checker by checker.

use super::board::{Board, descending};
use super::dice::Roll;
use super::notation::place_name;
use super::plays::{CheckerMove, Moves, Play};
use super::position::Position;
use super::side::{BAR, OFF, PLACES};

/// A turn in progress. The turn offers only moves after which a legal play of the whole roll remains possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    before: Position,
    now: Position,
    roll: Roll,
    moves: Moves,
}

/// A legal destination of a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTarget {
    /// Destination: point 1 to 24, or [`OFF`](super::OFF).
    pub to: usize,
    /// Moves that take the checker to the destination, one move per die.
    pub moves: Moves,
}

/// Illegal move. The turn is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The source or destination is not off (0), a point (1 to 24) or the bar (25).
    #[error("there is no point {place}; a checker moves from the bar (25) or a point from 1 to 24")]
    Place {
        /// The invalid source or destination.
        place: usize,
    },
    /// The source has no checker of the player on roll.
    #[error("no checker on {from}")]
    NoChecker {
        /// Notation of the point or bar from which a checker should move.
        from: String,
    },
    /// The move is not legal with the remaining dice.
    #[error("with {dice} left, a checker may not move from {from} to {to}; {allowed}")]
    Move {
        /// Notation of the point or bar from which the checker should move.
        from: String,
        /// Notation of the point to which the checker should move, or `off`.
        to: String,
        /// Remaining dice, as text.
        dice: String,
        /// Sentence about the legal destinations of the checker.
        allowed: String,
    },
}

/// Dice of a roll that have not been played, higher die first, and the number of these dice.
type DiceLeft = ([u8; 4], usize);

impl Turn {
    /// Starts a turn in which no move has been made.
    pub fn new(position: Position, roll: Roll) -> Self {
        Self { before: position, now: position, roll, moves: Moves::NONE }
    }

    /// Returns the position before the first move.
    pub fn before(&self) -> Position {
        self.before
    }

    /// Returns the position after the moves made so far, from the view of the player who moves.
    pub fn position(&self) -> Position {
        self.now
    }

    /// Returns the moves made so far.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// Returns the remaining dice, higher die first. Dice that cannot be played remain in a complete turn.
    pub fn dice_left(&self) -> Vec<u8> {
        let (dice, len) = self.left();
        dice[..len].to_vec()
    }

    /// Returns whether no further move is possible.
    pub fn is_complete(&self) -> bool {
        self.sources().is_empty()
    }

    /// Returns the points (25: the bar) from which a checker can move now, highest first.
    pub fn sources(&self) -> Vec<usize> {
        let (dice, len) = self.left();
        let sources = legal_sources(&Board::new(&self.now), &dice[..len]);
        (1..PLACES).rev().filter(|&place| sources.iter().any(|mask| mask >> place & 1 != 0)).collect()
    }

    /// Returns the destinations that a checker on point `from` (25: the bar) can reach with one or several dice,
    /// ordered by the number of dice and then from the higher to the lower die. A destination occurs twice if two paths
    /// to it hit different blots.
    pub fn targets(&self, from: usize) -> Vec<MoveTarget> {
        if !(1..PLACES).contains(&from) {
            return Vec::new();
        }
        let mut found: Vec<(MoveTarget, Position)> = Vec::new();
        let mut reached = vec![(from, *self, Moves::NONE)];
        while !reached.is_empty() {
            let mut further = Vec::new();
            for (place, turn, path) in reached {
                let (dice, len) = turn.left();
                let sources = legal_sources(&Board::new(&turn.now), &dice[..len]);
                for die in (1..=6).rev().filter(|&die| sources[die] >> place & 1 != 0) {
                    let one = CheckerMove { from: place as u8, die: die as u8 };
                    let (Some(next), Some(moves)) = (turn.with(one), path.and(one)) else { continue };
                    let to = usize::from(one.to());
                    if !found.iter().any(|(target, position)| target.to == to && *position == next.now) {
                        found.push((MoveTarget { to, moves }, next.now));
                        further.push((to, next, moves));
                    }
                }
            }
            reached = further;
        }
        found.into_iter().map(|(target, _)| target).collect()
    }

    /// Moves a checker to one of its [`targets`](Self::targets), along the first path in that list.
    ///
    /// # Errors
    /// [`TurnError`] if the destination is not legal.
    pub fn advance(&mut self, from: usize, to: usize) -> Result<(), TurnError> {
        if let Some(&place) = [from, to].iter().find(|&&place| place > BAR) {
            return Err(TurnError::Place { place });
        }
        if from == OFF || self.now.mine().count(from) == 0 {
            return Err(TurnError::NoChecker { from: place_name(from) });
        }
        let targets = self.targets(from);
        let Some(target) = targets.iter().find(|target| target.to == to) else {
            let names: Vec<_> = targets.iter().map(|target| place_name(target.to)).collect();
            let dice: Vec<_> = self.dice_left().iter().map(u8::to_string).collect();
            return Err(TurnError::Move {
                from: place_name(from),
                to: place_name(to),
                dice: if dice.is_empty() { "no dice".to_owned() } else { dice.join(" and ") },
                allowed: if names.is_empty() {
                    "this checker has no legal move".to_owned()
                } else {
                    format!("it may move to {}", names.join(" or "))
                },
            });
        };
        *self = target.moves.iter().fold(*self, |turn, &one| turn.with(one).unwrap_or(turn));
        Ok(())
    }

    /// Takes back the last move of one die. Returns `false` if no move has been made.
    pub fn undo(&mut self) -> bool {
        let Some((moves, _)) = self.moves.without_last() else { return false };
        let start = Self::new(self.before, self.roll);
        *self = moves.iter().fold(start, |turn, &one| turn.with(one).unwrap_or(turn));
        true
    }

    /// Returns the turn as a play, or `None` if the turn is not complete.
    pub fn play(&self) -> Option<Play> {
        self.is_complete().then_some(Play { after: self.now, moves: self.moves })
    }

    /// Returns the turn after one more legal move by one die; `None` if four moves have been made.
    fn with(self, one: CheckerMove) -> Option<Self> {
        let now = self.now.moved(usize::from(one.from), usize::from(one.die));
        Some(Self { now, moves: self.moves.and(one)?, ..self })
    }

    /// Returns the dice that have not been played, higher die first.
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

/// Returns the bit mask of legal sources (points, bar) for each number that a die can show, indexed by that number. A
/// source is legal if a legal play of the whole turn remains possible after the move.
fn legal_sources(board: &Board, dice: &[u8]) -> [u32; 7] {
    let mut sources = [0; 7];
    let most = most_moves(board, dice);
    for (at, &die) in dice.iter().enumerate() {
        let die = usize::from(die);
        // If only one die can be played, the higher die must be played. It is first in `dice`.
        if sources[die] != 0 || (most == 1 && sources.iter().any(|&mask| mask != 0)) {
            continue;
        }
        let rest: Vec<u8> = [&dice[..at], &dice[at + 1..]].concat();
        for from in descending(board.sources(die)) {
            if 1 + most_moves(&board.moved(from, die), &rest) == most {
                sources[die] |= 1 << from;
            }
        }
    }
    sources
}

/// Returns the maximum number of dice that the player on roll can play. `dice` holds up to four equal dice, or two
/// different dice.
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
