//! Decisions as numbers, for a policy.

use super::dice::Roll;
use super::plays::Moves;
use super::side::PLACES;

/// How many actions there are: a source for each of two dice, none included.
pub const ACTIONS: usize = PLACES * PLACES;

/// A decision: from where a checker moves by the higher die and from where one moves by the lower; 0 for a
/// die that cannot be played. Which of the two moves is made first does not matter.
///
/// A double is two decisions of two moves each. Its two dice are equal, and the higher source comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action(u16);

impl Action {
    /// The action of a number below [`ACTIONS`].
    pub fn new(index: usize) -> Option<Self> {
        (index < ACTIONS).then_some(Self(index as u16))
    }

    /// The action of two sources, each a place.
    #[inline]
    pub(crate) fn of_sources(high: u8, low: u8) -> Self {
        debug_assert!(usize::from(high.max(low)) < PLACES);
        Self(u16::from(high) * PLACES as u16 + u16::from(low))
    }

    /// The action of one or two moves, the whole of a roll or half of a double.
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

    /// Its number: 26 · source of the higher die + source of the lower.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The sources of the higher and of the lower die, 0 for none.
    #[inline]
    pub fn sources(self) -> [usize; 2] {
        let index = self.index();
        [index / PLACES, index % PLACES]
    }
}

/// The most actions of one decision: of two dice, either order of a checker that moves by both, and any two
/// checkers.
pub const MOST_ACTIONS: usize = 15 * 14 + 2 * 15;

/// The legal actions of a decision, each leading to another position. Filled again and again, it allocates
/// nothing.
#[derive(Clone)]
pub struct Actions {
    actions: [Action; MOST_ACTIONS],
    len: usize,
}

impl Actions {
    /// None yet.
    pub fn new() -> Self {
        Self { actions: [Action(0); MOST_ACTIONS], len: 0 }
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

impl Default for Actions {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for Actions {
    type Target = [Action];

    #[inline]
    fn deref(&self) -> &[Action] {
        &self.actions[..self.len]
    }
}
