//! Training state between two epochs, for checkpoints.

use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::learner::{EpochPhase, LogicCa};
use crate::local_search::MAX_FAILED_EPOCHS;
use vivarium_graph::{SavedTensors, Tensor, TensorData};

/// Training state between two epochs. Config, seed and training state determine the rest of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Number of finished epochs.
    pub epoch: u64,
    /// Number of AdamW steps of the run. Epochs without a wrong bit and epochs of local search take no AdamW step.
    pub steps: u64,
    /// Logits of all gates, `[gate][16]`, in [gate order](crate::circuit).
    pub logits: Vec<f32>,
    /// First moments of AdamW (moving averages of the gradients), in the layout of `logits`.
    pub first_moment: Vec<f32>,
    /// Second moments of AdamW (moving averages of the squared gradients), in the layout of `logits`.
    pub second_moment: Vec<f32>,
    /// Number of consecutive epochs in which the hard automaton (discrete gates) had no wrong bit.
    pub streak: u32,
    /// Epoch at which the current training target was set, and the schedules of learning rate and hardening
    /// (discretization of gates) began.
    pub schedule_start: u64,
    /// Whether gradient descent has converged: 30 consecutive epochs had no wrong bit. After convergence, local search
    /// (if enabled) trains the gates; see [`LogicCa::is_in_local_search`].
    pub converged: bool,
    /// Latest epochs, at most 8, in which the hard automaton (discrete gates) had wrong bits during local search. The
    /// boards of these epochs are in the training set of the local search.
    pub failed_epochs: Vec<u64>,
}

/// Name of the tensor with the number of finished epochs. The constants after `EPOCH` are the names of the tensors of
/// the other fields of [`State`].
const EPOCH: &str = "epoch";
const STREAK: &str = "streak";
const SCHEDULE: &str = "schedule";
const MISTAKEN: &str = "mistaken";
const LOGITS: &str = "logits";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";

/// Name of the tensor with the number of AdamW steps. Older checkpoints lack the tensor; [`State::read`] then uses the
/// number of epochs.
const STEPS: &str = "adam/steps";

/// Maximum number of epochs that a saved state may contain; 2⁴⁸ epochs would take years.
const MAX_EPOCHS: u64 = 1 << 48;

impl State {
    /// Returns the state as named tensors, with `prefix` before each name. The target has no tensor, because the config
    /// contains it. The last tensor holds the numbers of the latest epochs with wrong bits, `[epochs]`; its length
    /// varies.
    #[must_use]
    pub fn tensors(&self, prefix: &str) -> Vec<Tensor> {
        let flat = |name: &str, values| Tensor::flat(format!("{prefix}{name}"), TensorData::U64(values));
        let of_gates = |name: &str, values: &[f32]| {
            Tensor::new(
                format!("{prefix}{name}"),
                &[values.len() / FUNCTIONS, FUNCTIONS],
                TensorData::F32(values.to_vec()),
            )
        };
        vec![
            flat(EPOCH, vec![self.epoch]),
            flat(STREAK, vec![self.streak.into()]),
            flat(SCHEDULE, vec![self.schedule_start, self.converged.into()]),
            of_gates(LOGITS, &self.logits),
            of_gates(FIRST_MOMENT, &self.first_moment),
            of_gates(SECOND_MOMENT, &self.second_moment),
            flat(STEPS, vec![self.steps]),
            flat(MISTAKEN, self.failed_epochs.clone()),
        ]
    }

    /// Reads a training state with the same number of gates as `self` from tensors that [`tensors`](Self::tensors)
    /// returned for the prefix `prefix`.
    ///
    /// # Errors
    /// [`LogicError::Tensor`] or [`LogicError::Values`] with the missing or invalid tensor.
    pub fn read(&self, prefix: &str, saved: &SavedTensors<'_>) -> Result<Self, LogicError> {
        let find = |name| saved.find(&format!("{prefix}{name}"));
        let of_gates = |name| -> Result<Vec<f32>, LogicError> {
            Ok(find(name)?.floats(&[self.logits.len() / FUNCTIONS, FUNCTIONS])?.to_vec())
        };
        let invalid = |name| Err(LogicError::Values(format!("{prefix}{name}")));
        let &[epoch] = find(EPOCH)?.counters()?;
        let &[streak] = find(STREAK)?.counters()?;
        let &[schedule_start, converged] = find(SCHEDULE)?.counters()?;
        let failed = format!("{prefix}{MISTAKEN}");
        let failed = saved.0.iter().find(|tensor| tensor.name == failed).map(|tensor| &tensor.values);
        let Some(TensorData::U64(failed_epochs)) = failed else { return invalid(MISTAKEN) };
        let Ok(streak) = u32::try_from(streak) else { return invalid(STREAK) };
        // The bias correction of older states counted the epochs.
        let &[steps] = find(STEPS).map_or(Ok(&[epoch]), |steps| steps.counters())?;
        let state = Self {
            epoch,
            steps,
            streak,
            schedule_start,
            converged: converged > 0,
            logits: of_gates(LOGITS)?,
            first_moment: of_gates(FIRST_MOMENT)?,
            second_moment: of_gates(SECOND_MOMENT)?,
            failed_epochs: failed_epochs.to_vec(),
        };
        if steps > epoch {
            return invalid(STEPS);
        }
        if epoch > MAX_EPOCHS {
            return invalid(EPOCH);
        }
        // Second moments are means of squares and cannot be negative.
        if state.second_moment.iter().any(|&square| square < 0.0) {
            return invalid(SECOND_MOMENT);
        }
        Ok(state)
    }
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

    /// Restores the state of a learner with the same config and seed (fields that may change during training may
    /// differ), and discards the current epoch.
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
