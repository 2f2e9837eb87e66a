//! A learner's state as named tensors, to save and to restore.
//!
//! The replay is part of it, with its priorities: a transition is a few words, and a learner that began another replay
//! would learn something else next. So what is restored goes on exactly as the learner that was saved.

use super::config::DqnConfig;
use super::learner::{Dqn, Lanes};
use super::network::Definition;
use super::problem::Problem;
use super::report::Counters;
use super::returns::{MOST_STEPS, Pending, Transition, Window};
use super::update::Updater;
use crate::error::LearnerError;
use vivarium_graph::{Saved, Tensor, Values};
use vivarium_learn::Network;

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const TARGET: &str = "target";
/// Names of the others.
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

/// Words of a transition beside its two states, and of a pending action beside its own.
const EXTRA: usize = 2;

impl<P: Problem> Dqn<P> {
    /// What the learner has learned, and all that it needs to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.problem.save();
        tensors.extend(self.learned());
        let mut add = |name: &str, shape: &[usize], values| {
            tensors.push(Tensor::new(name, shape, values));
        };
        add(COUNTERS, &[Counters::COUNT], Values::U64(self.counters.numbers().to_vec()));
        let sums = self.sums.numbers();
        add(SUMS, &[sums.len()], Values::F64(sums));
        add(DUE, &[1], Values::F64(vec![self.due]));

        let (replay, curriculum) = (&self.replay, &self.curriculum);
        let places = [replay.next() as u32, curriculum.open, curriculum.episodes, curriculum.successes];
        add(PLACES, &[places.len()], Values::U32(places.to_vec()));
        let (len, width) = (replay.len(), 2 * P::WORDS + EXTRA);
        let mut words = vec![0; len * width];
        let rows = words.chunks_exact_mut(width);
        rows.zip(replay.samples()).for_each(|(row, transition)| pack_transition::<P>(transition, row));
        add(TRANSITIONS, &[len, width], Values::U32(words));
        add(PRIORITIES, &[len], Values::F32(replay.priorities().collect()));
        add(LARGEST, &[1], Values::F32(vec![replay.largest_priority()]));
        save_lanes::<P>(&self.lanes, add);
        tensors
    }

    /// Of [`save`](Self::save), what the learner has learned: its networks and the optimizer's moments.
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        let Updater { online, target, trainer, .. } = &self.updater;
        online.tensors(WEIGHTS).chain(target.tensors(TARGET)).chain(trainer.tensors(online)).collect()
    }

    /// Takes over the weights that [`save_network`] wrote.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), LearnerError> {
        let Updater { online, target, .. } = &mut self.updater;
        online.read(&Saved(tensors), WEIGHTS)?;
        target.write(online.weights());
        Ok(())
    }

    /// A learner in a saved state. Config, params and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(
        config: DqnConfig,
        params: P::Params,
        seed: u64,
        tensors: &[Tensor],
    ) -> Result<Self, LearnerError> {
        let mut learner = Self::new(config, params, seed)?;
        let saved = Saved(tensors);
        let Updater { online, target, trainer, .. } = &mut learner.updater;
        online.read(&saved, WEIGHTS)?;
        target.read(&saved, TARGET)?;
        trainer.read(online, &saved)?;
        learner.counters = Counters::of(*saved.find(COUNTERS)?.counters()?);
        learner.sums.read(saved.find(SUMS)?.doubles(&[learner.sums.numbers().len()])?);
        learner.due = saved.find(DUE)?.doubles(&[1])?[0];
        learner.restore_replay(&saved)?;
        learner.restore_lanes(&saved)?;
        learner.problem.restore(&saved, &learner.lanes.states)?;
        Ok(learner)
    }

    fn restore_replay(&mut self, saved: &Saved<'_>) -> Result<(), LearnerError> {
        let places = saved.find(PLACES)?;
        let &[next, open, episodes, successes] = places.integers(&[4])? else {
            unreachable!("four were asked for")
        };
        let transitions = saved.find(TRANSITIONS)?;
        let (len, capacity) = (transitions.rows(), self.config.replay as usize);
        let (width, next) = (2 * P::WORDS + EXTRA, next as usize);
        // A replay that is not full goes on after its last transition.
        let fits = if len < capacity { next == len } else { len == capacity && next < len };
        if !fits || open > P::LEVELS || open < P::LEVELS.min(1) {
            return Err(places
                .wrong(format!("they do not fit {len} transitions and {} levels", P::LEVELS))
                .into());
        }
        let priorities = saved.find(PRIORITIES)?;
        let values = priorities.floats(&[len])?;
        if values.iter().any(|&priority| priority <= 0.0) {
            return Err(priorities.wrong("all of them must be above 0".to_owned()).into());
        }
        let words = transitions.integers(&[len, width])?.chunks_exact(width);
        for (index, words) in words.enumerate() {
            let transition = unpack_transition(&self.problem, words)
                .ok_or_else(|| transitions.wrong(format!("row {index} is no transition of this problem")))?;
            self.keep(transition);
        }
        self.replay.restore(values, next, saved.find(LARGEST)?.floats(&[1])?[0]);
        let curriculum = &mut self.curriculum;
        (curriculum.open, curriculum.episodes, curriculum.successes) = (open, episodes, successes);
        Ok(())
    }

    fn restore_lanes(&mut self, saved: &Saved<'_>) -> Result<(), LearnerError> {
        let count = self.lanes.states.len();
        let states = saved.find(STATES)?;
        let words = states.integers(&[count, P::WORDS])?.chunks_exact(P::WORDS);
        for (lane, words) in words.enumerate() {
            self.lanes.states[lane] = self
                .problem
                .unpack(words)
                .ok_or_else(|| states.wrong(format!("row {lane} is no state of this problem")))?;
        }
        let episodes = saved.find(EPISODES)?;
        let numbers = episodes.integers(&[count, 4])?.chunks_exact(4);
        for (lane, numbers) in numbers.enumerate() {
            if numbers[..2].iter().any(|&level| level > P::LEVELS) {
                return Err(episodes.wrong(format!("row {lane} has a level beyond {}", P::LEVELS)).into());
            }
            self.lanes.windows[lane] = Window::new(numbers[0]);
            self.lanes.levels[lane] = numbers[1];
            self.lanes.episodes[lane] = numbers[2];
            self.lanes.lengths[lane] = numbers[3];
        }
        self.lanes.returns.copy_from_slice(saved.find(RETURNS)?.floats(&[count])?);
        let (pending, width) = (saved.find(PENDING)?, P::WORDS + EXTRA);
        let words = pending.integers(&[count, MOST_STEPS, width])?.chunks_exact(MOST_STEPS * width);
        for (lane, words) in words.enumerate() {
            let rows = words.chunks_exact(width).take_while(|row| row[P::WORDS + 1] != 0);
            for row in rows {
                let pending = unpack_pending(&self.problem, row)
                    .ok_or_else(|| pending.wrong(format!("lane {lane} has an action that cannot be")))?;
                self.lanes.windows[lane].pending.push_back(pending);
            }
        }
        Ok(())
    }
}

/// The weights of a network that acts, as [`Dqn::save`] writes those of the network that learns.
#[must_use]
pub fn save_network(network: &Network) -> Vec<Tensor> {
    network.tensors(WEIGHTS).collect()
}

/// The network of a config that [`save_network`] or [`Dqn::save`] wrote, to act with.
///
/// # Errors
/// [`LearnerError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
pub fn restore_network<P: Problem>(
    config: &DqnConfig,
    params: &P::Params,
    tensors: &[Tensor],
) -> Result<Network, LearnerError> {
    config.check()?;
    let definition = Definition::new(config, P::inputs(params), P::ACTIONS);
    let mut network = Network::forward_only(&definition.graph, definition.plans()?, 0)?;
    network.read(&Saved(tensors), WEIGHTS)?;
    Ok(network)
}

/// Tensors of what the learner keeps of every lane.
fn save_lanes<P: Problem>(lanes: &Lanes<P::State>, mut add: impl FnMut(&str, &[usize], Values)) {
    let (count, width) = (lanes.states.len(), P::WORDS + EXTRA);
    let mut words = vec![0; count * P::WORDS];
    words.chunks_exact_mut(P::WORDS).zip(&lanes.states).for_each(|(row, state)| P::pack(state, row));
    add(STATES, &[count, P::WORDS], Values::U32(words));
    let numbers = (0..count).flat_map(|lane| {
        let level = u32::from(lanes.windows[lane].level);
        [level, lanes.levels[lane], lanes.episodes[lane], lanes.lengths[lane]]
    });
    add(EPISODES, &[count, 4], Values::U32(numbers.collect()));
    add(RETURNS, &[count], Values::F32(lanes.returns.clone()));
    let mut words = vec![0; count * MOST_STEPS * width];
    for (rows, window) in words.chunks_exact_mut(MOST_STEPS * width).zip(&lanes.windows) {
        for (row, pending) in rows.chunks_exact_mut(width).zip(&window.pending) {
            let (state, rest) = row.split_at_mut(P::WORDS);
            P::pack(&pending.state, state);
            rest.copy_from_slice(&[
                pending.reward.to_bits(),
                u32::from_le_bytes([pending.steps, pending.action, 0, 0]),
            ]);
        }
    }
    add(PENDING, &[count, MOST_STEPS, width], Values::U32(words));
}

fn pack_transition<P: Problem>(transition: &Transition<P::State>, row: &mut [u32]) {
    let Transition { state, next, reward, action, steps, terminal, level } = transition;
    let (states, rest) = row.split_at_mut(2 * P::WORDS);
    P::pack(state, &mut states[..P::WORDS]);
    P::pack(next, &mut states[P::WORDS..]);
    rest.copy_from_slice(&[
        reward.to_bits(),
        u32::from_le_bytes([*steps, *action, u8::from(*terminal), *level]),
    ]);
}

fn unpack_transition<P: Problem>(problem: &P, row: &[u32]) -> Option<Transition<P::State>> {
    let [state, next] = [&row[..P::WORDS], &row[P::WORDS..2 * P::WORDS]].map(|words| problem.unpack(words));
    let (reward, [steps, action, terminal, level]) = rest::<P>(&row[2 * P::WORDS..])?;
    let allowed = terminal <= 1 && u32::from(level) <= P::LEVELS;
    let (state, next, terminal) = (state?, next?, terminal == 1);
    allowed.then_some(Transition { state, next, reward, action, steps, terminal, level })
}

fn unpack_pending<P: Problem>(problem: &P, row: &[u32]) -> Option<Pending<P::State>> {
    let state = problem.unpack(&row[..P::WORDS])?;
    let (reward, [steps, action, ..]) = rest::<P>(&row[P::WORDS..])?;
    Some(Pending { state, reward, action, steps })
}

/// A reward, and small numbers of which the first two are steps and an action.
fn rest<P: Problem>(words: &[u32]) -> Option<(f32, [u8; 4])> {
    let (reward, small) = (f32::from_bits(words[0]), words[1].to_le_bytes());
    let steps = 1..=MOST_STEPS;
    let allowed =
        steps.contains(&small[0].into()) && usize::from(small[1]) < P::ACTIONS && reward.is_finite();
    allowed.then_some((reward, small))
}
