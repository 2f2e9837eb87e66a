//! A control experiment as a checkpoint, and back.

use super::experiment::ControlExperiment;
use super::guard::Guard;
use super::recent::Recent;
use crate::entries::describe::ControlWorld;
use vivarium_lab::checkpoint::{self, Header, Tensor, Tensors, Values, flat};
use vivarium_lab::error::LabError;

/// The guard's and the mean return's numbers, and the tensors of the best state and of the one that may become it, each
/// with the learner's own name after it.
const GUARD: &str = "guard";
const RECENT: &str = "recent";
const BEST: &str = "best/";
const CANDIDATE: &str = "candidate/";

/// What the tensors begin with of what was learnt by the start of an iteration, where a file may lie in the middle of one.
const START: &str = "start/";

/// The learner's totals.
const COUNTERS: &str = "counters";

/// No honest counter is larger: 2⁴⁸ steps take years.
const MOST_COUNTED: u64 = 1 << 48;

impl<W: ControlWorld> ControlExperiment<W> {
    /// The whole state, of the present moment or as it was at the start of the present iteration: the run goes on from there
    /// exactly as it did.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut tensors = self.learner.save();
        let steps = counters(&tensors).first().copied().unwrap_or(0);
        tensors.push(flat(GUARD, Values::F64(self.guard.numbers())));
        tensors.push(flat(RECENT, Values::F64(self.recent.numbers())));
        tensors.extend(under(BEST, &self.best));
        tensors.extend(under(CANDIDATE, &self.candidate));
        if self.learner.saves_midway() {
            tensors.extend(under(START, &self.start));
        }
        checkpoint::write(&self.run.header(steps, serde_json::Value::Null), &tensors)
    }

    /// The experiment of a checkpoint, whose config is whole and checked.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(crate) fn open(header: &Header, mut tensors: Tensors) -> Result<Self, LabError> {
        let config = header.config.clone();
        let fresh = Self::new(config.clone(), header.seed)?;
        let nonsense = |name: &str| LabError::checkpoint(format!("{name} holds numbers that make no sense"));

        let state = fresh.learner.state_of(&mut tensors)?;
        judge(&state, W::STEP_LIMIT)?;
        let mut learned = |group| {
            let learned = without(group, tensors.take_like(&under(group, &fresh.best))?);
            judge(&learned, W::STEP_LIMIT).map(|()| learned)
        };
        let (best, candidate) = (learned(BEST)?, learned(CANDIDATE)?);
        let start = if fresh.learner.saves_midway() { Some(learned(START)?) } else { None };
        let (guard, recent) = (tensors.take_numbers(GUARD)?, tensors.take_numbers(RECENT)?);
        tensors.finish()?;
        let guard: Guard = fresh.guard.with_numbers(&guard).ok_or_else(|| nonsense(GUARD))?;
        let recent = Recent::from_numbers(&recent).ok_or_else(|| nonsense(RECENT))?;
        let learner = fresh.learner.restored(&config, &state)?;

        let mut opened = Self::around(config, learner);
        (opened.best, opened.candidate) = (best, candidate);
        opened.start = start.unwrap_or(opened.start);
        (opened.guard, opened.recent) = (guard, recent);
        Ok(opened)
    }
}

/// Tensors with a prefix put before their names.
fn under(prefix: &str, tensors: &[Tensor]) -> Vec<Tensor> {
    tensors
        .iter()
        .map(|tensor| Tensor { name: format!("{prefix}{}", tensor.name), ..tensor.clone() })
        .collect()
}

/// Tensors with a prefix taken from their names.
fn without(prefix: &str, tensors: Vec<Tensor>) -> Vec<Tensor> {
    tensors.into_iter().map(|tensor| Tensor { name: tensor.name[prefix.len()..].into(), ..tensor }).collect()
}

fn counters(tensors: &[Tensor]) -> &[u64] {
    let found = tensors.iter().find(|tensor| tensor.name == COUNTERS);
    if let Some(Tensor { values: Values::U64(counters), .. }) = found { counters } else { &[] }
}

/// Refuses numbers that no run could have come to, though they are finite.
fn judge(state: &[Tensor], step_limit: u32) -> Result<(), LabError> {
    for tensor in state {
        let sensible = match (tensor.name.as_str(), &tensor.values) {
            (COUNTERS | "world/tick", Values::U64(counts)) => {
                counts.iter().all(|&count| count <= MOST_COUNTED)
            }
            ("world/age" | "episode/length", Values::U32(ages)) => ages.iter().all(|&age| age <= step_limit),
            // Means of squares.
            (name, Values::F32(squares)) if name.starts_with("adam/second_moment/") => {
                squares.iter().all(|&square| square >= 0.0)
            }
            // Count, mean and sum of squares.
            (name, Values::F64(moments)) if name.starts_with("normaliser/") => {
                moments.as_chunks::<3>().0.iter().all(|[count, _, squares]| *count >= 0.0 && *squares >= 0.0)
            }
            _ => true,
        };
        if !sensible {
            return Err(LabError::checkpoint(format!("{} holds numbers that make no sense", tensor.name)));
        }
    }
    Ok(())
}
