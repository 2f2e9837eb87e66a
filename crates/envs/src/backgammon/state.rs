//! Game state for tree search: chance nodes, decisions, outcomes.

use super::action::{Action, LegalActions};
use super::board::Board;
use super::dice::Roll;
use super::outcome::Outcome;
use super::plays::{CheckerMove, Moves, half_double, two_dice};
use super::position::Position;

/// Next event in a game of backgammon: a roll of the dice, or a decision of the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnPhase {
    /// Opening roll: each player rolls one die until the dice differ. The player with the higher die is on roll and
    /// plays both dice.
    Opening,
    /// The player on roll rolls both dice.
    Roll,
    /// Decision: the moves of two different dice, or the first two moves of a double.
    Play(Roll),
    /// Decision: the last two moves of a double.
    SecondHalf(Roll),
}

/// Game state, from the view of the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Checkers of both players.
    pub position: Position,
    /// Next event of the game: a roll or a decision.
    pub phase: TurnPhase,
    /// Player on roll: 0 or 1. A tree search negates a value when the player on roll changes; between the two halves of
    /// a double the player stays the same.
    pub player: u8,
}

impl State {
    /// Initial state; player 0 has the opening roll.
    pub const START: Self = Self { position: Position::START, phase: TurnPhase::Opening, player: 0 };

    /// Returns the outcome for the player on roll; `None` if the game is not over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// Iterates over the possible rolls of a chance node with their probabilities: 15 rolls in the opening, 21 rolls
    /// later. The iterator is empty at a decision.
    pub fn rolls(&self) -> impl Iterator<Item = (Roll, f32)> + use<> {
        let rolls: &[_] = match self.phase {
            TurnPhase::Opening => &OPENING_ROLLS,
            TurnPhase::Roll => &ROLLS,
            TurnPhase::Play(_) | TurnPhase::SecondHalf(_) => &[],
        };
        rolls.iter().copied()
    }

    /// Returns the state after a roll. Precondition: the state is a chance node, see [`rolls`](Self::rolls).
    #[inline]
    pub fn rolled(&self, roll: Roll) -> Self {
        debug_assert!(matches!(self.phase, TurnPhase::Opening | TurnPhase::Roll));
        Self { phase: TurnPhase::Play(roll), ..*self }
    }

    /// Fills `actions` with the legal actions, each leading to a different position. At a decision there is at least
    /// one action; if no checker can move, both sources of this action are 0. At a chance node there is none.
    pub fn actions(&self, actions: &mut LegalActions) {
        actions.clear();
        let board = Board::new(&self.position);
        match self.phase {
            TurnPhase::Opening | TurnPhase::Roll => {}
            TurnPhase::Play(roll) if !roll.is_double() => {
                two_dice(&board, roll, |moves| actions.push(Action::of_moves(&moves, roll)));
            }
            TurnPhase::Play(roll) => {
                // The first half must leave as many moves for the second half as the longest play does.
                let rest = board.longest(roll.high().into(), 4).saturating_sub(2);
                half_double(&board, roll.high(), rest, |moves| actions.push(Action::of_moves(&moves, roll)));
            }
            TurnPhase::SecondHalf(roll) => {
                half_double(&board, roll.high(), 0, |moves| actions.push(Action::of_moves(&moves, roll)));
            }
        }
    }

    /// Returns the state after a legal [action](Self::actions). The opponent is on roll next, unless moves of a double
    /// remain.
    #[inline]
    pub fn after(&self, action: Action) -> Self {
        let (TurnPhase::Play(roll) | TurnPhase::SecondHalf(roll)) = self.phase else {
            debug_assert!(false, "an action was applied to a chance node");
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
        let first_half = roll.is_double() && matches!(self.phase, TurnPhase::Play(_));
        if first_half && position.sources([roll.high()]) != [0] {
            Self { position, phase: TurnPhase::SecondHalf(roll), player: self.player }
        } else {
            Self { position: position.mirrored(), phase: TurnPhase::Roll, player: 1 - self.player }
        }
    }

    /// Returns the moves of a legal [action](Self::actions) in a playable order. For a double: the moves of the current
    /// half.
    pub fn moves(&self, action: Action) -> Moves {
        let (TurnPhase::Play(roll) | TurnPhase::SecondHalf(roll)) = self.phase else { return Moves::NONE };
        let made = in_order(action, roll).into_iter().filter(|&(from, _)| from > 0);
        made.fold(Moves::NONE, |moves, (from, die)| {
            moves.and(CheckerMove { from: from as u8, die: die as u8 }).unwrap_or(moves)
        })
    }

    /// Returns a hash of the position and the phase. The hash does not depend on which player, 0 or 1, is on roll.
    #[inline]
    pub fn hash(&self) -> u64 {
        let phase = match self.phase {
            TurnPhase::Opening => 0,
            TurnPhase::Roll => 1,
            TurnPhase::Play(roll) => 2 + roll.index(),
            TurnPhase::SecondHalf(roll) => 2 + Roll::COUNT + roll.index(),
        };
        // Multiplicative hashing of the phase (Knuth) with the digits of the golden ratio.
        self.position.hash().wrapping_add((phase as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// All 21 rolls of two dice with their probabilities, in the order of [`Roll::ALL`].
const ROLLS: [(Roll, f32); Roll::COUNT] = {
    let mut rolls = [(Roll::ALL[0], 0.0); Roll::COUNT];
    let mut index = 0;
    while index < Roll::COUNT {
        rolls[index] = (Roll::ALL[index], Roll::ALL[index].probability());
        index += 1;
    }
    rolls
};

/// The 15 opening rolls (two different dice), each with its probability 1/15.
const OPENING_ROLLS: [(Roll, f32); 15] = {
    let mut rolls = [(Roll::ALL[0], 1.0 / 15.0); 15];
    let (mut index, mut count) = (0, 0);
    while index < Roll::COUNT {
        if !Roll::ALL[index].is_double() {
            rolls[count].0 = Roll::ALL[index];
            count += 1;
        }
        index += 1;
    }
    rolls
};

/// Returns the source and the die of both moves of an action, in a playable order. Source 0 means that the die is not
/// played.
#[inline]
fn in_order(action: Action, roll: Roll) -> [(usize, usize); 2] {
    let [high, low] = action.sources();
    let mut moves = [(high, usize::from(roll.high())), (low, usize::from(roll.low()))];
    // If one checker moves twice, or enters from the bar, the higher source comes first.
    if low > high {
        moves.swap(0, 1);
    }
    moves
}
