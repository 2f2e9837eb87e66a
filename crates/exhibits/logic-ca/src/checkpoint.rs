//! Checkpoints of a logic-automaton experiment.

use super::sandbox::Sandbox;
use super::sandbox_session::{SandboxSession, invalid_tensor};
use super::simplified_circuit::SimplifiedCircuit;
use crate::entries::{read as read_config, too_large};
use serde_json::Value;
use vivarium_graph::SavedTensors;
use vivarium_lab::checkpoint::{self, Header, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::rollback::{MAX_ROLLBACKS, RollbackGuard, RollbackPolicy};
use vivarium_lab::run::Run;
use vivarium_lab::train::Training;
use vivarium_logic_ca::gate;
use vivarium_logic_ca::{GateStatistics, Learner, LogicCa, LogicError, State};

/// Name of the checkpoint tensor with two numbers: epochs since the good state (to which a diverged run returns) was
/// stored, and consecutive rollbacks.
const GUARD: &str = "guard";
/// Name prefix of the tensors with the learner state to which the run returns after a divergence.
const GOOD: &str = "good/";

/// Number of training epochs after which the learner state is copied again, as the state to which a diverged run
/// returns. Also the number of epochs without divergence after which the number of rollbacks is reset to 0.
const GOOD_EPOCHS: u64 = 50;

/// Rollback policy after divergence. Its intervals are in training epochs.
const ROLLBACK_POLICY: RollbackPolicy = RollbackPolicy {
    interval: GOOD_EPOCHS,
    steady: GOOD_EPOCHS,
    learning_rates: ["learning.learning_rate", "learning.final_learning_rate"],
};

/// State of a logic-automaton experiment: learner, divergence detection, trained circuit, and sandbox (the user's
/// interactive board).
pub(super) struct LogicState {
    pub(super) training: Training<LogicCa>,
    /// Copy of the learner state to which the run returns after a divergence, and the number of consecutive rollbacks.
    /// Progress is measured in training epochs.
    pub(super) guard: RollbackGuard<State>,
    /// Gate statistics of the latest epoch: number of gates by their most probable function, and
    /// mean probability of that function.
    pub(super) statistics: GateStatistics,
    /// Simplified hard circuit of the learner (each gate computes its most probable function), as of the last call of
    /// `refresh_circuit`.
    pub(super) trained_circuit: SimplifiedCircuit,
    /// Most probable function of each gate of the learner at the last call of `refresh_circuit`, `[gate]`.
    functions: Vec<u8>,
    pub(super) session: SandboxSession,
}

impl LogicState {
    /// Creates an untrained state from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if config fields contradict each other.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let learner = LogicCa::new(read_config(config)?, seed)?;
        let functions = learner.functions();
        let trained_circuit = SimplifiedCircuit::from_learner(&learner, &functions).map_err(too_large)?;
        let sandbox = Sandbox::new(learner.config(), target_channels(&learner), seed, &trained_circuit)?;
        Ok(Self {
            guard: guard(learner.state(), 0),
            statistics: statistics(&learner),
            session: SandboxSession::new(sandbox, &trained_circuit),
            trained_circuit,
            functions,
            training: Training::new(learner),
        })
    }

    /// Returns the number of target channels: the channels of a cell that are compared with the training target. Front
    /// ends display these channels by default.
    pub(super) fn target_channels(&self) -> usize {
        target_channels(&self.training.learner)
    }

    /// Restores the learner from `state` and rebuilds the gate statistics and the trained circuit.
    ///
    /// # Errors
    /// [`LogicError`] if the arrays of `state` do not fit the learner. Nothing changes in this case.
    pub(super) fn restore(&mut self, state: &State) -> Result<(), LogicError> {
        self.training.learner.restore(state)?;
        self.statistics = statistics(&self.training.learner);
        self.refresh_circuit();
        Ok(())
    }

    /// Rebuilds the trained circuit if the most probable function of a gate has changed since the last call.
    pub(super) fn refresh_circuit(&mut self) {
        let functions = self.training.learner.functions();
        if functions == self.functions {
            return;
        }
        // This cannot fail: before simplification, all circuits of the learner have the same number of gates, which
        // `new` accepted.
        if let Ok(simplified) = SimplifiedCircuit::from_learner(&self.training.learner, &functions) {
            (self.trained_circuit, self.functions) = (simplified, functions);
        }
    }

    /// Updates the circuit that the sandbox runs: the circuit that the user opened from a file or, by default, the
    /// newest trained circuit.
    pub(super) fn refresh_sandbox_circuit(&mut self) {
        if self.session.opened().is_none() {
            self.refresh_circuit();
        }
        self.session.run(&self.trained_circuit);
    }

    /// Serializes a checkpoint with the state at the start of the current epoch, including the sandbox if `with_sandbox`.
    /// Resumed training gives the same results as uninterrupted training.
    pub(super) fn bytes(&self, run: &Run, with_sandbox: bool) -> Vec<u8> {
        let state = self.training.learner.state();
        let mut all = state.tensors("");
        all.extend(self.guard.good().tensors(GOOD));
        let finite = state.epoch.saturating_sub(self.guard.good_at());
        let numbers = vec![finite as f64, self.guard.rollbacks().into()];
        all.push(flat(GUARD, TensorData::F64(numbers)));
        if with_sandbox {
            all.extend(self.session.tensors());
        }
        checkpoint::write(&run.header(state.epoch, Value::Null), &all)
    }

    /// Restores the state from a checkpoint. The config in its header must be complete and validated.
    ///
    /// # Errors
    /// [`LabError`] if the tensors do not fit the config.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<Self, LabError> {
        let mut opened = Self::new(&header.config, header.seed)?;
        let model = opened.training.learner.state();
        let state = read("", &model, &mut found)?;
        let good = read(GOOD, &model, &mut found)?;
        let numbers = found.take_f64(GUARD)?;
        opened.session.set_up(&mut found, opened.training.learner.architecture().channels)?;
        found.finish()?;
        let &[finite, rollbacks] = &*numbers else { return Err(invalid_tensor(GUARD)) };
        let allowed = [(finite, GOOD_EPOCHS as f64), (rollbacks, f64::from(MAX_ROLLBACKS + 1))];
        if !allowed.iter().all(|(number, most)| (0.0..=*most).contains(number)) {
            return Err(invalid_tensor(GUARD));
        }
        let good_at = state.epoch.saturating_sub(finite as u64);
        opened.guard = guard(good, good_at).with_rollbacks(rollbacks as u64, good_at);
        opened.restore(&state)?;
        Ok(opened)
    }
}

/// Creates the rollback guard of a run. `good` is the learner state, saved after `epoch` training epochs, that the run
/// returns to after a divergence. A drop in hard accuracy does not count as divergence, because hard accuracy
/// fluctuates during training.
fn guard(good: State, epoch: u64) -> RollbackGuard<State> {
    RollbackGuard::new(good, epoch, ROLLBACK_POLICY)
}

/// Returns the number of target channels: the channels of a cell that the training loss compares with the target.
fn target_channels(learner: &LogicCa) -> usize {
    learner.target().map_or(1, |target| target.channels)
}

/// Computes the gate statistics from the learner's logits: number of gates by their most probable function, and the
/// mean over the gates of the largest function probability.
fn statistics(learner: &LogicCa) -> GateStatistics {
    let gates = learner.logits().as_chunks().0;
    let mut statistics = GateStatistics::default();
    let mut largest = 0.0;
    for logits in gates {
        let function = usize::from(gate::argmax_function(logits));
        statistics.functions[function] += 1;
        let others: f64 = logits.iter().map(|&logit| f64::from(logit - logits[function]).exp()).sum();
        largest += 1.0 / others;
    }
    statistics.confidence = largest / gates.len().max(1) as f64;
    statistics
}

/// Reads a learner state from the checkpoint tensors `found`. The tensor names begin with `prefix`. Each tensor must
/// have the shape of the corresponding tensor of `model`, except for the list of failed epochs, whose length varies.
///
/// # Errors
/// [`LabError::Checkpoint`] naming the invalid tensor.
fn read(prefix: &str, model: &State, found: &mut Tensors) -> Result<State, LabError> {
    let models = model.tensors(prefix);
    let [fixed @ .., steps, failed_epochs] = &*models else { unreachable!("a state has several tensors") };
    let mut tensors = found.take_like(fixed)?;
    // Older files do not contain the number of AdamW steps.
    if found.contains(&steps.name) {
        tensors.extend(found.take_like(std::slice::from_ref(steps))?);
    }
    // The length of this tensor varies.
    tensors.push(found.take(&failed_epochs.name)?);
    Ok(model.read(prefix, &SavedTensors(&tensors))?)
}
