//! What a checkpoint holds of a control experiment, as its bytes and back.

use super::guard::DivergenceGuard;
use super::learner::ControlLearner;
use super::recent::RecentEpisodes;
use crate::entries::describe::ControlWorld;
use vivarium_config::shortest;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::run::Run;

/// The guard's and the mean return's numbers, and the tensors of the best state and of the one that may become it, each
/// with the learner's own name after it.
const GUARD: &str = "guard";
const RECENT: &str = "recent";
const BEST: &str = "best/";
const CANDIDATE: &str = "candidate/";

/// What the tensors begin with of what was learned by the start of an iteration, where a file may lie in the middle of one.
const START: &str = "start/";

/// The learner's totals.
const COUNTERS: &str = "counters";

/// No honest counter is larger: 2⁴⁸ steps take years.
const MOST_COUNTED: u64 = 1 << 48;

/// What learns, and what it goes back to where learning breaks down.
pub(super) struct ControlState<W: ControlWorld> {
    pub(super) learner: Box<dyn ControlLearner<W>>,
    pub(super) guard: DivergenceGuard,
    /// What the learner had learned when it was best.
    pub(super) best: Vec<Tensor>,
    /// What it had learned when it did better than ever, which has yet to prove itself.
    pub(super) candidate: Vec<Tensor>,
    /// What it had learned at the start of the present iteration: an iteration's return is this one's merit, whatever
    /// the update then makes of it.
    pub(super) start: Vec<Tensor>,
    pub(super) recent: RecentEpisodes,
}

impl<W: ControlWorld> ControlState<W> {
    /// That of a learner which nothing is known about yet.
    pub(super) fn new(learner: Box<dyn ControlLearner<W>>) -> Self {
        let longest = learner.iterations(W::STEP_LIMIT);
        Self {
            guard: DivergenceGuard::new(shortest(W::RETURNS.0), shortest(W::SOLVED), longest),
            best: learner.learned(),
            candidate: learner.learned(),
            start: learner.learned(),
            recent: RecentEpisodes::default(),
            learner,
        }
    }

    /// The checkpoint of a run, of the present moment or as it was at the start of the present iteration: the run goes on from
    /// there exactly as it did.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let mut tensors = self.learner.save();
        let steps = counters(&tensors).first().copied().unwrap_or(0);
        tensors.push(flat(GUARD, TensorData::F64(self.guard.numbers())));
        tensors.push(flat(RECENT, TensorData::F64(self.recent.numbers())));
        tensors.extend(under(BEST, &self.best));
        tensors.extend(under(CANDIDATE, &self.candidate));
        if self.learner.saves_midway() {
            tensors.extend(under(START, &self.start));
        }
        checkpoint::write(&run.header(steps, serde_json::Value::Null), &tensors)
    }

    /// The state in a checkpoint, whose config is whole and checked.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(super) fn open(header: &Header, mut tensors: Tensors) -> Result<Self, LabError> {
        let fresh = Self::new(W::learner(&header.config, header.seed)?);
        let nonsense = |name: &str| LabError::checkpoint(format!("{name} holds numbers that make no sense"));

        let state = fresh.learner.state_of(&mut tensors)?;
        judge(&state, W::STEP_LIMIT)?;
        let mut learned = |group| {
            let learned = without(group, tensors.take_like(&under(group, &fresh.best))?);
            judge(&learned, W::STEP_LIMIT).map(|()| learned)
        };
        let (best, candidate) = (learned(BEST)?, learned(CANDIDATE)?);
        let start = if fresh.learner.saves_midway() { Some(learned(START)?) } else { None };
        let (guard, recent) = (tensors.take_f64(GUARD)?, tensors.take_f64(RECENT)?);
        tensors.finish()?;
        let guard: DivergenceGuard = fresh.guard.with_numbers(&guard).ok_or_else(|| nonsense(GUARD))?;
        let recent = RecentEpisodes::from_numbers(&recent).ok_or_else(|| nonsense(RECENT))?;
        let learner = fresh.learner.restored(&header.config, &state)?;
        let start = start.unwrap_or_else(|| learner.learned());
        Ok(Self { learner, guard, best, candidate, start, recent })
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
    if let Some(Tensor { values: TensorData::U64(counters), .. }) = found { counters } else { &[] }
}

/// Refuses numbers that no run could have come to, though they are finite.
fn judge(state: &[Tensor], step_limit: u32) -> Result<(), LabError> {
    for tensor in state {
        let sensible = match (tensor.name.as_str(), &tensor.values) {
            (COUNTERS | "world/tick", TensorData::U64(counts)) => {
                counts.iter().all(|&count| count <= MOST_COUNTED)
            }
            ("world/age" | "episode/length", TensorData::U32(ages)) => {
                ages.iter().all(|&age| age <= step_limit)
            }
            // Means of squares.
            (name, TensorData::F32(squares)) if name.starts_with("adam/second_moment/") => {
                squares.iter().all(|&square| square >= 0.0)
            }
            // Count, mean and sum of squares.
            (name, TensorData::F64(moments)) if name.starts_with("normaliser/") => {
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
