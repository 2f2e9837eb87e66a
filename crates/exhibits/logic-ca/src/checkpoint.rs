//! A logic CA as a checkpoint, and back.

use super::experiment::{LogicExperiment, refused};
use super::guard::Guard;
use vivarium_lab::checkpoint::{self, Header, Tensor, Tensors, Values, flat};
use vivarium_lab::error::LabError;
use vivarium_logic_ca::State;
use vivarium_logic_ca::gate::FUNCTIONS;

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
const MOST_EPOCHS: u64 = 1 << 48;

impl LogicExperiment {
    /// The whole state, as it was at the start of the present epoch: the run goes on from there exactly as it did. `more` is
    /// written with it.
    pub(super) fn bytes(&self, more: Vec<Tensor>) -> Vec<u8> {
        let state = self.learner.state();
        let mut all = tensors("", &state);
        all.extend(tensors(GOOD, &self.good));
        all.extend([mistaken("", &state), mistaken(GOOD, &self.good)]);
        all.push(flat(GUARD, Values::F64(self.guard.numbers())));
        all.extend(more);
        checkpoint::write(&self.run.header(state.epoch, serde_json::Value::Null), &all)
    }

    /// The experiment of a checkpoint, whose config is whole and checked.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(crate) fn open(header: &Header, mut found: Tensors) -> Result<Self, LabError> {
        let mut opened = Self::new(header.config.clone(), header.seed)?;
        let model = opened.learner.state();
        let state = read("", &model, &mut found)?;
        let good = read(GOOD, &model, &mut found)?;
        let guard = found.take_numbers(GUARD)?;
        opened.set_up(&mut found)?;
        found.finish()?;
        opened.guard = Guard::from_numbers(&guard).ok_or_else(|| nonsense(GUARD))?;
        opened.good = good;
        opened.take_up(&state).map_err(|error| refused(&error))?;
        Ok(opened)
    }
}

pub(super) fn nonsense(name: &str) -> LabError {
    LabError::checkpoint(format!("{name} holds numbers that make no sense"))
}

/// A learner's state as tensors. What it learns stands in the config.
fn tensors(prefix: &str, state: &State) -> Vec<Tensor> {
    let of_gates = |name: &str, values: &[f32]| Tensor {
        name: format!("{prefix}{name}"),
        shape: vec![values.len() / FUNCTIONS, FUNCTIONS],
        values: Values::F32(values.to_vec()),
    };
    vec![
        flat(format!("{prefix}{EPOCH}"), Values::U64(vec![state.epoch])),
        flat(format!("{prefix}{STREAK}"), Values::U64(vec![state.streak.into()])),
        flat(format!("{prefix}{SCHEDULE}"), Values::U64(vec![state.began, state.ripe.into()])),
        of_gates(LOGITS, &state.logits),
        of_gates(FIRST_MOMENT, &state.first_moment),
        of_gates(SECOND_MOMENT, &state.second_moment),
    ]
}

/// The epochs that a state remembers, few or many.
fn mistaken(prefix: &str, state: &State) -> Tensor {
    flat(format!("{prefix}{MISTAKEN}"), Values::U64(state.mistaken.clone()))
}

/// A state of the same shapes as `model`.
///
/// # Errors
/// [`LabError::Checkpoint`] naming the tensor and what is wrong with it.
fn read(prefix: &str, model: &State, found: &mut Tensors) -> Result<State, LabError> {
    let mut values = found.take_like(&tensors(prefix, model))?.into_iter().map(|tensor| tensor.values);
    let mut state = model.clone();
    let numbers = |values: Option<Values>| match values {
        Some(Values::F32(numbers)) => numbers,
        _ => Vec::new(),
    };
    if let Some(Values::U64(epoch)) = values.next() {
        state.epoch = epoch[0];
    }
    if let Some(Values::U64(streak)) = values.next() {
        state.streak = u32::try_from(streak[0]).map_err(|_| nonsense(&format!("{prefix}{STREAK}")))?;
    }
    if let Some(Values::U64(schedule)) = values.next() {
        (state.began, state.ripe) = (schedule[0], schedule[1] > 0);
    }
    state.logits = numbers(values.next());
    state.first_moment = numbers(values.next());
    state.second_moment = numbers(values.next());
    let remembered = format!("{prefix}{MISTAKEN}");
    state.mistaken = match found.take(&remembered)?.values {
        Values::U64(epochs) => epochs,
        _ => return Err(nonsense(&remembered)),
    };
    if state.epoch > MOST_EPOCHS {
        return Err(nonsense(&format!("{prefix}{EPOCH}")));
    }
    // Means of squares.
    if state.second_moment.iter().any(|&square| square < 0.0) {
        return Err(nonsense(&format!("{prefix}{SECOND_MOMENT}")));
    }
    Ok(state)
}
