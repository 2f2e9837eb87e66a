//! Training state between two epochs, for checkpoints.

use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::learner::{EpochPhase, LogicCa};
use crate::local_search::MAX_FAILED_EPOCHS;

/// Training state between two epochs. Together with config and seed it determines the rest of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of finished epochs.
    pub epoch: u64,
    /// Number of AdamW steps. An epoch without a wrong bit and an epoch of local search take none.
    pub steps: u64,
    /// Logits, `[gate][16]`, in [gate order](crate::circuit).
    pub logits: Vec<f32>,
    /// First moments of AdamW, in the layout of `logits`.
    pub first_moment: Vec<f32>,
    /// Second moments of AdamW, in the layout of `logits`.
    pub second_moment: Vec<f32>,
    /// Number of consecutive epochs without a wrong bit in the hard automaton.
    pub streak: u32,
    /// Epoch at which the current target was set and its schedule began.
    pub schedule_start: u64,
    /// Whether gradient descent has converged: 30 consecutive epochs had no wrong bit. After convergence, local search
    /// (if enabled) trains the gates; see [`LogicCa::is_in_local_search`].
    pub converged: bool,
    /// Latest epochs (at most 8) with wrong bits during local search; their boards are in its training set.
    pub failed_epochs: Vec<u64>,
}

impl LogicCa {
    /// Returns the training state at the start of the current epoch.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            epoch: self.epoch,
            steps: self.steps,
            logits: self.optimizer.logits.to_vec(),
            first_moment: self.optimizer.first_moment.to_vec(),
            second_moment: self.optimizer.second_moment.to_vec(),
            streak: self.streak,
            schedule_start: self.schedule_start,
            converged: self.converged,
            failed_epochs: self.failed_epochs.clone(),
        }
    }

    /// Restores the state of a learner with the same config and seed (live fields may differ), and discards the current
    /// epoch.
    ///
    /// # Errors
    /// [`LogicError::State`] if an array has the wrong length or a value that is not finite. The learner is unchanged
    /// then.
    pub fn restore(&mut self, state: &State) -> Result<(), LogicError> {
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
                return refuse(format!("contains {value}; all values must be finite"));
            }
        }
        let most = [state.schedule_start].into_iter().chain(state.failed_epochs.iter().copied()).max();
        if let Some(epoch) = most.filter(|&epoch| epoch > state.epoch) {
            let problem = format!("contains epoch {epoch}, but only {} epochs are finished", state.epoch);
            return Err(LogicError::State { array: "epochs", problem });
        }
        if state.steps > state.epoch {
            let problem = format!("has {} steps, but only {} epochs are finished", state.steps, state.epoch);
            return Err(LogicError::State { array: "steps", problem });
        }
        if state.failed_epochs.len() > MAX_FAILED_EPOCHS {
            let problem = format!(
                "it has {} numbers; at most {MAX_FAILED_EPOCHS} are allowed",
                state.failed_epochs.len()
            );
            return Err(LogicError::State { array: "failed epochs", problem });
        }
        self.optimizer.logits.copy_from_slice(&state.logits);
        self.optimizer.first_moment.copy_from_slice(&state.first_moment);
        self.optimizer.second_moment.copy_from_slice(&state.second_moment);
        self.streak = state.streak;
        self.schedule_start = state.schedule_start;
        self.converged = state.converged;
        self.failed_epochs.clone_from(&state.failed_epochs);
        self.epoch = state.epoch;
        self.steps = state.steps;
        self.phase = EpochPhase::Begin;
        Ok(())
    }
}
