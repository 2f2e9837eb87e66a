//! Backgammon as an environment with discrete actions and observations of bytes.

use super::rules::{EpisodeKey, GameRules, GameSettings, PlayResult};
use vivarium_envs::backgammon::{ACTIONS, Action, CHECKERS, Dice, LegalActions, PLACES, State, TurnPhase};

/// Number of values of an observation: numbers of checkers at the 26 places of each side, both dice, and the flag of
/// the second half of a double.
const VALUES: usize = 2 * PLACES + 3;

/// Game of backgammon, with the dice of its later turns. The player to move has to make a decision, or the game is
/// over.
#[derive(Clone, Copy)]
pub(crate) struct DicedGame {
    state: State,
    dice: Dice,
    /// Number of turns of both players before the present one.
    turn: u32,
}

impl GameRules for DicedGame {
    const NAME: &'static str = "backgammon";
    const ACTIONS: usize = ACTIONS;
    const PLAYERS: u8 = 2;
    const STEP_LIMIT: Option<u32> = None;
    const LARGEST_REWARD: f32 = 3.0;

    fn observation_space(_: &GameSettings) -> (Vec<usize>, u8) {
        (vec![VALUES], CHECKERS)
    }

    fn begin(_: &GameSettings, key: EpisodeKey) -> Self {
        let dice = Dice { seed: key.seed, game: key.episode };
        let (first, roll) = dice.opening();
        let state = State { player: u8::from(!first), ..State::START };
        Self { state: state.rolled(roll), dice, turn: 0 }
    }

    fn play(&mut self, action: usize) -> PlayResult {
        let Some(action) = Action::new(action) else { return PlayResult { reward: 0.0, terminated: false } };
        self.state = self.state.after(action);
        if let Some(outcome) = self.state.outcome() {
            // `outcome` is from the view of the opponent, who would be on roll next.
            return PlayResult { reward: -outcome.points() as f32, terminated: true };
        }
        if self.state.phase == TurnPhase::Roll {
            self.turn = self.turn.wrapping_add(1);
            self.state = self.state.rolled(self.dice.roll(self.turn));
        }
        PlayResult { reward: 0.0, terminated: false }
    }

    fn player(&self) -> u8 {
        self.state.player
    }

    fn write_legal(&self, mask: &mut [i8]) {
        let mut actions = LegalActions::new();
        self.state.actions(&mut actions);
        mask.fill(0);
        for action in actions.iter() {
            mask[action.index()] = 1;
        }
    }

    fn write_observation(&self, _: &GameSettings, player: u8, row: &mut [u8]) {
        let position = self.state.position;
        let position = if player == self.state.player { position } else { position.mirrored() };
        row[..PLACES].copy_from_slice(&position.mine().counts());
        row[PLACES..2 * PLACES].copy_from_slice(&position.theirs().counts());
        row[2 * PLACES..].copy_from_slice(&match self.state.phase {
            TurnPhase::Play(roll) => [roll.high(), roll.low(), 0],
            TurnPhase::SecondHalf(roll) => [roll.high(), roll.low(), 1],
            // The game is over: there is no roll.
            TurnPhase::Opening | TurnPhase::Roll => [0; 3],
        });
    }
}
