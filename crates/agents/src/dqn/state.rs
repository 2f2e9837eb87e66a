//! Checkpoints of DQN as named tensors. They include the replay buffer with its priorities; a restored run continues
//! bit-identically.

use super::config::DqnConfig;
use super::learner::{Dqn, DqnEnvs};
use super::network::DqnGraph;
use super::problem::{DqnProblem, ProblemSpec};
use super::report::DqnCounters;
use super::returns::{MOST_STEPS, NStepTransition, NStepWindow, PendingReturn};
use super::update::DqnUpdater;
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor, TensorData};
use vivarium_learn::Network;

/// Name prefix of the checkpoint tensors that hold the parameters of the online network.
const WEIGHTS: &str = "weights";
/// Name prefix of the checkpoint tensors that hold the parameters of the target network.
const TARGET: &str = "target";
/// Name of the checkpoint tensor that holds the counters of the run. The constants after `COUNTERS` are the names of
/// the other tensors.
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

/// Number of 32-bit words of a packed transition or pending return, in addition to its states: one for the reward, and
/// one for four bytes (number of steps, action, terminal flag, level of difficulty).
const EXTRA: usize = 2;

impl<P: DqnProblem> Dqn<P> {
    /// Returns the complete state of the learner as named tensors.
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

        let (replay, curriculum) = (&self.replay.transitions, &self.curriculum);
        let places = [replay.next() as u32, curriculum.open, curriculum.episodes, curriculum.successes];
        add(PLACES, &[places.len()], TensorData::U32(places.to_vec()));
        let (len, width) = (replay.len(), 2 * self.spec.state_len + EXTRA);
        let mut words = Vec::with_capacity(len * width);
        for (index, transition) in replay.samples().iter().enumerate() {
            let NStepTransition { reward, action, steps, terminal, level } = *transition;
            words.extend(self.replay.states(index).into_iter().flatten().map(|&element| P::pack(element)));
            words.extend([reward.to_bits(), u32::from_le_bytes([steps, action, terminal.into(), level])]);
        }
        add(TRANSITIONS, &[len, width], TensorData::U32(words));
        add(PRIORITIES, &[len], TensorData::F32(replay.priorities().collect()));
        add(LARGEST, &[1], TensorData::F32(vec![replay.largest_priority()]));
        save_envs::<P>(&self.envs, self.spec.state_len, add);
        tensors
    }

    /// Returns the tensors of [`save`](Self::save) that gradient steps change: weights of both networks, and moments
    /// of the optimizer.
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        let DqnUpdater { online, target, trainer, .. } = &self.updater;
        online.tensors(WEIGHTS).chain(target.tensors(TARGET)).chain(trainer.tensors(online)).collect()
    }

    /// Replaces the weights of the online and the target network by weights that [`save_network`] wrote.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape; the learner is unchanged then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        let DqnUpdater { online, target, .. } = &mut self.updater;
        online.read(&SavedTensors(tensors), WEIGHTS)?;
        target.write(online.weights());
        Ok(())
    }

    /// Restores a learner from the tensors of [`save`](Self::save). Config, problem options and seed must equal those
    /// of the saved learner; live config fields, which may change during a run, may differ.
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
        let ProblemSpec { state_len, levels, .. } = self.spec;
        let (width, next) = (2 * state_len + EXTRA, next as usize);
        // The next transition follows the last one in a replay buffer that is not full. It overwrites any transition
        // in a full buffer.
        let fits = if len < capacity { next == len } else { len == capacity && next < len };
        if !fits || open > levels || open < levels.min(1) {
            return Err(places
                .invalid(format!("they do not fit {len} transitions and {levels} levels"))
                .into());
        }
        let priorities = saved.find(PRIORITIES)?;
        let values = priorities.floats(&[len])?;
        if values.iter().any(|&priority| priority <= 0.0) {
            return Err(priorities.invalid("all priorities must be above 0".to_owned()).into());
        }
        let words = transitions.integers(&[len, width])?.chunks_exact(width);
        for (index, words) in words.enumerate() {
            let (states, words) = words.split_at(2 * state_len);
            let unpacked = self.unpack(states).zip(self.unpack_return(words));
            let (states, transition) = unpacked.ok_or_else(|| {
                transitions.invalid(format!("row {index} is no transition of this problem"))
            })?;
            let (state, next) = states.split_at(state_len);
            self.replay.push(transition, state, next);
        }
        self.replay.transitions.restore(values, next, saved.find(LARGEST)?.floats(&[1])?[0]);
        let curriculum = &mut self.curriculum;
        (curriculum.open, curriculum.episodes, curriculum.successes) = (open, episodes, successes);
        Ok(())
    }

    fn restore_envs(&mut self, saved: &SavedTensors<'_>) -> Result<(), LearnerError> {
        let ProblemSpec { state_len, levels, .. } = self.spec;
        let count = self.envs.levels.len();
        let states = saved.find(STATES)?;
        let words = states.integers(&[count, state_len])?.chunks_exact(state_len);
        for (env, words) in words.enumerate() {
            let state = self
                .unpack(words)
                .ok_or_else(|| states.invalid(format!("row {env} is no state of this problem")))?;
            self.envs.states[env * state_len..][..state_len].copy_from_slice(&state);
        }
        let episodes = saved.find(EPISODES)?;
        let numbers = episodes.integers(&[count, 4])?.chunks_exact(4);
        for (env, numbers) in numbers.enumerate() {
            if numbers[..2].iter().any(|&level| level > levels) {
                return Err(episodes.invalid(format!("row {env} has a level beyond {levels}")).into());
            }
            self.envs.windows[env] = NStepWindow::new(numbers[0], state_len);
            self.envs.levels[env] = numbers[1];
            self.envs.episodes[env] = numbers[2];
            self.envs.lengths[env] = numbers[3];
        }
        self.envs.returns.copy_from_slice(saved.find(RETURNS)?.floats(&[count])?);
        let (pending, width) = (saved.find(PENDING)?, state_len + EXTRA);
        let words = pending.integers(&[count, MOST_STEPS, width])?.chunks_exact(MOST_STEPS * width);
        for (env, words) in words.enumerate() {
            let rows = words.chunks_exact(width).map(|row| row.split_at(state_len));
            for (state, words) in rows.take_while(|(_, words)| words[1] != 0) {
                let (state, NStepTransition { reward, action, steps, .. }) =
                    self.unpack(state).zip(self.unpack_return(words)).ok_or_else(|| {
                        pending.invalid(format!(
                            "row {env} has an invalid state, action, reward or number of steps"
                        ))
                    })?;
                let window = &mut self.envs.windows[env];
                window.pending.push_back(PendingReturn { reward, action, steps });
                window.states.extend(state);
            }
        }
        Ok(())
    }

    /// Unpacks states from `words`, one word per element. Returns `None` if a word is invalid.
    fn unpack(&self, words: &[u32]) -> Option<Vec<P::Element>> {
        words.iter().map(|&word| self.problem.unpack(word)).collect()
    }

    /// Unpacks a transition or a pending return from `words`, the words after its states: the reward, and four bytes
    /// (number of steps, action, terminal flag, level of difficulty). Returns `None` if a number is invalid.
    fn unpack_return(&self, words: &[u32]) -> Option<NStepTransition> {
        let (reward, [steps, action, terminal, level]) = (f32::from_bits(words[0]), words[1].to_le_bytes());
        let ProblemSpec { actions, levels, .. } = self.spec;
        let allowed = (1..=MOST_STEPS).contains(&steps.into())
            && usize::from(action) < actions
            && reward.is_finite()
            && terminal <= 1
            && u32::from(level) <= levels;
        allowed.then_some(NStepTransition { reward, action, steps, terminal: terminal == 1, level })
    }
}

/// Returns the weights of a Q-network as named tensors, with the names that [`Dqn::save`] gives to the online
/// network.
#[must_use]
pub fn save_network(network: &Network) -> Vec<Tensor> {
    network.tensors(WEIGHTS).collect()
}

/// Restores a Q-network for inference from the tensors of [`save_network`] or [`Dqn::save`].
///
/// # Errors
/// [`LearnerError`] naming the tensor that is missing or has the wrong shape, or the invalid config field.
pub fn restore_network<P: DqnProblem>(
    config: &DqnConfig,
    params: &P::Params,
    tensors: &[Tensor],
) -> Result<Network, LearnerError> {
    config.check()?;
    let ProblemSpec { inputs, actions, .. } = P::spec(params);
    let definition = DqnGraph::new(config, inputs, actions);
    let mut network = Network::forward_only(&definition.graph, definition.plans()?, 0)?;
    network.read(&SavedTensors(tensors), WEIGHTS)?;
    Ok(network)
}

/// Packs the learner's data of each environment into tensors. Calls `add` with the name, the shape and the data of
/// each tensor.
fn save_envs<P: DqnProblem>(
    envs: &DqnEnvs<P::Element>,
    state_len: usize,
    mut add: impl FnMut(&str, &[usize], TensorData),
) {
    let (count, width) = (envs.levels.len(), state_len + EXTRA);
    let words = envs.states.iter().map(|&element| P::pack(element)).collect();
    add(STATES, &[count, state_len], TensorData::U32(words));
    let numbers = (0..count).flat_map(|env| {
        let level = u32::from(envs.windows[env].level);
        [level, envs.levels[env], envs.episodes[env], envs.lengths[env]]
    });
    add(EPISODES, &[count, 4], TensorData::U32(numbers.collect()));
    add(RETURNS, &[count], TensorData::F32(envs.returns.clone()));
    let mut words = Vec::with_capacity(count * MOST_STEPS * width);
    for (env, window) in envs.windows.iter().enumerate() {
        for (pending, state) in window.pending.iter().zip(window.states.chunks_exact(state_len)) {
            words.extend(state.iter().map(|&element| P::pack(element)));
            words.extend([
                pending.reward.to_bits(),
                u32::from_le_bytes([pending.steps, pending.action, 0, 0]),
            ]);
        }
        words.resize((env + 1) * MOST_STEPS * width, 0);
    }
    add(PENDING, &[count, MOST_STEPS, width], TensorData::U32(words));
}
