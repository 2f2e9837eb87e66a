//! Timing of automatic rolls and computer moves.

use crate::protocol::DiceMode;

/// Maximum delay before an automatic roll, in seconds.
const BEFORE_ROLL: f32 = 0.4;

/// Timing of the game that a user plays: dice mode, delay of computer moves, and time since the current stage of the
/// game started.
pub(super) struct Timing {
    pub(super) dice_mode: DiceMode,
    /// Delay before computer moves, in seconds; `None`: a computer waits for the command `move_now`.
    pub(super) pace: Option<f32>,
    /// Whether a computer to roll, to answer a double or to move waits for the command `move_now` in an entered position, so
    /// that it can be analyzed.
    pub(super) is_held: bool,
    /// Seconds since the current stage of the game started.
    waited: f32,
}

impl Default for Timing {
    fn default() -> Self {
        Self { dice_mode: DiceMode::default(), pace: Some(0.8), is_held: false, waited: 0.0 }
    }
}

impl Timing {
    /// Resets the time of the stage, and ends the wait for `move_now`.
    pub(super) fn begin(&mut self) {
        (self.is_held, self.waited) = (false, 0.0);
    }

    /// Changes the dice mode, and resets the time of the stage.
    pub(super) fn set_dice_mode(&mut self, mode: DiceMode) {
        (self.dice_mode, self.waited) = (mode, 0.0);
    }

    /// Ends the wait in an entered position. All delays of the stage have passed.
    pub(super) fn release(&mut self) {
        (self.is_held, self.waited) = (false, f32::INFINITY);
    }

    /// Adds `seconds` to the time since the current stage of the game started.
    pub(super) fn pass(&mut self, seconds: f32) {
        self.waited += seconds;
    }

    /// Returns whether an automatic roll is due for a human player (`for_person`) or for a computer player.
    pub(super) fn rolls(&self, for_person: bool) -> bool {
        let by_itself = match self.dice_mode {
            DiceMode::Ask => !for_person,
            DiceMode::Roll => true,
            DiceMode::ByHand => false,
        };
        by_itself && self.decides()
    }

    /// Returns whether the delay before a computer's doubling decision has passed. The delay does not depend on the dice
    /// mode.
    pub(super) fn decides(&self) -> bool {
        !self.is_held && self.waited >= self.pace.unwrap_or(0.0).min(BEFORE_ROLL)
    }

    /// Returns whether the delay before a computer's move has passed; `false` if computers wait for a command.
    pub(super) fn plays(&self) -> bool {
        !self.is_held && self.waited >= self.pace.unwrap_or(f32::INFINITY)
    }
}
