//! All plays of a roll, one for each position that they lead to.
//!
//! A play is legal when no play uses more dice, and, where one die alone can be played but either would do,
//! when it is the higher. Plays are made so that no two lead to the same position, so nothing has to be
//! compared:
//!
//! - In a *double*, sources do not rise. Whatever can be played in some order can be played in this one, as
//!   moving the rearmost checker first never hinders another; and different sets of sources lead to different
//!   positions.
//! - With *two dice*, a play is the source of the higher die and that of the lower. Two such pairs lead to
//!   the same position in two cases alone: one checker moves by both dice and hits nothing between, or two
//!   checkers are borne off, each of them by either die.

use super::board::{Board, descending, up_to};
use super::dice::Roll;
use super::position::Position;

/// The most plays that a roll can have: in a double, four moves shared out among fifteen checkers in one of
/// (4 + 14 choose 14) ways.
pub const MAX_PLAYS: usize = 3060;

/// One checker moved by one die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CheckerMove {
    /// From where: 1 to 24, or [`BAR`](super::BAR).
    pub from: u8,
    /// By how many pips.
    pub die: u8,
}

impl CheckerMove {
    /// To where: 1 to 24, or [`OFF`](super::OFF).
    #[inline]
    pub fn to(self) -> u8 {
        self.from.saturating_sub(self.die)
    }
}

/// Up to four moves, in an order in which they can be made.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Moves {
    moves: [CheckerMove; 4],
    len: u8,
}

impl Moves {
    /// No move.
    pub const NONE: Self = Self { moves: [CheckerMove { from: 0, die: 0 }; 4], len: 0 };

    /// The moves of equal dice from the first `len` sources.
    #[inline]
    fn of_double(sources: [u8; 4], die: u8, len: usize) -> Self {
        let mut moves = Self::NONE;
        moves.len = len as u8;
        for (to, &from) in moves.moves.iter_mut().zip(&sources[..len]) {
            *to = CheckerMove { from, die };
        }
        moves
    }

    /// One move.
    #[inline]
    fn one(from: usize, die: u8) -> Self {
        Self::of_double([from as u8, 0, 0, 0], die, 1)
    }

    /// One move and then another.
    #[inline]
    fn two(first: (usize, u8), second: (usize, u8)) -> Self {
        let [first, second] = [first, second].map(|(from, die)| CheckerMove { from: from as u8, die });
        Self { moves: [first, second, CheckerMove::default(), CheckerMove::default()], len: 2 }
    }

    /// These moves and one more; `None` after four.
    pub fn and(mut self, next: CheckerMove) -> Option<Self> {
        *self.moves.get_mut(usize::from(self.len))? = next;
        self.len += 1;
        Some(self)
    }

    /// These moves without the last one, and that one.
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
    /// The position that it leads to, still seen by the player who made it. The opponent is on roll in its
    /// [mirror image](Position::mirrored).
    pub after: Position,
    /// Its moves. None when no checker can move.
    pub moves: Moves,
}

/// All plays of a roll. Made once and filled again for every roll, it allocates nothing.
pub struct Plays {
    roll: Roll,
    plays: Vec<Play>,
}

impl Plays {
    /// Room for as many plays as a roll can have.
    pub fn new() -> Self {
        Self { roll: Roll::ALL[0], plays: Vec::with_capacity(MAX_PLAYS) }
    }

    /// Fills the list with all plays of a roll, one for each position that they lead to: at least one, which
    /// is without moves when no checker can move.
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

    /// The roll whose plays these are.
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

/// All plays of two different dice.
#[inline]
pub(crate) fn two_dice(board: &Board, roll: Roll, mut emit: impl FnMut(Moves)) {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    // For each source of the higher die, those of the lower one after it; and the other way round.
    let mut after_high = [0u32; 32];
    let mut before_low = [0u32; 32];
    // Of a source of the higher die, those of the lower one with which it leads where another pair of sources does.
    let doubles_of_others = |after_high: &[u32; 32], first: usize| {
        // The checker of the lower die goes on by the higher one; or it moves by the higher one first.
        let start = first + low;
        let detour = start.saturating_sub(high);
        let same = after_high[start] >> detour & 1 != 0;
        let mut doubles = u32::from(same && detour > 0 && !board.hits(first) && !board.hits(detour)) << start;
        // Both checkers are borne off; or the rear one by the higher die.
        for (second, firsts) in after_high[..=low].iter().enumerate().skip(first + 1) {
            doubles |= (firsts >> first & 1) << second;
        }
        doubles
    };

    let mut any = false;
    for first in descending(board.sources(high)) {
        let seconds = board.sources_after(first, high, low);
        any |= seconds != 0;
        after_high[first] = seconds;
        let doubles = doubles_of_others(&after_high, first);
        for second in descending(seconds) {
            before_low[second] |= 1 << first;
            if doubles >> second & 1 == 0 {
                emit(Moves::two((first, roll.high()), (second, roll.low())));
            }
        }
    }
    for second in descending(board.sources(low)) {
        let firsts = board.sources_after(second, low, high);
        any |= firsts != 0;
        for first in descending(firsts & !before_low[second]) {
            if doubles_of_others(&after_high, first) >> second & 1 == 0 {
                emit(Moves::two((second, roll.low()), (first, roll.high())));
            }
        }
    }
    if any {
        return;
    }

    // One die at most can be played: the higher one if it can.
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

/// All plays of four equal dice.
fn double(board: &Board, die: u8, mut emit: impl FnMut(&Board, Moves)) {
    let len = board.longest(usize::from(die), 4);
    descend(board, die, up_to(super::BAR), 0, len, &mut [0; 4], &mut emit);
}

/// All first halves of a double after which `rest` more moves can be made: of two moves, or of as many as there can be.
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

/// All sequences of moves that go on from the first `depth` sources to `len` of them, none from a source
/// above the one before.
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
