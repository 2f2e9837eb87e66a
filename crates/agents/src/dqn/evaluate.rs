//! What the network does without trying anything at random: in episodes of its own, and state by state.

use super::explore::best;
use super::learner::{Dqn, purpose};
use super::problem::{End, Problem};
use crate::episode::Episode;
use crate::error::LearnerError;
use vivarium_graph::Cpu;
use vivarium_kernels::{AlignedVec, rng};
use vivarium_learn::Network;

/// States that are judged together.
const ROWS: usize = 512;

/// The values `[states, actions]` of the actions in some states, by a network that acts.
///
/// # Panics
/// If there is not room for a value of each action in each state.
pub fn values<P: Problem>(
    cpu: &Cpu,
    network: &Network,
    params: &P::Params,
    states: &[P::State],
    values: &mut [f32],
) {
    assert_eq!(values.len(), states.len() * P::ACTIONS, "a value for each state and action");
    let share = states.len().div_ceil(cpu.threads()).max(1);
    let mut parts: Vec<_> = states.chunks(share).zip(values.chunks_mut(share * P::ACTIONS)).collect();
    cpu.for_each(&mut parts, |_, (states, values)| part::<P>(params, network, states, values));
}

impl<P: Problem> Dqn<P> {
    /// The best actions in some states, as the network that learns sees it.
    pub fn greedy(&self, cpu: &Cpu, states: &[P::State], actions: &mut [u8]) {
        greedy::<P>(cpu, &self.params, &self.updater.online, states, actions);
    }

    /// Acts greedily in `lanes` episodes, of the greatest difficulty; `number` distinguishes evaluations.
    ///
    /// # Errors
    /// [`LearnerError::World`] where there cannot be so many lanes.
    pub fn evaluate(&self, cpu: &Cpu, lanes: usize, number: u64) -> Result<Vec<Episode>, LearnerError> {
        let levels = vec![P::LEVELS; lanes];
        let seed = rng::derive(rng::derive(self.seed, purpose::EVALUATION), number as u32);
        let mut problem = P::new(&self.params, seed, &levels)?;
        let mut states = problem.states(cpu.level())?;
        let (mut actions, mut steps) = (vec![0; lanes], Vec::with_capacity(lanes));
        let mut episodes = vec![Episode { total: 0.0, length: 0, terminated: false }; lanes];
        let mut under_way = vec![true; lanes];
        while under_way.contains(&true) {
            self.greedy(cpu, &states, &mut actions);
            problem.step(cpu.level(), &actions, &levels, &mut steps)?;
            for (lane, step) in steps.iter().enumerate().filter(|&(lane, _)| under_way[lane]) {
                let episode = &mut episodes[lane];
                episode.total += step.reward;
                episode.length += 1;
                episode.terminated = step.end == End::Terminated;
            }
            for (lane, step) in steps.iter().enumerate() {
                under_way[lane] &= step.end == End::No;
                states[lane] = step.now;
            }
        }
        Ok(episodes)
    }
}

/// The best actions in some states, as this network sees it.
pub(crate) fn greedy<P: Problem>(
    cpu: &Cpu,
    params: &P::Params,
    network: &Network,
    states: &[P::State],
    actions: &mut [u8],
) {
    let mut found = vec![0.0; states.len() * P::ACTIONS];
    values::<P>(cpu, network, params, states, &mut found);
    for (action, values) in actions.iter_mut().zip(found.chunks_exact(P::ACTIONS)) {
        *action = best(values) as u8;
    }
}

/// The values of the actions in some states, on one thread.
fn part<P: Problem>(params: &P::Params, network: &Network, states: &[P::State], values: &mut [f32]) {
    let count = P::inputs(params).count;
    let mut workspace = network.workspace();
    let mut inputs = AlignedVec::<f32>::zeros(ROWS.min(states.len()) * count);
    for (states, values) in states.chunks(ROWS).zip(values.chunks_mut(ROWS * P::ACTIONS)) {
        let rows = inputs.chunks_exact_mut(count);
        states.iter().zip(rows).for_each(|(state, row)| P::encode(params, state, row));
        network.evaluate_here(network.plan(0), &mut workspace, states.len(), &[&inputs], &mut [values]);
    }
}
