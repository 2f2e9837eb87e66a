//! Greedy evaluation: complete episodes, and action values of given states.

use super::explore::best;
use super::learner::{Dqn, rng_stream};
use super::problem::{DqnProblem, EpisodeEnd};
use crate::episode::Episode;
use crate::error::LearnerError;
use vivarium_graph::Cpu;
use vivarium_kernels::{AlignedVec, rng};
use vivarium_learn::Network;

/// Number of states per forward pass.
const ROWS: usize = 512;

/// Computes the online network's action values of `states`, `[states, actions]`, in parallel.
///
/// # Panics
/// If the length of `values` is not states × actions.
pub fn values<P: DqnProblem>(
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

impl<P: DqnProblem> Dqn<P> {
    /// Writes the online network's greedy action for each state to `actions`.
    pub fn greedy(&self, cpu: &Cpu, states: &[P::State], actions: &mut [u8]) {
        greedy::<P>(cpu, &self.params, &self.updater.online, states, actions);
    }

    /// Runs one complete greedy episode in each of `num_envs` environments, at the highest level of difficulty.
    /// `number` is the index of the evaluation, which selects its initial states.
    ///
    /// # Errors
    /// [`LearnerError::World`] if the number of environments is invalid.
    pub fn evaluate(&self, cpu: &Cpu, num_envs: usize, number: u64) -> Result<Vec<Episode>, LearnerError> {
        let levels = vec![P::LEVELS; num_envs];
        let seed = rng::derive(rng::derive(self.seed, rng_stream::EVALUATION), number as u32);
        let mut problem = P::new(&self.params, seed, &levels)?;
        let mut states = problem.states(cpu.level())?;
        let (mut actions, mut steps) = (vec![0; num_envs], Vec::with_capacity(num_envs));
        let mut episodes = vec![Episode { total: 0.0, length: 0, terminated: false }; num_envs];
        let mut under_way = vec![true; num_envs];
        while under_way.contains(&true) {
            self.greedy(cpu, &states, &mut actions);
            problem.step(cpu.level(), &actions, &levels, &mut steps)?;
            for (env, step) in steps.iter().enumerate().filter(|&(env, _)| under_way[env]) {
                let episode = &mut episodes[env];
                episode.total += step.reward;
                episode.length += 1;
                episode.terminated = step.end == EpisodeEnd::Terminated;
            }
            for (env, step) in steps.iter().enumerate() {
                under_way[env] &= step.end == EpisodeEnd::No;
                states[env] = step.now;
            }
        }
        Ok(episodes)
    }
}

/// Writes the greedy action of `network` for each state to `actions`.
pub(crate) fn greedy<P: DqnProblem>(
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

/// Computes the action values of `states` by `network`, `[states, actions]`, on one thread.
fn part<P: DqnProblem>(params: &P::Params, network: &Network, states: &[P::State], values: &mut [f32]) {
    let count = P::inputs(params).count;
    let mut workspace = network.workspace();
    let mut inputs = AlignedVec::<f32>::zeros(ROWS.min(states.len()) * count);
    for (states, values) in states.chunks(ROWS).zip(values.chunks_mut(ROWS * P::ACTIONS)) {
        let rows = inputs.chunks_exact_mut(count);
        states.iter().zip(rows).for_each(|(state, row)| P::encode(params, state, row));
        network.evaluate_single_threaded(
            network.plan(0),
            &mut workspace,
            states.len(),
            &[&inputs],
            &mut [values],
        );
    }
}
