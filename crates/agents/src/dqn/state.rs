//! A learner's state as named tensors, to save and to restore.
//!
//! The replay is part of it, with its priorities: a transition is a few words, and a learner that began another replay
//! would learn something else next. So what is restored goes on exactly as the learner that was saved.

use super::config::DqnConfig;
use super::error::DqnError;
use super::learner::{Dqn, Lanes};
use super::network::{Definition, Network};
use super::problem::Problem;
use super::report::Counters;
use super::returns::{MOST_STEPS, Pending, Transition, Window};
use vivarium_graph::{Saved, Tensor, Values, tensors_of};
use vivarium_kernels::simd;

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const TARGET: &str = "target";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";
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
    /// What the learner has learnt, and all that it needs to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.problem.save();
        tensors.extend(self.learned());
        let mut add = |name: &str, shape: &[usize], values| {
            tensors.push(Tensor { name: name.to_owned(), shape: shape.to_vec(), values });
        };
        let Counters { steps, episodes, samples, lessons, updates, iterations } = self.counters;
        let counters = vec![steps, episodes, samples, lessons, updates, iterations];
        add(COUNTERS, &[counters.len()], Values::U64(counters));
        let sums = self.sums.numbers();
        add(SUMS, &[sums.len()], Values::F64(sums));
        add(DUE, &[1], Values::F64(vec![self.due]));

        let (replay, curriculum) = (&self.replay, &self.curriculum);
        let places = [replay.next as u32, curriculum.open, curriculum.episodes, curriculum.successes];
        add(PLACES, &[places.len()], Values::U32(places.to_vec()));
        let (len, width) = (replay.len(), 2 * P::WORDS + EXTRA);
        let mut words = vec![0; len * width];
        let rows = words.chunks_exact_mut(width);
        rows.zip(&replay.transitions).for_each(|(row, transition)| pack_transition::<P>(transition, row));
        add(TRANSITIONS, &[len, width], Values::U32(words));
        let priorities = (0..len).map(|index| replay.priorities.get(index)).collect();
        add(PRIORITIES, &[len], Values::F32(priorities));
        add(LARGEST, &[1], Values::F32(vec![replay.largest]));
        save_lanes::<P>(&self.lanes, add);
        tensors
    }

    /// Of [`save`](Self::save), what the learner has learnt: its networks and the optimiser's moments.
    #[must_use]
    pub fn learned(&self) -> Vec<Tensor> {
        let specs = self.trainer.online.parameters().specs();
        let groups = [
            (WEIGHTS, self.trainer.online.parameters().flat()),
            (TARGET, self.trainer.target.parameters().flat()),
            (FIRST_MOMENT, &self.trainer.first_moment),
            (SECOND_MOMENT, &self.trainer.second_moment),
        ];
        groups.into_iter().flat_map(|(group, flat)| tensors_of(group, specs, flat)).collect()
    }

    /// Takes over the weights that [`Network::save`] wrote.
    ///
    /// # Errors
    /// [`DqnError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn adopt(&mut self, tensors: &[Tensor]) -> Result<(), DqnError> {
        let network = Network::restore::<P>(&self.config, &self.params, tensors)?;
        for adopting in [&mut self.trainer.online, &mut self.trainer.target] {
            adopting.change(|to| to.copy_from_slice(network.parameters().flat()));
        }
        Ok(())
    }

    /// A learner in a saved state. Config, params and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`DqnError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(
        config: DqnConfig,
        params: P::Params,
        seed: u64,
        tensors: &[Tensor],
    ) -> Result<Self, DqnError> {
        let mut learner = Self::new(config, params, seed)?;
        let saved = Saved(tensors);
        let parameters = learner.trainer.online.parameters();
        let (specs, len) = (parameters.specs().to_vec(), parameters.flat().len());
        let flat = |group| saved.flat(group, &specs, len);
        let (weights, target) = (flat(WEIGHTS)?, flat(TARGET)?);
        learner.trainer.online.change(|to| to.copy_from_slice(&weights));
        learner.trainer.target.change(|to| to.copy_from_slice(&target));
        learner.trainer.first_moment.copy_from_slice(&flat(FIRST_MOMENT)?);
        learner.trainer.second_moment.copy_from_slice(&flat(SECOND_MOMENT)?);
        let &[steps, episodes, samples, lessons, updates, iterations] = saved.find(COUNTERS)?.counters()?;
        learner.counters = Counters { steps, episodes, samples, lessons, updates, iterations };
        let sums = saved.find(SUMS)?.doubles(&[learner.sums.numbers().len()])?;
        learner.sums = learner.sums.of(sums);
        learner.due = saved.find(DUE)?.doubles(&[1])?[0];
        learner.restore_replay(&saved)?;
        learner.restore_lanes(&saved)?;
        learner.problem.restore(&saved, &learner.lanes.states)?;
        Ok(learner)
    }

    fn restore_replay(&mut self, saved: &Saved<'_>) -> Result<(), DqnError> {
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
        for (index, (words, &priority)) in words.zip(values).enumerate() {
            let transition = unpack_transition(&self.problem, words)
                .ok_or_else(|| transitions.wrong(format!("row {index} is no transition of this problem")))?;
            self.replay.put(transition, priority);
        }
        self.replay.next = next;
        self.replay.largest = saved.find(LARGEST)?.floats(&[1])?[0];
        let curriculum = &mut self.curriculum;
        (curriculum.open, curriculum.episodes, curriculum.successes) = (open, episodes, successes);
        Ok(())
    }

    fn restore_lanes(&mut self, saved: &Saved<'_>) -> Result<(), DqnError> {
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

impl Network {
    /// Its weights, as [`Dqn::save`] writes those of the network that learns.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let parameters = self.parameters();
        tensors_of(WEIGHTS, parameters.specs(), parameters.flat()).collect()
    }

    /// The network of a config that [`save`](Self::save) or [`Dqn::save`] wrote, to act with.
    ///
    /// # Errors
    /// [`DqnError`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore<P: Problem>(
        config: &DqnConfig,
        params: &P::Params,
        tensors: &[Tensor],
    ) -> Result<Self, DqnError> {
        config.check()?;
        let definition = Definition::new(config, P::inputs(params), P::ACTIONS);
        let mut network = Self::new(simd::level(), &definition, 0, false)?;
        let parameters = network.parameters();
        let weights = Saved(tensors).flat(WEIGHTS, parameters.specs(), parameters.flat().len())?;
        network.change(|to| to.copy_from_slice(&weights));
        Ok(network)
    }
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
