//! Evaluation of a Q-network: complete greedy episodes, and action values of given states.

use super::explore::best;
use super::learner::{Dqn, rng_stream};
use super::problem::{DqnProblem, EnvSteps, EpisodeEnd, ProblemSpec};
use crate::episode::Episode;
use crate::error::LearnerError;
use vivarium_graph::Cpu;
use vivarium_kernels::{AlignedVec, rng};
use vivarium_learn::Network;

/// Maximum number of states in one forward pass of a thread.
const ROWS: usize = 512;

/// Computes the action values of `states`, `[rows, state_len]`, with `network` in parallel, and writes them to
/// `values`, `[rows, actions]`.
///
/// # Panics
/// If the lengths of `states` and `values` do not correspond to equal numbers of rows.
pub fn values<P: DqnProblem>(
    cpu: &Cpu,
    network: &Network,
    params: &P::Params,
    states: &[P::Element],
    values: &mut [f32],
) {
    let ProblemSpec { state_len, actions, .. } = P::spec(params);
    assert_eq!(
        states.len() * actions,
        values.len() * state_len,
        "states and values differ in the number of rows"
    );
    let share = (states.len() / state_len).div_ceil(cpu.threads()).max(1);
    let mut parts: Vec<_> =
        states.chunks(share * state_len).zip(values.chunks_mut(share * actions)).collect();
    cpu.for_each(&mut parts, |_, (states, values)| part::<P>(params, network, states, values));
}

impl<P: DqnProblem> Dqn<P> {
    /// Writes to `actions`, `[rows]`, the action with the highest value in each of `states`, `[rows, state_len]`. The
    /// online network computes the values.
    ///
    /// # Panics
    /// If the lengths of `states` and `actions` do not correspond to equal numbers of rows.
    pub fn greedy(&self, cpu: &Cpu, states: &[P::Element], actions: &mut [u8]) {
        let count = self.spec.actions;
        let mut found = vec![0.0; actions.len() * count];
        values::<P>(cpu, &self.updater.online, &self.params, states, &mut found);
        for (action, values) in actions.iter_mut().zip(found.chunks_exact(count)) {
            *action = best(values) as u8;
        }
    }

    /// Runs one complete episode in each of `num_envs` new environments at the highest level of difficulty, with greedy
    /// actions of the online network. `number`, the index of the evaluation, determines the initial states.
    ///
    /// # Errors
    /// [`LearnerError::World`] if the number of environments is invalid.
    pub fn evaluate(&self, cpu: &Cpu, num_envs: usize, number: u64) -> Result<Vec<Episode>, LearnerError> {
        let levels = vec![self.spec.levels; num_envs];
        let seed = rng::derive(rng::derive(self.seed, rng_stream::EVALUATION), number as u32);
        let mut problem = P::new(&self.params, seed, &levels)?;
        let mut states = problem.states(cpu.level())?;
        let (mut actions, mut steps) = (vec![0; num_envs], EnvSteps::new(&states, num_envs));
        let mut episodes = vec![Episode { total: 0.0, length: 0, terminated: false }; num_envs];
        let mut is_running = vec![true; num_envs];
        while is_running.contains(&true) {
            self.greedy(cpu, &states, &mut actions);
            problem.step(cpu.level(), &actions, &levels, &mut steps)?;
            for (env, running) in is_running.iter_mut().enumerate().filter(|(_, running)| **running) {
                let episode = &mut episodes[env];
                episode.total += steps.rewards[env];
                episode.length += 1;
                episode.terminated = steps.ends[env] == EpisodeEnd::Terminated;
                *running = steps.ends[env] == EpisodeEnd::No;
            }
            states.copy_from_slice(&steps.now);
        }
        Ok(episodes)
    }
}

/// Computes the action values of `states`, `[rows, state_len]`, with `network` on the calling thread, and writes them to
/// `values`, `[rows, actions]`.
fn part<P: DqnProblem>(params: &P::Params, network: &Network, states: &[P::Element], values: &mut [f32]) {
    let ProblemSpec { state_len, actions, inputs, .. } = P::spec(params);
    let mut workspace = network.workspace();
    let mut encoded = AlignedVec::<f32>::zeros(ROWS.min(states.len() / state_len) * inputs.count);
    for (states, values) in states.chunks(ROWS * state_len).zip(values.chunks_mut(ROWS * actions)) {
        let states = states.chunks_exact(state_len);
        let rows = states.len();
        states
            .zip(encoded.chunks_exact_mut(inputs.count))
            .for_each(|(state, row)| P::encode(params, state, row));
        network.evaluate_single_threaded(network.plan(0), &mut workspace, rows, &[&encoded], &mut [values]);
    }
}
