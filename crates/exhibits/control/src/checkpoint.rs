//! Checkpoints of control experiments.

use super::learner::{ControlAlgorithm, ControlLearner};
use super::recent::RecentEpisodes;
use super::return_monitor::ReturnMonitor;
use crate::entries::describe::ControlSpec;
use crate::learners::learner;
use vivarium_config::shortest;
use vivarium_envs::EnvSpec;
use vivarium_lab::checkpoint::{self, Header, Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_lab::rollback::{MAX_ROLLBACKS, RollbackGuard, RollbackPolicy};
use vivarium_lab::run::Run;

/// Name of the checkpoint tensor that holds the state of the divergence detection and the number of consecutive
/// rollbacks.
const GUARD: &str = "guard";
/// Name of the checkpoint tensor that holds the mean returns and mean lengths of the newest training episodes.
const RECENT: &str = "recent";
/// Name prefix of the learned tensors of the best state, to which a diverged run returns.
const BEST: &str = "best/";
/// Name prefix of the learned tensors of the candidate for the best state (see the module `return_monitor`).
const CANDIDATE: &str = "candidate/";

/// Name prefix of the learned tensors at the start of the present iteration. Only checkpoints of learners that can be
/// saved within an iteration contain these tensors; see [`ControlAlgorithm::saves_midway`].
const START: &str = "start/";

/// Name of the checkpoint tensor that holds the learner's counters, such as its numbers of steps and updates.
const COUNTERS: &str = "counters";

/// Largest accepted value of a counter in a checkpoint. No run reaches this value, because 2⁴⁸ steps take years.
const MOST_COUNTED: u64 = 1 << 48;

/// The part of a control experiment that a checkpoint stores: learner, divergence detection, and the learned states
/// (best state and candidate) that a rollback may restore now or later.
pub(super) struct ControlState {
    pub(super) learner: Box<dyn ControlLearner>,
    pub(super) monitor: ReturnMonitor,
    /// Learned tensors of the best state so far, which a rollback restores, and the number of consecutive rollbacks.
    /// The mean return decides when a state becomes the best state, not the interval of [`RollbackPolicy`].
    pub(super) guard: RollbackGuard<Vec<Tensor>>,
    /// Learned tensors of the candidate for the best state. The candidate becomes the best state if the mean return
    /// does not fall in the following iterations; see the module `return_monitor`.
    pub(super) candidate: Vec<Tensor>,
    /// Learned tensors (weights, optimizer, normalizer) at the start of the present iteration. Their policy produced
    /// the episodes of this iteration.
    pub(super) start: Vec<Tensor>,
    pub(super) recent: RecentEpisodes,
}

impl ControlState {
    /// Creates the initial state of a run that trains `learner`.
    pub(super) fn new(learner: Box<dyn ControlLearner>) -> Self {
        let algorithm = learner.algorithm();
        let EnvSpec { returns: (worst, _), solved, step_limit, .. } = *algorithm.environment().spec();
        Self {
            monitor: ReturnMonitor::new(shortest(worst), shortest(solved), algorithm.iterations(step_limit)),
            guard: guard(algorithm, algorithm.learned()),
            candidate: algorithm.learned(),
            start: algorithm.learned(),
            recent: RecentEpisodes::default(),
            learner,
        }
    }

    /// Serializes a checkpoint. A run that is restored from this checkpoint continues bit-identically, either from the
    /// present state or from the start of the present iteration; see [`ControlAlgorithm::saves_midway`].
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let mut tensors = self.learner.save();
        let steps = counters(&tensors).first().copied().unwrap_or(0);
        let [down, monitor @ ..] = self.monitor.numbers();
        let guard = [down, self.guard.rollbacks().into()].into_iter().chain(monitor).collect();
        tensors.push(flat(GUARD, TensorData::F64(guard)));
        tensors.push(flat(RECENT, TensorData::F64(self.recent.numbers())));
        tensors.extend(under(BEST, self.guard.good()));
        tensors.extend(under(CANDIDATE, &self.candidate));
        if self.learner.algorithm().saves_midway() {
            tensors.extend(under(START, &self.start));
        }
        checkpoint::write(&run.header(steps, serde_json::Value::Null), &tensors)
    }

    /// Creates the state of a run from `tensors`, the tensors of a checkpoint. The config in the checkpoint's `header`
    /// must be complete and valid.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid tensor.
    pub(super) fn open(spec: &ControlSpec, header: &Header, mut tensors: Tensors) -> Result<Self, LabError> {
        let mut fresh = Self::new(learner(spec, &header.config, header.seed)?);
        let invalid = |name: &str| LabError::checkpoint(format!("{name} holds invalid values"));

        let (model, saves_midway) = (fresh.learner.save(), fresh.learner.algorithm().saves_midway());
        let state = if saves_midway {
            // Replay buffers and pending steps vary in length; `restore` checks the shapes.
            model.iter().map(|model| tensors.take(&model.name)).collect::<Result<_, _>>()?
        } else {
            tensors.take_like(&model)?
        };
        check_plausible(&state, spec.env.step_limit)?;
        let mut learned = |group| {
            let learned = without(group, tensors.take_like(&under(group, fresh.guard.good()))?);
            check_plausible(&learned, spec.env.step_limit).map(|()| learned)
        };
        let (best, candidate) = (learned(BEST)?, learned(CANDIDATE)?);
        let start = if saves_midway { Some(learned(START)?) } else { None };
        let (guard, recent) = (tensors.take_f64(GUARD)?, tensors.take_f64(RECENT)?);
        tensors.finish()?;
        let &[down, rollbacks, ref monitor @ ..] = &*guard else { return Err(invalid(GUARD)) };
        let &[has_best, mean, held, candidate_mean] = monitor else { return Err(invalid(GUARD)) };
        let monitor = fresh.monitor.with_numbers([down, has_best, mean, held, candidate_mean]);
        let monitor = monitor
            .filter(|_| (0.0..=f64::from(MAX_ROLLBACKS + 1)).contains(&rollbacks))
            .ok_or_else(|| invalid(GUARD))?;
        let guard = self::guard(fresh.learner.algorithm(), best).with_rollbacks(rollbacks as u64, 0);
        let recent = RecentEpisodes::from_numbers(&recent).ok_or_else(|| invalid(RECENT))?;
        fresh.learner.restore(&header.config, &state)?;
        let start = start.unwrap_or_else(|| fresh.learner.algorithm().learned());
        Ok(Self { learner: fresh.learner, monitor, guard, candidate, start, recent })
    }
}

/// Creates the rollback guard of a run, which restores the best state if training diverges or the mean return
/// collapses. `best` holds the learned tensors of the best state so far.
fn guard(algorithm: &dyn ControlAlgorithm, best: Vec<Tensor>) -> RollbackGuard<Vec<Tensor>> {
    let learning_rates = algorithm.learning_rates();
    RollbackGuard::new(best, 0, RollbackPolicy { interval: u64::MAX, steady: u64::MAX, learning_rates })
}

/// Returns copies of `tensors` with `prefix` prepended to their names.
fn under(prefix: &str, tensors: &[Tensor]) -> Vec<Tensor> {
    tensors
        .iter()
        .map(|tensor| Tensor { name: format!("{prefix}{}", tensor.name), ..tensor.clone() })
        .collect()
}

/// Removes `prefix` from the name of each tensor, and returns the renamed tensors.
fn without(prefix: &str, tensors: Vec<Tensor>) -> Vec<Tensor> {
    tensors.into_iter().map(|tensor| Tensor { name: tensor.name[prefix.len()..].into(), ..tensor }).collect()
}

fn counters(tensors: &[Tensor]) -> &[u64] {
    let found = tensors.iter().find(|tensor| tensor.name == COUNTERS);
    if let Some(Tensor { values: TensorData::U64(counters), .. }) = found { counters } else { &[] }
}

/// Returns an error if a tensor of the learner state contains impossible numbers, such as a negative variance, or an
/// episode with more than `step_limit` environment steps.
fn check_plausible(state: &[Tensor], step_limit: u32) -> Result<(), LabError> {
    for tensor in state {
        let sensible = match (tensor.name.as_str(), &tensor.values) {
            (COUNTERS | "world/tick", TensorData::U64(counts)) => {
                counts.iter().all(|&count| count <= MOST_COUNTED)
            }
            ("world/age" | "episode/length", TensorData::U32(ages)) => {
                ages.iter().all(|&age| age <= step_limit)
            }
            // Second moments are means of squares and cannot be negative.
            (name, TensorData::F32(squares)) if name.starts_with("adam/second_moment/") => {
                squares.iter().all(|&square| square >= 0.0)
            }
            // Rows `[count, mean, sum of squared deviations]`.
            (name, TensorData::F64(moments)) if name.starts_with("normaliser/") => {
                moments.as_chunks::<3>().0.iter().all(|[count, _, squares]| *count >= 0.0 && *squares >= 0.0)
            }
            _ => true,
        };
        if !sensible {
            return Err(LabError::checkpoint(format!("{} holds invalid values", tensor.name)));
        }
    }
    Ok(())
}
