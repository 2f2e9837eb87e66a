//! Move rules: legal sources of a die, and the effect of a move. A *source* is the point or bar from which a checker
//! moves. Sets of points are bit masks: bits 1 to 24 are points, bit 25 is the bar, bit 0 holds checkers borne off. A
//! few bit operations find all sources of a die.

use super::position::Position;
use super::side::{BAR, HOME, OFF, Side};

/// Backgammon position with precomputed bit masks of points, for move generation.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) mine: Side,
    pub(crate) theirs: Side,
    /// Bit mask of the points that the player on roll occupies: bit 0 off, bits 1 to 24 points, bit 25 bar.
    occupied: u32,
    /// Bit mask of points that the opponent has made (at least two checkers), in the numbering of the player on roll.
    /// Plays do not change the mask.
    blocked: u32,
    /// Bit mask of points with a single checker of the opponent (a blot), in the numbering of the player on roll.
    blots: u32,
}

impl Board {
    #[inline]
    pub(crate) fn new(position: &Position) -> Self {
        let Position { mine, theirs } = *position;
        let points = |mask: u32| mask & !(1 << OFF | 1 << BAR);
        let made = theirs.made();
        Self {
            mine,
            theirs,
            occupied: mine.occupied(),
            blocked: opposite(points(made)),
            blots: opposite(points(theirs.occupied() & !made)),
        }
    }

    #[inline]
    pub(crate) fn position(&self) -> Position {
        Position { mine: self.mine, theirs: self.theirs }
    }

    /// Returns the bit mask of the sources (points or bar) from which a checker can legally move by `die`.
    #[inline]
    pub(crate) fn sources(&self, die: usize) -> u32 {
        sources(self.occupied, self.blocked, die)
    }

    /// Returns the bit mask of the legal sources (points or bar) of die `next` after a legal move by `die` from source
    /// `from`.
    #[inline]
    pub(crate) fn sources_after(&self, from: usize, die: usize, next: usize) -> u32 {
        sources(self.occupied_after(from, die), self.blocked, next)
    }

    /// Returns the bit mask of the points that the player on roll occupies after a legal move: bit 0 off, bits 1 to 24
    /// points, bit 25 bar.
    #[inline]
    fn occupied_after(&self, from: usize, die: usize) -> u32 {
        let leaves = u32::from(self.mine.count(from) == 1) << from;
        (self.occupied | 1 << from.saturating_sub(die)) & !leaves
    }

    /// Returns the board after a legal move of one checker by `die` from source `from`.
    #[inline]
    pub(crate) fn moved(&self, from: usize, die: usize) -> Self {
        let to = from.saturating_sub(die);
        let mut next = *self;
        next.mine = self.mine.moved(from, to);
        next.occupied = self.occupied_after(from, die);
        if self.hits(to) {
            next.blots &= !(1 << to);
            next.theirs = self.theirs.moved(BAR - to, BAR);
        }
        next
    }

    /// Returns whether a move of the player on roll to point `to` hits a blot (single checker) of the opponent.
    #[inline]
    pub(crate) fn hits(&self, to: usize) -> bool {
        self.blots >> to & 1 != 0
    }

    /// Returns whether the opponent has made point `to` (at least two checkers).
    pub(crate) fn blocks(&self, to: usize) -> bool {
        self.blocked >> to & 1 != 0
    }

    /// Returns the maximum number of consecutive moves by `die` that the player on roll can make, limited to `most`.
    pub(crate) fn longest(&self, die: usize, most: usize) -> usize {
        self.longest_below(die, most, BAR)
    }

    /// Returns the maximum number of consecutive moves by `die`, limited to `most`, among the sequences whose sources
    /// do not increase and are at most `ceiling`. Any sequence of moves by one die can be reordered such that its
    /// sources do not increase.
    fn longest_below(&self, die: usize, most: usize, ceiling: usize) -> usize {
        let sources = self.sources(die) & up_to(ceiling);
        if sources.count_ones() as usize >= most {
            // Checkers on different points move independently.
            return most;
        }
        let mut longest = 0;
        for from in descending(sources) {
            longest = longest.max(1 + self.moved(from, die).longest_below(die, most - 1, from));
            if longest == most {
                break;
            }
        }
        longest
    }
}

impl Position {
    /// Returns, for each of `dice`, the bit mask of the sources (points or bar) from which the player on roll can
    /// legally move a checker.
    #[inline]
    pub fn sources<const N: usize>(&self, dice: [u8; N]) -> [u32; N] {
        let board = Board::new(self);
        dice.map(|die| board.sources(usize::from(die)))
    }
}

/// Returns the bit mask of the legal sources (points or bar) of a die. `occupied` is the bit mask of the points that
/// the player on roll occupies, `blocked` the bit mask of the points that the opponent has made.
#[inline]
fn sources(occupied: u32, blocked: u32, die: usize) -> u32 {
    let open = occupied & !(blocked << die);
    if occupied >> BAR != 0 {
        // Checkers on the bar have to enter first.
        return open & 1 << BAR;
    }
    // A checker on a point above the die's number stays on the board.
    let mut sources = open & (u32::MAX << (die + 1));
    if occupied & !(HOME | 1 << OFF) == 0 {
        // All checkers are home: bear off from the point with the die's number, or from the highest occupied point if
        // that point is lower.
        let home = occupied & HOME;
        let at_most = home & !(u32::MAX << (die + 1));
        if home == at_most {
            sources |= highest_bit(home);
        } else {
            sources |= home & 1 << die;
        }
    }
    sources
}

/// Converts a bit mask of points to the other player's numbering: point p becomes 25 − p.
#[inline]
fn opposite(points: u32) -> u32 {
    // Bit p moves to bit 31 − p, then to bit 25 − p.
    points.reverse_bits() >> 6
}

/// Returns a mask with only the highest set bit of `mask`, or 0 if no bit is set.
#[inline]
fn highest_bit(mask: u32) -> u32 {
    if mask == 0 { 0 } else { 1 << mask.ilog2() }
}

/// Returns a bit mask in which bits 0 to `place` are set.
#[inline]
pub(crate) fn up_to(place: usize) -> u32 {
    (2 << place) - 1
}

/// Iterates over the set bits of a mask, highest first.
#[inline]
pub(crate) fn descending(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = mask.checked_ilog2()?;
        mask &= !(1 << place);
        Some(place as usize)
    })
}
