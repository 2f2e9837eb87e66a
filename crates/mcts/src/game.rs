//! The game interface of the search.

use vivarium_envs::backgammon::{Action, LegalActions, Roll, State, TurnPhase};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// Kind of a game state: decision, chance event, or end of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameStatus {
    /// Decision: the player to move selects an action.
    Decision,
    /// Chance: a random event, such as a dice roll, determines the next state.
    Chance,
    /// The game is over. Contains the result of the game for the player to move.
    Over(f32),
}

/// State of a two-player zero-sum game with perfect information, with or without chance events.
///
/// A *branch* is the index, from 0, of an action (at a decision) or of an outcome (at a chance event).
pub trait Game: Copy + PartialEq {
    /// Scratch memory of move generation, which therefore does not allocate.
    type Scratch: Default + Send;
    /// Size of the action space: action indices are below this number.
    const ACTIONS: usize;
    /// Maximum number of branches of a state.
    const MAX_BRANCHES: usize;
    /// Maximum absolute value of a game's result. The search divides values by this number.
    const MAX_VALUE: f32;

    /// Returns whether the state is a decision, a chance event, or the end of the game.
    fn status(&self) -> GameStatus;

    /// Returns the player to move, 0 or 1; at a chance event, the player who moves after the event. Values are from
    /// this player's view.
    fn player(&self) -> u8;

    /// Calls `each(branch, probability)` for each branch of an unfinished game. The probability has a meaning only at a
    /// chance event.
    fn branches(&self, scratch: &mut Self::Scratch, each: impl FnMut(usize, f32));

    /// Returns the state after the action or chance outcome with the index `branch`.
    fn after(&self, branch: usize) -> Self;

    /// Returns a hash; equal states have equal hashes.
    fn hash(&self) -> u64;
}

/// Backgammon as a game of the tree search. Dice rolls are numbered as in [`Roll::ALL`]; values are points.
impl Game for State {
    type Scratch = LegalActions;
    const ACTIONS: usize = vivarium_envs::backgammon::ACTIONS;
    const MAX_BRANCHES: usize = vivarium_envs::backgammon::MAX_ACTIONS;
    const MAX_VALUE: f32 = 3.0;

    #[inline]
    fn status(&self) -> GameStatus {
        match (self.outcome(), self.phase) {
            (Some(outcome), _) => GameStatus::Over(outcome.points() as f32),
            (None, TurnPhase::Opening | TurnPhase::Roll) => GameStatus::Chance,
            (None, TurnPhase::Play(_) | TurnPhase::SecondHalf(_)) => GameStatus::Decision,
        }
    }

    #[inline]
    fn player(&self) -> u8 {
        self.player
    }

    fn branches(&self, scratch: &mut LegalActions, mut each: impl FnMut(usize, f32)) {
        match self.phase {
            TurnPhase::Opening | TurnPhase::Roll => {
                self.rolls().for_each(|(roll, probability)| each(roll.index(), probability));
            }
            TurnPhase::Play(_) | TurnPhase::SecondHalf(_) => {
                self.actions(scratch);
                scratch.iter().for_each(|action| each(action.index(), 0.0));
            }
        }
    }

    #[inline]
    fn after(&self, branch: usize) -> Self {
        match self.phase {
            TurnPhase::Opening | TurnPhase::Roll => self.rolled(Roll::ALL[branch]),
            TurnPhase::Play(_) | TurnPhase::SecondHalf(_) => match Action::new(branch) {
                Some(action) => self.after(action),
                None => *self,
            },
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        // The player on roll is part of the state.
        self.hash() ^ u64::from(self.player)
    }
}

impl Game for ConnectFour {
    type Scratch = ();
    const ACTIONS: usize = COLUMNS;
    const MAX_BRANCHES: usize = COLUMNS;
    const MAX_VALUE: f32 = 1.0;

    #[inline]
    fn status(&self) -> GameStatus {
        self.value().map_or(GameStatus::Decision, GameStatus::Over)
    }

    #[inline]
    fn player(&self) -> u8 {
        self.player()
    }

    fn branches(&self, _: &mut (), mut each: impl FnMut(usize, f32)) {
        (0..COLUMNS).filter(|&column| self.is_open(column)).for_each(|column| each(column, 0.0));
    }

    #[inline]
    fn after(&self, branch: usize) -> Self {
        self.after(branch)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash()
    }
}
