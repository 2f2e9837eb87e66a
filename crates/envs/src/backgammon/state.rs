//! The game as a search sees it: rolls by chance, decisions, an end.

use super::action::{Action, Actions};
use super::board::Board;
use super::dice::Roll;
use super::outcome::Outcome;
use super::plays::{CheckerMove, Moves, half_double, two_dice};
use super::position::Position;

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Each player throws one die until they differ; the player on roll has thrown the higher one and plays
    /// both.
    Opening,
    /// The player on roll throws both dice.
    Roll,
    /// The player on roll plays two dice, or the first two moves of a double.
    Play(Roll),
    /// The player on roll plays the other moves of a double.
    Rest(Roll),
}

/// A game at any moment, seen by the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The checkers.
    pub position: Position,
    /// What happens next.
    pub phase: Phase,
    /// Which of the two players is on roll: 0 or 1. Values change their sign where this changes, and only
    /// there: it stays the same between the halves of a double.
    pub player: u8,
}

impl State {
    /// The beginning of a game that player 0 opens.
    pub const START: Self = Self { position: Position::START, phase: Phase::Opening, player: 0 };

    /// How the game ended, seen by the player on roll, if it has.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// The rolls that can come, with their probabilities, when the dice are next: fifteen at the start of a
    /// game, all 21 later; none when a player has to decide.
    pub fn chances(&self) -> impl Iterator<Item = (Roll, f32)> + use<> {
        let rolls: &[_] = match self.phase {
            Phase::Opening => &OPENING_CHANCES,
            Phase::Roll => &CHANCES,
            Phase::Play(_) | Phase::Rest(_) => &[],
        };
        rolls.iter().copied()
    }

    /// The state after a roll of the dice. Only where one is due: see [`chances`](Self::chances).
    #[inline]
    pub fn rolled(&self, roll: Roll) -> Self {
        debug_assert!(matches!(self.phase, Phase::Opening | Phase::Roll));
        Self { phase: Phase::Play(roll), ..*self }
    }

    /// The legal actions, each leading to another position: at least one where a player has to decide, which
    /// is (0, 0) when no checker can move; none where the dice are next.
    pub fn actions(&self, actions: &mut Actions) {
        actions.clear();
        let board = Board::new(&self.position);
        match self.phase {
            Phase::Opening | Phase::Roll => {}
            Phase::Play(roll) if !roll.is_double() => {
                two_dice(&board, roll, |moves| actions.push(Action::of_moves(&moves, roll)));
            }
            Phase::Play(roll) => {
                // As many moves have to be left for the second half as the longest play of all four dice
                // leaves.
                let rest = board.longest(roll.high().into(), 4).saturating_sub(2);
                half_double(&board, roll.high(), rest, |moves| actions.push(Action::of_moves(&moves, roll)));
            }
            Phase::Rest(roll) => {
                half_double(&board, roll.high(), 0, |moves| actions.push(Action::of_moves(&moves, roll)));
            }
        }
    }

    /// The state after one of the [`actions`](Self::actions). The other player is on roll in it, unless moves
    /// of a double are left.
    #[inline]
    pub fn after(&self, action: Action) -> Self {
        let (Phase::Play(roll) | Phase::Rest(roll)) = self.phase else {
            debug_assert!(false, "the dice are next");
            return *self;
        };
        let mut position = self.position;
        for (from, die) in in_order(action, roll) {
            if from > 0 {
                debug_assert!(
                    Board::new(&position).sources(die) >> from & 1 != 0,
                    "{from} by {die} in {self:?}"
                );
                position = position.moved(from, die);
            }
        }
        let first_half = roll.is_double() && matches!(self.phase, Phase::Play(_));
        if first_half && position.sources([roll.high()]) != [0] {
            Self { position, phase: Phase::Rest(roll), player: self.player }
        } else {
            Self { position: position.mirrored(), phase: Phase::Roll, player: 1 - self.player }
        }
    }

    /// The moves of one of the [`actions`](Self::actions), in an order in which they can be made. Of a double those of
    /// this half.
    pub fn moves(&self, action: Action) -> Moves {
        let (Phase::Play(roll) | Phase::Rest(roll)) = self.phase else { return Moves::NONE };
        let made = in_order(action, roll).into_iter().filter(|&(from, _)| from > 0);
        made.fold(Moves::NONE, |moves, (from, die)| {
            moves.and(CheckerMove { from: from as u8, die: die as u8 }).unwrap_or(moves)
        })
    }

    /// A hash for tables of states: of the position and what happens next, not of who is called player 0.
    #[inline]
    pub fn hash(&self) -> u64 {
        let phase = match self.phase {
            Phase::Opening => 0,
            Phase::Roll => 1,
            Phase::Play(roll) => 2 + roll.index(),
            Phase::Rest(roll) => 2 + Roll::COUNT + roll.index(),
        };
        // An odd multiple of the golden ratio's digits tells the phases apart (Knuth's multiplicative
        // hashing).
        self.position.hash().wrapping_add((phase as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// All rolls with their probabilities.
const CHANCES: [(Roll, f32); Roll::COUNT] = {
    let mut chances = [(Roll::ALL[0], 0.0); Roll::COUNT];
    let mut index = 0;
    while index < Roll::COUNT {
        chances[index] = (Roll::ALL[index], Roll::ALL[index].probability());
        index += 1;
    }
    chances
};

/// Those that a game can begin with.
const OPENING_CHANCES: [(Roll, f32); 15] = {
    let mut chances = [(Roll::ALL[0], 1.0 / 15.0); 15];
    let (mut index, mut count) = (0, 0);
    while index < Roll::COUNT {
        if !Roll::ALL[index].is_double() {
            chances[count].0 = Roll::ALL[index];
            count += 1;
        }
        index += 1;
    }
    chances
};

/// Source and die of each of an action's two moves, as they have to be made; a source of 0 is no move.
#[inline]
fn in_order(action: Action, roll: Roll) -> [(usize, usize); 2] {
    let [high, low] = action.sources();
    let mut moves = [(high, usize::from(roll.high())), (low, usize::from(roll.low()))];
    // A checker that moves twice moves from its higher source first, and so does one that enters from the bar.
    if low > high {
        moves.swap(0, 1);
    }
    moves
}
