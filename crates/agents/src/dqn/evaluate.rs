//! What the network does without trying anything at random: in episodes of its own, and state by state.

use super::error::DqnError;
use super::explore::best;
use super::learner::{Dqn, purpose};
use super::network::{Definition, Network};
use super::problem::{End, Problem};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::{AlignedVec, Level, rng};

/// States that are judged together.
const ROWS: usize = 512;

/// One episode of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// The sum of its rewards.
    pub total: f64,
    /// Its steps.
    pub length: u32,
    /// The rules ended it.
    pub terminated: bool,
}

/// The mean return of some episodes; not a number for none.
pub fn mean_return(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|episode| episode.total).sum::<f64>() / episodes.len() as f64
}

impl Network {
    /// The values `[states, actions]` of the actions in some states.
    ///
    /// # Panics
    /// If there is not room for a value of each action in each state.
    pub fn values_of<P: Problem>(
        &self,
        cpu: &Cpu,
        params: &P::Params,
        states: &[P::State],
        values: &mut [f32],
    ) {
        assert_eq!(values.len(), states.len() * P::ACTIONS, "a value for each state and action");
        let share = states.len().div_ceil(cpu.threads()).max(1);
        let mut parts: Vec<_> = states.chunks(share).zip(values.chunks_mut(share * P::ACTIONS)).collect();
        cpu.for_each(&mut parts, |_, (states, values)| part::<P>(cpu.level(), params, self, states, values));
    }
}

impl<P: Problem> Dqn<P> {
    /// The best actions in some states, as the network that learns sees it.
    pub fn greedy(&self, cpu: &Cpu, states: &[P::State], actions: &mut [u8]) {
        greedy::<P>(cpu, &self.params, &self.trainer.online, states, actions);
    }

    /// Acts greedily in `lanes` episodes, of the greatest difficulty; `number` tells evaluations apart.
    ///
    /// # Errors
    /// [`DqnError::World`] where there cannot be so many lanes.
    pub fn evaluate(&self, cpu: &Cpu, lanes: usize, number: u64) -> Result<Vec<Episode>, DqnError> {
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
                episode.total += f64::from(step.reward);
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
    let mut values = vec![0.0; states.len() * P::ACTIONS];
    network.values_of::<P>(cpu, params, states, &mut values);
    for (action, values) in actions.iter_mut().zip(values.chunks_exact(P::ACTIONS)) {
        *action = best(values) as u8;
    }
}

/// The values of the actions in some states, on one thread.
fn part<P: Problem>(
    level: Level,
    params: &P::Params,
    network: &Network,
    states: &[P::State],
    values: &mut [f32],
) {
    let count = P::inputs(params).count;
    let mut workspace = Workspace::new(network.plan());
    let mut rows = AlignedVec::<f32>::zeros(ROWS.min(states.len()) * count);
    for (states, values) in states.chunks(ROWS).zip(values.chunks_mut(ROWS * P::ACTIONS)) {
        states
            .iter()
            .zip(rows.chunks_exact_mut(count))
            .for_each(|(state, row)| P::encode(params, state, row));
        let mut inputs: [&[f32]; Definition::INPUTS] = [&[]; _];
        inputs[0] = &rows;
        let (parameters, packed) = (network.parameters(), network.packed());
        network.plan().run(level, parameters, packed, &mut workspace, states.len(), &inputs, &mut [values]);
    }
}
