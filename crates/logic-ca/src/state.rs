//! What a learner is between two epochs, to be kept and taken up again.

use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::learner::{LogicCa, Phase};

/// What a learner is between two epochs: with config and seed all that is needed to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Epochs finished.
    pub epoch: u64,
    /// `[gate][16]`, in the [order of gates](crate::circuit).
    pub logits: Vec<f32>,
    /// AdamW's mean of the gradients, in the same layout.
    pub first_moment: Vec<f32>,
    /// AdamW's mean of their squares, in the same layout.
    pub second_moment: Vec<f32>,
    /// How far gates and steps have been hardened, 0 to 1.
    pub hardening: f32,
    /// Epochs in a row in which the hard automaton made no mistake.
    pub streak: u32,
}

impl LogicCa {
    /// What the learner was at the start of the present epoch.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            epoch: self.epoch,
            logits: self.optimiser.logits.to_vec(),
            first_moment: self.optimiser.first_moment.to_vec(),
            second_moment: self.optimiser.second_moment.to_vec(),
            hardening: self.hardening.progress,
            streak: self.streak,
        }
    }

    /// Takes up a state, which must come from a learner of the same config and seed (live fields may differ), and goes on
    /// from there. An epoch that was under way is forgotten.
    ///
    /// # Errors
    /// [`LogicError::State`] if an array has the wrong length or holds what is no number; nothing is changed then.
    pub fn adopt(&mut self, state: &State) -> Result<(), LogicError> {
        let needed = self.architecture.gates() * FUNCTIONS;
        for (array, values) in [
            ("logits", &state.logits),
            ("first moments", &state.first_moment),
            ("second moments", &state.second_moment),
        ] {
            let refuse = |problem| Err(LogicError::State { array, problem });
            if values.len() != needed {
                return refuse(format!("the array has {} numbers; {needed} are needed", values.len()));
            }
            if let Some(value) = values.iter().find(|value| !value.is_finite()) {
                return refuse(format!("it holds {value}; all must be finite numbers"));
            }
        }
        if !(0.0..=1.0).contains(&state.hardening) {
            let problem = format!("it is {}; 0 to 1 is allowed", state.hardening);
            return Err(LogicError::State { array: "hardening", problem });
        }
        self.optimiser.logits.copy_from_slice(&state.logits);
        self.optimiser.first_moment.copy_from_slice(&state.first_moment);
        self.optimiser.second_moment.copy_from_slice(&state.second_moment);
        self.hardening.progress = state.hardening;
        self.streak = state.streak;
        self.epoch = state.epoch;
        self.phase = Phase::Begin;
        Ok(())
    }
}
