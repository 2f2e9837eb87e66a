//! Encoding of a backgammon decision as the index of an action, for a policy network.

use super::dice::Roll;
use super::plays::Moves;
use super::side::PLACES;

/// Number of actions of the policy: 26 · 26, one of 26 sources (none, points 1 to 24, bar) for each of two dice.
pub const ACTIONS: usize = PLACES * PLACES;

/// Action of a policy: the source (point or bar) of the move by the higher die, and the source of the move by the lower
/// die. Source 0 means that the die is not played. The order of the two moves is irrelevant.
///
/// The four moves of a double are two successive actions of up to two moves each. The first source of such an action is
/// not lower than the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action(u16);

impl Action {
    /// Returns the action with an index below [`ACTIONS`]; `None` for a larger index.
    pub fn new(index: usize) -> Option<Self> {
        (index < ACTIONS).then_some(Self(index as u16))
    }

    /// Returns the action with the given sources for the higher and the lower die. Source 0 means that the die is not
    /// played.
    #[inline]
    pub(crate) fn of_sources(high: u8, low: u8) -> Self {
        debug_assert!(usize::from(high.max(low)) < PLACES);
        Self(u16::from(high) * PLACES as u16 + u16::from(low))
    }

    /// Returns the action that consists of `moves`, at most two: all moves of a roll of different dice, or the first or
    /// last two moves of a double.
    #[inline]
    pub(crate) fn of_moves(moves: &Moves, roll: Roll) -> Self {
        let source = |place: usize| moves.get(place).map_or(0, |one| one.from);
        let low_first = !roll.is_double() && moves.first().is_some_and(|first| first.die == roll.low());
        if low_first {
            Self::of_sources(source(1), source(0))
        } else {
            Self::of_sources(source(0), source(1))
        }
    }

    /// Returns the index of the action: 26 · source of the higher die + source of the lower die.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the sources of the moves by the higher and by the lower die; 0 if the die is not played.
    #[inline]
    pub fn sources(self) -> [usize; 2] {
        let index = self.index();
        [index / PLACES, index % PLACES]
    }
}

/// Upper bound of the number of legal actions of a decision: 15 · 14 ordered pairs of checkers, and 15 checkers that
/// move by both dice in 2 orders.
pub const MAX_ACTIONS: usize = 15 * 14 + 2 * 15;

/// List of the legal actions of a decision, each leading to a different position. Refilling the list does not allocate.
#[derive(Clone)]
pub struct LegalActions {
    actions: [Action; MAX_ACTIONS],
    len: usize,
}

impl LegalActions {
    /// Creates an empty list of actions.
    pub fn new() -> Self {
        Self { actions: [Action(0); MAX_ACTIONS], len: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, action: Action) {
        self.actions[self.len] = action;
        self.len += 1;
    }
}

impl Default for LegalActions {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for LegalActions {
    type Target = [Action];

    #[inline]
    fn deref(&self) -> &[Action] {
        &self.actions[..self.len]
    }
}
