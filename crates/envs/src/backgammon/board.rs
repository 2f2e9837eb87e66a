//! The rules of moving: which checkers may move by a die, and what a move does. Sets of places are masks of
//! bits, so that all sources of a die are found at once.

use super::position::Position;
use super::side::{BAR, HOME, OFF, Side};

/// A position with the masks that the rules of moving read again and again.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) mine: Side,
    pub(crate) theirs: Side,
    /// The places where the player on roll has checkers.
    occupied: u32,
    /// The points where the opponent has two checkers or more, seen by the player on roll. No play changes
    /// them.
    blocked: u32,
    /// The points where the opponent has a single checker, seen by the player on roll.
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

    /// The places from which a checker may move by a die.
    #[inline]
    pub(crate) fn sources(&self, die: usize) -> u32 {
        sources(self.occupied, self.blocked, die)
    }

    /// The same for another die, once a checker has made a legal move.
    #[inline]
    pub(crate) fn sources_after(&self, from: usize, die: usize, next: usize) -> u32 {
        sources(self.occupied_after(from, die), self.blocked, next)
    }

    /// The places where the player on roll has checkers after a legal move of one.
    #[inline]
    fn occupied_after(&self, from: usize, die: usize) -> u32 {
        let leaves = u32::from(self.mine.count(from) == 1) << from;
        (self.occupied | 1 << from.saturating_sub(die)) & !leaves
    }

    /// The board after a legal move of one checker.
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

    /// A checker that comes to this place hits one.
    #[inline]
    pub(crate) fn hits(&self, to: usize) -> bool {
        self.blots >> to & 1 != 0
    }

    /// The opponent holds this place: no checker may come to it.
    pub(crate) fn blocks(&self, to: usize) -> bool {
        self.blocked >> to & 1 != 0
    }

    /// The most moves by this die that can be made one after another, up to `most`.
    pub(crate) fn longest(&self, die: usize, most: usize) -> usize {
        self.longest_below(die, most, BAR)
    }

    /// The same from sources that do not rise: any moves by one die can be made in this order.
    fn longest_below(&self, die: usize, most: usize, ceiling: usize) -> usize {
        let sources = self.sources(die) & up_to(ceiling);
        if sources.count_ones() as usize >= most {
            // Checkers on different places do not hinder each other.
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
    /// The places from which a checker of the player on roll can move by each of some dice, as bits.
    #[inline]
    pub fn sources<const N: usize>(&self, dice: [u8; N]) -> [u32; N] {
        let board = Board::new(self);
        dice.map(|die| board.sources(usize::from(die)))
    }
}

/// The places from which a checker may move by a die, where a player has some and the opponent holds some.
#[inline]
fn sources(occupied: u32, blocked: u32, die: usize) -> u32 {
    let open = occupied & !(blocked << die);
    if occupied >> BAR != 0 {
        // A checker on the bar has to enter before anything else moves.
        return open & 1 << BAR;
    }
    // Places above the die stay on the board.
    let mut sources = open & (u32::MAX << (die + 1));
    if occupied & !(HOME | 1 << OFF) == 0 {
        // All are home: a checker is borne off from the die's point, or from the highest one when that is lower.
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

/// The points of one player as the other one counts them.
#[inline]
fn opposite(points: u32) -> u32 {
    // Bit p goes to bit 31 − p, and from there to 25 − p.
    points.reverse_bits() >> 6
}

/// The highest bit of a mask alone; nothing of nothing.
#[inline]
fn highest_bit(mask: u32) -> u32 {
    if mask == 0 { 0 } else { 1 << mask.ilog2() }
}

/// The places up to one, as bits.
#[inline]
pub(crate) fn up_to(place: usize) -> u32 {
    (2 << place) - 1
}

/// The places of a mask from the highest down.
#[inline]
pub(crate) fn descending(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = mask.checked_ilog2()?;
        mask &= !(1 << place);
        Some(place as usize)
    })
}
