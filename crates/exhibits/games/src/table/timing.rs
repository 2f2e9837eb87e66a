//! When dice fall and computers play by themselves.

use crate::protocol::DiceMode;

/// Seconds for which dice lie still before they are rolled by themselves.
const BEFORE_ROLL: f32 = 0.4;

/// Who rolls, how fast computers play, and how long has been waited.
pub(super) struct Timing {
    pub(super) dice_mode: DiceMode,
    /// Seconds before a computer plays; `None`: it waits for a person.
    pub(super) pace: Option<f32>,
    /// Seconds since something else was waited for.
    waited: f32,
}

impl Default for Timing {
    fn default() -> Self {
        Self { dice_mode: DiceMode::default(), pace: Some(0.8), waited: 0.0 }
    }
}

impl Timing {
    /// Something else is waited for from now on.
    pub(super) fn begin(&mut self) {
        self.waited = 0.0;
    }

    /// Lets time pass.
    pub(super) fn pass(&mut self, seconds: f32) {
        self.waited += seconds;
    }

    /// Whether the dice roll by themselves now, for a person or for a computer.
    pub(super) fn rolls(&self, for_person: bool) -> bool {
        let by_itself = match self.dice_mode {
            DiceMode::Ask => !for_person,
            DiceMode::Roll => true,
            DiceMode::ByHand => false,
        };
        by_itself && self.waited >= self.pace.unwrap_or(0.0).min(BEFORE_ROLL)
    }

    /// Whether a computer's move is due.
    pub(super) fn plays(&self) -> bool {
        self.pace.is_some_and(|pace| self.waited >= pace)
    }
}
