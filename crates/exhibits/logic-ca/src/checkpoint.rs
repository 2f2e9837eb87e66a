//! What a checkpoint holds of a logic CA, as its bytes and back.

use super::guard::LogicDivergenceGuard;
use super::simplified_circuit::SimplifiedCircuit;
use super::sandbox_session::{SandboxSession, nonsense};
use super::sandbox::Sandbox;
use crate::entries::{read as read_config, too_large};
use serde_json::Value;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::run::Run;
use vivarium_logic_ca::gate::{self, FUNCTIONS};
use vivarium_logic_ca::{GateStatistics, LogicCa, LogicError, State};

/// The guard's numbers, and the tensors of the state that it goes back to, each with the learner's own name after it.
const GUARD: &str = "guard";
const GOOD: &str = "good/";

/// The learner's own tensors.
const EPOCH: &str = "epoch";
const STREAK: &str = "streak";
const SCHEDULE: &str = "schedule";
const MISTAKEN: &str = "mistaken";
const LOGITS: &str = "logits";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";

/// No honest counter is larger: 2⁴⁸ epochs take years.
const MAX_EPOCHS: u64 = 1 << 48;

/// What learns, the circuit that it has learned, and the stage.
pub(super) struct LogicState {
    /// The learner; while one on a device does the training, what that one was after its last epoch.
    pub(super) learner: LogicCa,
    pub(super) guard: LogicDivergenceGuard,
    /// What the guard goes back to.
    pub(super) good: State,
    /// What the gates tended to be in the latest epoch.
    pub(super) statistics: GateStatistics,
    /// The circuit of the learner's gates as they were when it was last made, and each gate's function in it.
    pub(super) newest: SimplifiedCircuit,
    functions: Vec<u8>,
    pub(super) scene: SandboxSession,
}

impl LogicState {
    /// That of a learner that has learned nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let learner = LogicCa::new(read_config(config)?, seed)?;
        let functions = learner.functions();
        let newest = SimplifiedCircuit::learned(&learner, &functions).map_err(too_large)?;
        let stage = Sandbox::new(learner.config(), target_channels(&learner), seed, &newest)?;
        Ok(Self {
            guard: LogicDivergenceGuard::default(),
            good: learner.state(),
            statistics: statistics(&learner),
            scene: SandboxSession::new(stage, &newest),
            newest,
            functions,
            learner,
        })
    }

    /// Channels that are shown.
    pub(super) fn target_channels(&self) -> usize {
        target_channels(&self.learner)
    }

    /// Goes on from a state of this learner's.
    ///
    /// # Errors
    /// [`LogicError`] if it is none; nothing is changed then.
    pub(super) fn take_up(&mut self, state: &State) -> Result<(), LogicError> {
        self.learner.restore(state)?;
        self.statistics = statistics(&self.learner);
        self.renew_circuit();
        Ok(())
    }

    /// Makes the circuit of what the gates are now, unless it is there already.
    pub(super) fn renew_circuit(&mut self) {
        let functions = self.learner.functions();
        if functions == self.functions {
            return;
        }
        // It has as many gates as the first one, which could be made.
        if let Ok(running) = SimplifiedCircuit::learned(&self.learner, &functions) {
            (self.newest, self.functions) = (running, functions);
        }
    }

    /// Puts the circuit on the stage that belongs there.
    pub(super) fn put_on_stage(&mut self) {
        if self.scene.opened().is_none() {
            self.renew_circuit();
        }
        self.scene.run(&self.newest);
    }

    /// The checkpoint of a run, as it was at the start of the present epoch: it goes on from there exactly as it did. What a
    /// person has set up on the stage is written with it where that is wanted.
    pub(super) fn bytes(&self, run: &Run, with_scene: bool) -> Vec<u8> {
        let state = self.learner.state();
        let mut all = tensors("", &state);
        all.extend(tensors(GOOD, &self.good));
        all.extend([failed_epochs("", &state), failed_epochs(GOOD, &self.good)]);
        all.push(flat(GUARD, TensorData::F64(self.guard.numbers())));
        if with_scene {
            all.extend(self.scene.tensors());
        }
        checkpoint::write(&run.header(state.epoch, Value::Null), &all)
    }

    /// The state in a checkpoint, whose config is whole and checked.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(super) fn open(header: &Header, mut found: Tensors) -> Result<Self, LabError> {
        let mut opened = Self::new(&header.config, header.seed)?;
        let model = opened.learner.state();
        let state = read("", &model, &mut found)?;
        let good = read(GOOD, &model, &mut found)?;
        let guard = found.take_f64(GUARD)?;
        opened.scene.set_up(&mut found, opened.learner.architecture().channels)?;
        found.finish()?;
        opened.guard = LogicDivergenceGuard::from_numbers(&guard).ok_or_else(|| nonsense(GUARD))?;
        opened.good = good;
        opened.take_up(&state)?;
        Ok(opened)
    }
}

/// Channels that the target has.
fn target_channels(learner: &LogicCa) -> usize {
    learner.target().map_or(1, |target| target.channels)
}

/// What the gates tend to be.
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

/// A learner's state as tensors. What it learns stands in the config.
fn tensors(prefix: &str, state: &State) -> Vec<Tensor> {
    let of_gates = |name: &str, values: &[f32]| Tensor {
        name: format!("{prefix}{name}"),
        shape: vec![values.len() / FUNCTIONS, FUNCTIONS],
        values: TensorData::F32(values.to_vec()),
    };
    vec![
        flat(format!("{prefix}{EPOCH}"), TensorData::U64(vec![state.epoch])),
        flat(format!("{prefix}{STREAK}"), TensorData::U64(vec![state.streak.into()])),
        flat(format!("{prefix}{SCHEDULE}"), TensorData::U64(vec![state.schedule_start, state.ripe.into()])),
        of_gates(LOGITS, &state.logits),
        of_gates(FIRST_MOMENT, &state.first_moment),
        of_gates(SECOND_MOMENT, &state.second_moment),
    ]
}

/// The epochs that a state remembers, few or many.
fn failed_epochs(prefix: &str, state: &State) -> Tensor {
    flat(format!("{prefix}{MISTAKEN}"), TensorData::U64(state.failed_epochs.clone()))
}

/// A state of the same shapes as `model`.
///
/// # Errors
/// [`LabError::Checkpoint`] naming the tensor and what is wrong with it.
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
        state.streak = u32::try_from(streak[0]).map_err(|_| nonsense(&format!("{prefix}{STREAK}")))?;
    }
    if let Some(TensorData::U64(schedule)) = values.next() {
        (state.schedule_start, state.ripe) = (schedule[0], schedule[1] > 0);
    }
    state.logits = numbers(values.next());
    state.first_moment = numbers(values.next());
    state.second_moment = numbers(values.next());
    let remembered = format!("{prefix}{MISTAKEN}");
    state.failed_epochs = match found.take(&remembered)?.values {
        TensorData::U64(epochs) => epochs,
        _ => return Err(nonsense(&remembered)),
    };
    if state.epoch > MAX_EPOCHS {
        return Err(nonsense(&format!("{prefix}{EPOCH}")));
    }
    // Means of squares.
    if state.second_moment.iter().any(|&square| square < 0.0) {
        return Err(nonsense(&format!("{prefix}{SECOND_MOMENT}")));
    }
    Ok(state)
}
