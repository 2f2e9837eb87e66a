//! What a search needs to know of a game.

use vivarium_envs::backgammon::{Action, LegalActions, Roll, State, TurnPhase};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// What comes next in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameStatus {
    /// The player to move decides.
    Decision,
    /// Chance decides.
    Chance,
    /// Nothing: what the game is worth to the player to move.
    Over(f32),
}

/// A game of two players in which what one wins the other loses, with or without chance, at any moment of it.
///
/// A *branch* is what can come next, as a number: an action where a player decides, an outcome where chance
/// does.
pub trait Game: Copy + PartialEq {
    /// Room for lists of branches, so that listing them need not allocate.
    type Scratch: Default + Send;
    /// How many actions a policy distinguishes.
    const ACTIONS: usize;
    /// The most branches of a state.
    const MAX_BRANCHES: usize;
    /// The largest value that a game can have.
    const MAX_VALUE: f32;

    /// What comes next.
    fn status(&self) -> GameStatus;

    /// Whose move it is, or would be once chance has decided: 0 or 1. Values are those of this player.
    fn player(&self) -> u8;

    /// Lists the branches of a game that goes on: each with its number and, where chance decides, its
    /// probability.
    fn branches(&self, scratch: &mut Self::Scratch, each: impl FnMut(usize, f32));

    /// The game after one of its branches.
    fn after(&self, branch: usize) -> Self;

    /// A hash for tables, the same for equal states.
    fn hash(&self) -> u64;
}

/// Backgammon: rolls are numbered as in [`Roll::ALL`]. Values are points.
impl Game for State {
    type Scratch = LegalActions;
    const ACTIONS: usize = vivarium_envs::backgammon::ACTIONS;
    const MAX_BRANCHES: usize = vivarium_envs::backgammon::MOST_ACTIONS;
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
        // Equal states have equal players on roll, too.
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
