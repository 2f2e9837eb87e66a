//! Checkpoints of a logic automaton.

use super::guard::LogicDivergenceGuard;
use super::sandbox::Sandbox;
use super::sandbox_session::{SandboxSession, invalid_tensor};
use super::simplified_circuit::SimplifiedCircuit;
use crate::entries::{read as read_config, too_large};
use serde_json::Value;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::run::Run;
use vivarium_logic_ca::gate::{self, FUNCTIONS};
use vivarium_logic_ca::{GateStatistics, LogicCa, LogicError, State};

/// Tensor of the divergence guard, and name prefix of the tensors of the saved state for roll-backs.
const GUARD: &str = "guard";
const GOOD: &str = "good/";

/// Tensors of the learner.
const EPOCH: &str = "epoch";
const STREAK: &str = "streak";
const SCHEDULE: &str = "schedule";
const MISTAKEN: &str = "mistaken";
const LOGITS: &str = "logits";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";

/// Maximum epoch counter in a checkpoint; 2⁴⁸ epochs would take years.
const MAX_EPOCHS: u64 = 1 << 48;

/// Learner, trained circuit and sandbox.
pub(super) struct LogicState {
    /// CPU learner. If a GPU trains, this is its state after the last epoch.
    pub(super) learner: LogicCa,
    pub(super) guard: LogicDivergenceGuard,
    /// Saved state for roll-backs.
    pub(super) good: State,
    /// Gate statistics of the latest epoch.
    pub(super) statistics: GateStatistics,
    /// Circuit of the learner's gates at the last refresh, and the gate functions in it.
    pub(super) trained_circuit: SimplifiedCircuit,
    functions: Vec<u8>,
    pub(super) session: SandboxSession,
}

impl LogicState {
    /// Creates an untrained state from a complete, validated config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if fields contradict each other.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let learner = LogicCa::new(read_config(config)?, seed)?;
        let functions = learner.functions();
        let trained_circuit = SimplifiedCircuit::from_learner(&learner, &functions).map_err(too_large)?;
        let sandbox = Sandbox::new(learner.config(), target_channels(&learner), seed, &trained_circuit)?;
        Ok(Self {
            guard: LogicDivergenceGuard::default(),
            good: learner.state(),
            statistics: statistics(&learner),
            session: SandboxSession::new(sandbox, &trained_circuit),
            trained_circuit,
            functions,
            learner,
        })
    }

    /// Number of target channels, which are displayed by default.
    pub(super) fn target_channels(&self) -> usize {
        target_channels(&self.learner)
    }

    /// Restores a state of this learner.
    ///
    /// # Errors
    /// [`LogicError`] if the state does not fit; nothing changes then.
    pub(super) fn restore(&mut self, state: &State) -> Result<(), LogicError> {
        self.learner.restore(state)?;
        self.statistics = statistics(&self.learner);
        self.refresh_circuit();
        Ok(())
    }

    /// Rebuilds the trained circuit if a gate function has changed.
    pub(super) fn refresh_circuit(&mut self) {
        let functions = self.learner.functions();
        if functions == self.functions {
            return;
        }
        // The gate count is that of the first circuit, so this cannot fail.
        if let Ok(simplified) = SimplifiedCircuit::from_learner(&self.learner, &functions) {
            (self.trained_circuit, self.functions) = (simplified, functions);
        }
    }

    /// Updates the circuit of the sandbox to the opened or, by default, the current trained circuit.
    pub(super) fn refresh_sandbox_circuit(&mut self) {
        if self.session.opened().is_none() {
            self.refresh_circuit();
        }
        self.session.run(&self.trained_circuit);
    }

    /// Serializes the run as at the start of the current epoch; a resumed run continues identically. `with_scene`
    /// includes the sandbox.
    pub(super) fn bytes(&self, run: &Run, with_scene: bool) -> Vec<u8> {
        let state = self.learner.state();
        let mut all = tensors("", &state);
        all.extend(tensors(GOOD, &self.good));
        all.extend([failed_epochs("", &state), failed_epochs(GOOD, &self.good)]);
        all.push(flat(GUARD, TensorData::F64(self.guard.numbers())));
        if with_scene {
            all.extend(self.session.tensors());
        }
        checkpoint::write(&run.header(state.epoch, Value::Null), &all)
    }

    /// Restores the state from a checkpoint with a complete, validated config.
    ///
    /// # Errors
    /// [`LabError`] if the tensors do not fit the config.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<Self, LabError> {
        let mut opened = Self::new(&header.config, header.seed)?;
        let model = opened.learner.state();
        let state = read("", &model, &mut found)?;
        let good = read(GOOD, &model, &mut found)?;
        let guard = found.take_f64(GUARD)?;
        opened.session.set_up(&mut found, opened.learner.architecture().channels)?;
        found.finish()?;
        opened.guard = LogicDivergenceGuard::from_numbers(&guard).ok_or_else(|| invalid_tensor(GUARD))?;
        opened.good = good;
        opened.restore(&state)?;
        Ok(opened)
    }
}

/// Number of target channels.
fn target_channels(learner: &LogicCa) -> usize {
    learner.target().map_or(1, |target| target.channels)
}

/// Computes the gate statistics from the logits.
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

/// Tensors of a learner's state; the target is part of the config.
fn tensors(prefix: &str, state: &State) -> Vec<Tensor> {
    let of_gates = |name: &str, values: &[f32]| Tensor {
        name: format!("{prefix}{name}"),
        shape: vec![values.len() / FUNCTIONS, FUNCTIONS],
        values: TensorData::F32(values.to_vec()),
    };
    vec![
        flat(format!("{prefix}{EPOCH}"), TensorData::U64(vec![state.epoch])),
        flat(format!("{prefix}{STREAK}"), TensorData::U64(vec![state.streak.into()])),
        flat(
            format!("{prefix}{SCHEDULE}"),
            TensorData::U64(vec![state.schedule_start, state.converged.into()]),
        ),
        of_gates(LOGITS, &state.logits),
        of_gates(FIRST_MOMENT, &state.first_moment),
        of_gates(SECOND_MOMENT, &state.second_moment),
    ]
}

/// Tensor of the failed epochs; its length varies.
fn failed_epochs(prefix: &str, state: &State) -> Tensor {
    flat(format!("{prefix}{MISTAKEN}"), TensorData::U64(state.failed_epochs.clone()))
}

/// Reads a state with the shapes of `model`.
///
/// # Errors
/// [`LabError::Checkpoint`] with the invalid tensor.
fn read(prefix: &str, model: &State, found: &mut Tensors) -> Result<State, LabError> {
    let mut values = found.take_like(&tensors(prefix, model))?.into_iter().map(|tensor| tensor.values);
    let mut state = model.clone();
    let numbers = |values: Option<TensorData>| match values {
        Some(TensorData::F32(numbers)) => numbers,
        _ => Vec::new(),
    };
    if let Some(TensorData::U64(epoch)) = values.next() {
        state.epoch = epoch[0];
    }
    if let Some(TensorData::U64(streak)) = values.next() {
        state.streak = u32::try_from(streak[0]).map_err(|_| invalid_tensor(&format!("{prefix}{STREAK}")))?;
    }
    if let Some(TensorData::U64(schedule)) = values.next() {
        (state.schedule_start, state.converged) = (schedule[0], schedule[1] > 0);
    }
    state.logits = numbers(values.next());
    state.first_moment = numbers(values.next());
    state.second_moment = numbers(values.next());
    let remembered = format!("{prefix}{MISTAKEN}");
    state.failed_epochs = match found.take(&remembered)?.values {
        TensorData::U64(epochs) => epochs,
        _ => return Err(invalid_tensor(&remembered)),
    };
    if state.epoch > MAX_EPOCHS {
        return Err(invalid_tensor(&format!("{prefix}{EPOCH}")));
    }
    // Second moments are means of squares.
    if state.second_moment.iter().any(|&square| square < 0.0) {
        return Err(invalid_tensor(&format!("{prefix}{SECOND_MOMENT}")));
    }
    Ok(state)
}
