//! Move generation: all legal plays of a roll, one for each resulting position.
//!
//! A play is legal if no other play uses more dice. If only one of two dice can be played, the higher die must be
//! played if possible. The generator produces each resulting position once, without comparing positions:
//!
//! - *Doubles*: sources are non-increasing. Any legal sequence can be reordered this way, because moving the rearmost
//!   checker first never blocks another checker. Different multisets of sources lead to different positions.
//! - *Two dice*: a play is a source of the higher die and a source of the lower die. Two such pairs of sources lead to
//!   the same position in two cases only: one checker moves by both dice without an intermediate hit, or two checkers
//!   are borne off and either die can bear off either checker.

use super::board::{Board, descending, up_to};
use super::dice::Roll;
use super::position::Position;

/// Upper bound of the number of plays of a roll: a double distributes four moves over 15 checkers in
/// (4 + 14 choose 14) ways.
pub const MAX_PLAYS: usize = 3060;

/// A move of one checker by one die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CheckerMove {
    /// Source of the move: point 1 to 24, or [`BAR`](super::BAR).
    pub from: u8,
    /// Distance of the move in pips: the number that the die shows.
    pub die: u8,
}

impl CheckerMove {
    /// Returns the destination of the move: point 1 to 24, or [`OFF`](super::OFF).
    #[inline]
    pub fn to(self) -> u8 {
        self.from.saturating_sub(self.die)
    }
}

/// List of up to four checker moves, in a playable order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Moves {
    moves: [CheckerMove; 4],
    len: u8,
}

impl Moves {
    /// Empty list of moves.
    pub const NONE: Self = Self { moves: [CheckerMove { from: 0, die: 0 }; 4], len: 0 };

    /// Returns the moves of a double: one by `die` from each of the first `len` sources.
    #[inline]
    fn of_double(sources: [u8; 4], die: u8, len: usize) -> Self {
        let mut moves = Self::NONE;
        moves.len = len as u8;
        for (to, &from) in moves.moves.iter_mut().zip(&sources[..len]) {
            *to = CheckerMove { from, die };
        }
        moves
    }

    /// Returns the play that consists of one move, by `die` from the source `from`.
    #[inline]
    fn one(from: usize, die: u8) -> Self {
        Self::of_double([from as u8, 0, 0, 0], die, 1)
    }

    /// Returns the play that consists of two moves, given the source and die of each.
    #[inline]
    fn two(first: (usize, u8), second: (usize, u8)) -> Self {
        let [first, second] = [first, second].map(|(from, die)| CheckerMove { from: from as u8, die });
        Self { moves: [first, second, CheckerMove::default(), CheckerMove::default()], len: 2 }
    }

    /// Returns the moves with `next` appended; `None` if there are four moves already.
    pub fn and(mut self, next: CheckerMove) -> Option<Self> {
        *self.moves.get_mut(usize::from(self.len))? = next;
        self.len += 1;
        Some(self)
    }

    /// Returns the moves without the last one, and the last move; `None` if there are no moves.
    pub(crate) fn without_last(mut self) -> Option<(Self, CheckerMove)> {
        self.len = self.len.checked_sub(1)?;
        let last = std::mem::take(&mut self.moves[usize::from(self.len)]);
        Some((self, last))
    }
}

impl std::ops::Deref for Moves {
    type Target = [CheckerMove];

    #[inline]
    fn deref(&self) -> &[CheckerMove] {
        &self.moves[..usize::from(self.len)]
    }
}

impl std::fmt::Debug for Moves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(|one| format!("{}/{}", one.from, one.to()))).finish()
    }
}

/// A legal play of a whole roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play {
    /// Resulting position, from the view of the player who made the play. The opponent is on roll in its [mirror
    /// image](Position::mirrored).
    pub after: Position,
    /// Moves of the play; empty if no checker can move.
    pub moves: Moves,
}

/// All legal plays of a roll. Refilling the list does not allocate.
pub struct Plays {
    roll: Roll,
    plays: Vec<Play>,
}

impl Plays {
    /// Allocates an empty list with capacity for the plays of any roll.
    pub fn new() -> Self {
        Self { roll: Roll::ALL[0], plays: Vec::with_capacity(MAX_PLAYS) }
    }

    /// Replaces the list by all legal plays of a roll, one for each resulting position. The list has at least one play,
    /// which is empty if no checker can move.
    pub fn generate(&mut self, position: &Position, roll: Roll) {
        self.roll = roll;
        self.plays.clear();
        let plays = &mut self.plays;
        let mut emit = |after: &Board, moves: Moves| {
            debug_assert!(plays.len() < MAX_PLAYS);
            plays.push(Play { after: after.position(), moves });
        };
        let board = Board::new(position);
        if roll.is_double() {
            double(&board, roll.high(), emit);
        } else {
            let moved = |board: Board, one: &CheckerMove| board.moved(one.from.into(), one.die.into());
            two_dice(&board, roll, |moves| emit(&moves.iter().fold(board, moved), moves));
        }
    }

    /// Returns the roll for which the plays were generated.
    pub fn roll(&self) -> Roll {
        self.roll
    }
}

impl Default for Plays {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for Plays {
    type Target = [Play];

    fn deref(&self) -> &[Play] {
        &self.plays
    }
}

/// Calls `emit` with the moves of each legal play of a roll of two different dice.
#[inline]
pub(crate) fn two_dice(board: &Board, roll: Roll, mut emit: impl FnMut(Moves)) {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    // `after_high[first]`: mask of the sources of the lower die after the higher die is played from `first`.
    // `before_low[second]`: mask of the sources of the higher die that the first loop combined with `second`.
    let mut after_high = [0u32; 32];
    let mut before_low = [0u32; 32];
    // Returns, for source `first` of the higher die, a mask of sources of the lower die. A pair of sources in the mask
    // leads to the same position as a pair with a higher source of the higher die.
    let redundant_seconds = |after_high: &[u32; 32], first: usize| {
        // First case: one checker moves by both dice, in either order.
        let start = first + low;
        let detour = start.saturating_sub(high);
        let same = after_high[start] >> detour & 1 != 0;
        let mut redundant =
            u32::from(same && detour > 0 && !board.hits(first) && !board.hits(detour)) << start;
        // Second case: two checkers are borne off, and either die can bear off either checker.
        for (second, firsts) in after_high[..=low].iter().enumerate().skip(first + 1) {
            redundant |= (firsts >> first & 1) << second;
        }
        redundant
    };

    let mut any = false;
    for first in descending(board.sources(high)) {
        let seconds = board.sources_after(first, high, low);
        any |= seconds != 0;
        after_high[first] = seconds;
        let redundant = redundant_seconds(&after_high, first);
        for second in descending(seconds) {
            before_low[second] |= 1 << first;
            if redundant >> second & 1 == 0 {
                emit(Moves::two((first, roll.high()), (second, roll.low())));
            }
        }
    }
    for second in descending(board.sources(low)) {
        let firsts = board.sources_after(second, low, high);
        any |= firsts != 0;
        for first in descending(firsts & !before_low[second]) {
            if redundant_seconds(&after_high, first) >> second & 1 == 0 {
                emit(Moves::two((second, roll.low()), (first, roll.high())));
            }
        }
    }
    if any {
        return;
    }

    // At most one die can be played: the higher die if possible.
    for (die, shown) in [(high, roll.high()), (low, roll.low())] {
        for from in descending(board.sources(die)) {
            any = true;
            emit(Moves::one(from, shown));
        }
        if any {
            return;
        }
    }
    emit(Moves::NONE);
}

/// Calls `emit` with the resulting board and the moves of each legal play of a double of `die`.
fn double(board: &Board, die: u8, mut emit: impl FnMut(&Board, Moves)) {
    let len = board.longest(usize::from(die), 4);
    descend(board, die, up_to(super::BAR), 0, len, &mut [0; 4], &mut emit);
}

/// Calls `emit` with the moves of each legal half of a double: two moves, or fewer if no second move is possible. Omits
/// halves after which fewer than `rest` further moves are possible. `rest` is 0 for the second half.
#[inline]
pub(crate) fn half_double(board: &Board, die: u8, rest: usize, mut emit: impl FnMut(Moves)) {
    let by = usize::from(die);
    let sources = board.sources(by);
    if sources == 0 {
        return emit(Moves::NONE);
    }
    if board.longest(by, 2) == 1 {
        return descending(sources).for_each(|from| emit(Moves::one(from, die)));
    }
    for first in descending(sources) {
        let between = board.moved(first, by);
        for second in descending(between.sources(by) & up_to(first)) {
            if rest == 0 || between.moved(second, by).longest(by, rest) == rest {
                emit(Moves::two((first, die), (second, die)));
            }
        }
    }
}

/// Calls `emit` with the resulting board and the moves of every sequence of `len` moves by `die` whose sources do not
/// increase. The first `depth` moves have the sources in `sources`, and `board` is the board after these moves. The
/// next source is in the bit mask `allowed`.
fn descend(
    board: &Board,
    die: u8,
    allowed: u32,
    depth: usize,
    len: usize,
    sources: &mut [u8; 4],
    emit: &mut impl FnMut(&Board, Moves),
) {
    if depth == len {
        emit(board, Moves::of_double(*sources, die, len));
        return;
    }
    for from in descending(board.sources(usize::from(die)) & allowed) {
        sources[depth] = from as u8;
        descend(&board.moved(from, usize::from(die)), die, up_to(from), depth + 1, len, sources, emit);
    }
}
