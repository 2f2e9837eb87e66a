//! Checkpoints of DQN as named tensors. They include the replay buffer with its priorities; a restored run continues
//! bit-identically.

use super::config::DqnConfig;
use super::learner::{Dqn, DqnEnvs};
use super::network::DqnGraph;
use super::problem::DqnProblem;
use super::report::DqnCounters;
use super::returns::{MOST_STEPS, NStepTransition, NStepWindow, PendingReturn};
use super::update::DqnUpdater;
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor, TensorData};
use vivarium_learn::Network;

/// Name prefixes of the parameter tensors of the online and of the target network.
const WEIGHTS: &str = "weights";
const TARGET: &str = "target";
/// Names of the tensors of counters, sums, replay buffer and environments.
const COUNTERS: &str = "counters";
const SUMS: &str = "iteration/sums";
const DUE: &str = "replay/due";
const PLACES: &str = "replay/places";
const TRANSITIONS: &str = "replay/transitions";
const PRIORITIES: &str = "replay/priorities";
const LARGEST: &str = "replay/largest_priority";
const STATES: &str = "lanes/states";
const EPISODES: &str = "lanes/episodes";
const RETURNS: &str = "lanes/returns";
const PENDING: &str = "lanes/pending";

/// Number of 32-bit words of a packed transition or pending return without its states: the reward, and one word that
/// packs four bytes.
const EXTRA: usize = 2;

impl<P: DqnProblem> Dqn<P> {
    /// Returns the complete state of the learner.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.problem.save();
        tensors.extend(self.learned());
        let mut add = |name: &str, shape: &[usize], values| {
            tensors.push(Tensor::new(name, shape, values));
        };
        add(COUNTERS, &[DqnCounters::COUNT], TensorData::U64(self.counters.numbers().to_vec()));
        let sums = self.sums.numbers();
        add(SUMS, &[sums.len()], TensorData::F64(sums));
        add(DUE, &[1], TensorData::F64(vec![self.due]));

        let (replay, curriculum) = (&self.replay, &self.curriculum);
        let places = [replay.next() as u32, curriculum.open, curriculum.episodes, curriculum.successes];
        add(PLACES, &[places.len()], TensorData::U32(places.to_vec()));
        let (len, width) = (replay.len(), 2 * P::WORDS + EXTRA);
        let mut words = vec![0; len * width];
        let rows = words.chunks_exact_mut(width);
        rows.zip(replay.samples()).for_each(|(row, transition)| pack_transition::<P>(transition, row));
        add(TRANSITIONS, &[len, width], TensorData::U32(words));
        add(PRIORITIES, &[len], TensorData::F32(replay.priorities().collect()));
        add(LARGEST, &[1], TensorData::F32(vec![replay.largest_priority()]));
        save_envs::<P>(&self.envs, add);
        tensors
    }

    /// Returns the tensors that gradient steps change: the networks and the optimizer's moments. They are a part of
    /// [`save`](Self::save).
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        let DqnUpdater { online, target, trainer, .. } = &self.updater;
        online.tensors(WEIGHTS).chain(target.tensors(TARGET)).chain(trainer.tensors(online)).collect()
    }

    /// Replaces the weights of the online and the target network by the weights of a network that [`save_network`]
    /// wrote.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape; the learner is unchanged then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        let DqnUpdater { online, target, .. } = &mut self.updater;
        online.read(&SavedTensors(tensors), WEIGHTS)?;
        target.write(online.weights());
        Ok(())
    }

    /// Restores a learner from the tensors of [`save`](Self::save). Config, options and seed must equal those of the
    /// saved learner; live config fields may differ.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
    pub fn restore(
        config: DqnConfig,
        params: P::Params,
        seed: u64,
        tensors: &[Tensor],
    ) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, params, seed)?;
        let saved = SavedTensors(tensors);
        let DqnUpdater { online, target, trainer, .. } = &mut learner.updater;
        online.read(&saved, WEIGHTS)?;
        target.read(&saved, TARGET)?;
        trainer.read(online, &saved)?;
        learner.counters = DqnCounters::of(*saved.find(COUNTERS)?.counters()?);
        learner.sums.read(saved.find(SUMS)?.doubles(&[learner.sums.numbers().len()])?);
        learner.due = saved.find(DUE)?.doubles(&[1])?[0];
        learner.restore_replay(&saved)?;
        learner.restore_envs(&saved)?;
        learner.problem.restore(&saved, &learner.envs.states)?;
        Ok(learner)
    }

    fn restore_replay(&mut self, saved: &SavedTensors<'_>) -> Result<(), LearnerError> {
        let places = saved.find(PLACES)?;
        let &[next, open, episodes, successes] = places.integers(&[4])? else {
            unreachable!("the shape was checked")
        };
        let transitions = saved.find(TRANSITIONS)?;
        let (len, capacity) = (transitions.rows(), self.config.replay_capacity as usize);
        let (width, next) = (2 * P::WORDS + EXTRA, next as usize);
        // A replay buffer that is not full appends after its last transition; a full buffer overwrites the transition
        // at any position.
        let fits = if len < capacity { next == len } else { len == capacity && next < len };
        if !fits || open > P::LEVELS || open < P::LEVELS.min(1) {
            return Err(places
                .invalid(format!("they do not fit {len} transitions and {} levels", P::LEVELS))
                .into());
        }
        let priorities = saved.find(PRIORITIES)?;
        let values = priorities.floats(&[len])?;
        if values.iter().any(|&priority| priority <= 0.0) {
            return Err(priorities.invalid("all priorities must be above 0".to_owned()).into());
        }
        let words = transitions.integers(&[len, width])?.chunks_exact(width);
        for (index, words) in words.enumerate() {
            let transition = unpack_transition(&self.problem, words).ok_or_else(|| {
                transitions.invalid(format!("row {index} is no transition of this problem"))
            })?;
            self.keep(transition);
        }
        self.replay.restore(values, next, saved.find(LARGEST)?.floats(&[1])?[0]);
        let curriculum = &mut self.curriculum;
        (curriculum.open, curriculum.episodes, curriculum.successes) = (open, episodes, successes);
        Ok(())
    }

    fn restore_envs(&mut self, saved: &SavedTensors<'_>) -> Result<(), LearnerError> {
        let count = self.envs.states.len();
        let states = saved.find(STATES)?;
        let words = states.integers(&[count, P::WORDS])?.chunks_exact(P::WORDS);
        for (env, words) in words.enumerate() {
            self.envs.states[env] = self
                .problem
                .unpack(words)
                .ok_or_else(|| states.invalid(format!("row {env} is no state of this problem")))?;
        }
        let episodes = saved.find(EPISODES)?;
        let numbers = episodes.integers(&[count, 4])?.chunks_exact(4);
        for (env, numbers) in numbers.enumerate() {
            if numbers[..2].iter().any(|&level| level > P::LEVELS) {
                return Err(episodes.invalid(format!("row {env} has a level beyond {}", P::LEVELS)).into());
            }
            self.envs.windows[env] = NStepWindow::new(numbers[0]);
            self.envs.levels[env] = numbers[1];
            self.envs.episodes[env] = numbers[2];
            self.envs.lengths[env] = numbers[3];
        }
        self.envs.returns.copy_from_slice(saved.find(RETURNS)?.floats(&[count])?);
        let (pending, width) = (saved.find(PENDING)?, P::WORDS + EXTRA);
        let words = pending.integers(&[count, MOST_STEPS, width])?.chunks_exact(MOST_STEPS * width);
        for (env, words) in words.enumerate() {
            let rows = words.chunks_exact(width).take_while(|row| row[P::WORDS + 1] != 0);
            for row in rows {
                let pending = unpack_pending(&self.problem, row)
                    .ok_or_else(|| pending.invalid(format!("env {env} has an action that cannot be")))?;
                self.envs.windows[env].pending.push_back(pending);
            }
        }
        Ok(())
    }
}

/// Returns the weights of an inference network as named tensors, in the format of [`Dqn::save`].
#[must_use]
pub fn save_network(network: &Network) -> Vec<Tensor> {
    network.tensors(WEIGHTS).collect()
}

/// Restores an inference network from the tensors of [`save_network`] or [`Dqn::save`].
///
/// # Errors
/// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
pub fn restore_network<P: DqnProblem>(
    config: &DqnConfig,
    params: &P::Params,
    tensors: &[Tensor],
) -> Result<Network, LearnerError> {
    config.check()?;
    let definition = DqnGraph::new(config, P::inputs(params), P::ACTIONS);
    let mut network = Network::forward_only(&definition.graph, definition.plans()?, 0)?;
    network.read(&SavedTensors(tensors), WEIGHTS)?;
    Ok(network)
}

/// Calls `add` with the name, shape and data of each tensor of the per-environment data.
fn save_envs<P: DqnProblem>(envs: &DqnEnvs<P::State>, mut add: impl FnMut(&str, &[usize], TensorData)) {
    let (count, width) = (envs.states.len(), P::WORDS + EXTRA);
    let mut words = vec![0; count * P::WORDS];
    words.chunks_exact_mut(P::WORDS).zip(&envs.states).for_each(|(row, state)| P::pack(state, row));
    add(STATES, &[count, P::WORDS], TensorData::U32(words));
    let numbers = (0..count).flat_map(|env| {
        let level = u32::from(envs.windows[env].level);
        [level, envs.levels[env], envs.episodes[env], envs.lengths[env]]
    });
    add(EPISODES, &[count, 4], TensorData::U32(numbers.collect()));
    add(RETURNS, &[count], TensorData::F32(envs.returns.clone()));
    let mut words = vec![0; count * MOST_STEPS * width];
    for (rows, window) in words.chunks_exact_mut(MOST_STEPS * width).zip(&envs.windows) {
        for (row, pending) in rows.chunks_exact_mut(width).zip(&window.pending) {
            let (state, rest) = row.split_at_mut(P::WORDS);
            P::pack(&pending.state, state);
            rest.copy_from_slice(&[
                pending.reward.to_bits(),
                u32::from_le_bytes([pending.steps, pending.action, 0, 0]),
            ]);
        }
    }
    add(PENDING, &[count, MOST_STEPS, width], TensorData::U32(words));
}

fn pack_transition<P: DqnProblem>(transition: &NStepTransition<P::State>, row: &mut [u32]) {
    let NStepTransition { state, next, reward, action, steps, terminal, level } = transition;
    let (states, rest) = row.split_at_mut(2 * P::WORDS);
    P::pack(state, &mut states[..P::WORDS]);
    P::pack(next, &mut states[P::WORDS..]);
    rest.copy_from_slice(&[
        reward.to_bits(),
        u32::from_le_bytes([*steps, *action, u8::from(*terminal), *level]),
    ]);
}

fn unpack_transition<P: DqnProblem>(problem: &P, row: &[u32]) -> Option<NStepTransition<P::State>> {
    let [state, next] = [&row[..P::WORDS], &row[P::WORDS..2 * P::WORDS]].map(|words| problem.unpack(words));
    let (reward, [steps, action, terminal, level]) = rest::<P>(&row[2 * P::WORDS..])?;
    let allowed = terminal <= 1 && u32::from(level) <= P::LEVELS;
    let (state, next, terminal) = (state?, next?, terminal == 1);
    allowed.then_some(NStepTransition { state, next, reward, action, steps, terminal, level })
}

fn unpack_pending<P: DqnProblem>(problem: &P, row: &[u32]) -> Option<PendingReturn<P::State>> {
    let state = problem.unpack(&row[..P::WORDS])?;
    let (reward, [steps, action, ..]) = rest::<P>(&row[P::WORDS..])?;
    Some(PendingReturn { state, reward, action, steps })
}

/// Unpacks the reward and the four bytes of a packed transition or pending return. Byte 0 is the number of steps, byte
/// 1 the action. Returns `None` if the reward, the number of steps or the action is invalid.
fn rest<P: DqnProblem>(words: &[u32]) -> Option<(f32, [u8; 4])> {
    let (reward, small) = (f32::from_bits(words[0]), words[1].to_le_bytes());
    let steps = 1..=MOST_STEPS;
    let allowed =
        steps.contains(&small[0].into()) && usize::from(small[1]) < P::ACTIONS && reward.is_finite();
    allowed.then_some((reward, small))
}
