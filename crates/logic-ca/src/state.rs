//! What a learner is between two epochs, to be kept and taken up again.

use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::learner::{LogicCa, Phase};
use crate::local_search::REMEMBERED;

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
    /// Epochs in a row in which the hard automaton made no mistake.
    pub streak: u32,
    /// Epochs after which the present target was given, and its schedule began.
    pub began: u64,
    /// Whether learning by gradient is over before its epochs are: see [`LogicCa::is_in_local_search`].
    pub ripe: bool,
    /// The latest epochs whose boards the hard automaton got wrong, once local search has begun; 8 at most.
    pub mistaken: Vec<u64>,
}

impl LogicCa {
    /// What the learner was at the start of the present epoch.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            epoch: self.epoch,
            logits: self.optimizer.logits.to_vec(),
            first_moment: self.optimizer.first_moment.to_vec(),
            second_moment: self.optimizer.second_moment.to_vec(),
            streak: self.streak,
            began: self.began,
            ripe: self.ripe,
            mistaken: self.mistaken.clone(),
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
        let most = [state.began].into_iter().chain(state.mistaken.iter().copied()).max();
        if let Some(epoch) = most.filter(|&epoch| epoch > state.epoch) {
            let problem = format!("it names epoch {epoch}; {} are over", state.epoch);
            return Err(LogicError::State { array: "epochs", problem });
        }
        if state.mistaken.len() > REMEMBERED {
            let problem =
                format!("it has {} numbers; at most {REMEMBERED} are allowed", state.mistaken.len());
            return Err(LogicError::State { array: "mistaken", problem });
        }
        self.optimizer.logits.copy_from_slice(&state.logits);
        self.optimizer.first_moment.copy_from_slice(&state.first_moment);
        self.optimizer.second_moment.copy_from_slice(&state.second_moment);
        self.streak = state.streak;
        self.began = state.began;
        self.ripe = state.ripe;
        self.mistaken.clone_from(&state.mistaken);
        self.epoch = state.epoch;
        self.phase = Phase::Begin;
        Ok(())
    }
}
