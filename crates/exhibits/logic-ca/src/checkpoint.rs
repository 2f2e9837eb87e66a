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

/// Name of the tensor with the counters of the divergence detection, and name prefix of the tensors with the state that
/// a run returns to after a divergence.
const GUARD: &str = "guard";
const GOOD: &str = "good/";

/// Names of the tensors that hold the learner's state.
const EPOCH: &str = "epoch";
const STREAK: &str = "streak";
const SCHEDULE: &str = "schedule";
const MISTAKEN: &str = "mistaken";
const LOGITS: &str = "logits";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";
/// Name of the tensor with the number of AdamW steps. Older files have none; see [`read`].
const STEPS: &str = "adam/steps";

/// Maximum epoch counter in a checkpoint; 2⁴⁸ epochs would take years.
const MAX_EPOCHS: u64 = 1 << 48;

/// State of an experiment: learner, divergence detection, trained circuit and sandbox.
pub(super) struct LogicState {
    /// CPU learner. If training runs on a GPU, the CPU learner holds the state after the last epoch.
    pub(super) learner: LogicCa,
    pub(super) guard: LogicDivergenceGuard,
    /// Learner state that the run returns to after a divergence.
    pub(super) good: State,
    /// Statistics of the gates' function distributions in the latest epoch.
    pub(super) statistics: GateStatistics,
    /// Simplified circuit of the learner's gates at the last call of `refresh_circuit`, and the functions of all
    /// trained gates at that time.
    pub(super) trained_circuit: SimplifiedCircuit,
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
            guard: LogicDivergenceGuard::default(),
            good: learner.state(),
            statistics: statistics(&learner),
            session: SandboxSession::new(sandbox, &trained_circuit),
            trained_circuit,
            functions,
            learner,
        })
    }

    /// Returns the number of target channels; front ends display these channels by default.
    pub(super) fn target_channels(&self) -> usize {
        target_channels(&self.learner)
    }

    /// Restores the learner from `state` and rebuilds the gate statistics and the trained circuit.
    ///
    /// # Errors
    /// [`LogicError`] if the arrays of `state` do not fit the learner. Nothing changes in this case.
    pub(super) fn restore(&mut self, state: &State) -> Result<(), LogicError> {
        self.learner.restore(state)?;
        self.statistics = statistics(&self.learner);
        self.refresh_circuit();
        Ok(())
    }

    /// Rebuilds the trained circuit if the function of a gate has changed since the last call.
    pub(super) fn refresh_circuit(&mut self) {
        let functions = self.learner.functions();
        if functions == self.functions {
            return;
        }
        // Before simplification the circuit has as many gates as the one that `new` accepted, so this cannot fail.
        if let Ok(simplified) = SimplifiedCircuit::from_learner(&self.learner, &functions) {
            (self.trained_circuit, self.functions) = (simplified, functions);
        }
    }

    /// Sets the circuit of the sandbox: the circuit that was opened from a file or, by default, the current trained
    /// circuit.
    pub(super) fn refresh_sandbox_circuit(&mut self) {
        if self.session.opened().is_none() {
            self.refresh_circuit();
        }
        self.session.run(&self.trained_circuit);
    }

    /// Serializes the run in its state at the start of the current epoch. Training resumed from the checkpoint gives
    /// the same results as uninterrupted training. `with_scene` includes the sandbox.
    pub(super) fn bytes(&self, run: &Run, with_scene: bool) -> Vec<u8> {
        let state = self.learner.state();
        let mut all = tensors("", &state);
        all.extend(tensors(GOOD, &self.good));
        all.extend([failed_epochs("", &state), failed_epochs(GOOD, &self.good)]);
        all.extend([steps("", &state), steps(GOOD, &self.good)]);
        all.push(flat(GUARD, TensorData::F64(self.guard.numbers())));
        if with_scene {
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

/// Returns the number of target channels.
fn target_channels(learner: &LogicCa) -> usize {
    learner.target().map_or(1, |target| target.channels)
}

/// Computes the statistics of the gates' function distributions from the learner's logits.
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

/// Returns the tensors of a learner's state, with `prefix` before each name. The target has no tensor, because it is
/// part of the config.
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

/// Returns the tensor with the numbers of the latest epochs with wrong bits, `[epochs]`; its length varies.
fn failed_epochs(prefix: &str, state: &State) -> Tensor {
    flat(format!("{prefix}{MISTAKEN}"), TensorData::U64(state.failed_epochs.clone()))
}

/// Returns the tensor with the number of AdamW steps.
fn steps(prefix: &str, state: &State) -> Tensor {
    flat(format!("{prefix}{STEPS}"), TensorData::U64(vec![state.steps]))
}

/// Reads the learner state whose tensor names begin with `prefix`; the shapes must be those of `model`.
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
    let counted = steps(prefix, model);
    // Older files have no such tensor. Their bias correction counted the epochs, and it goes on from there.
    state.steps = state.epoch;
    if found.contains(&counted.name)
        && let Some(TensorData::U64(steps)) = found.take_like(&[counted])?.pop().map(|tensor| tensor.values)
    {
        state.steps = steps[0];
    }
    if state.steps > state.epoch {
        return Err(invalid_tensor(&format!("{prefix}{STEPS}")));
    }
    if state.epoch > MAX_EPOCHS {
        return Err(invalid_tensor(&format!("{prefix}{EPOCH}")));
    }
    // Second moments are means of squares and cannot be negative.
    if state.second_moment.iter().any(|&square| square < 0.0) {
        return Err(invalid_tensor(&format!("{prefix}{SECOND_MOMENT}")));
    }
    Ok(state)
}
