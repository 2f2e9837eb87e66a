//! Classic-control environments as problems of deep Q-learning.

use super::learner::Dqn;
use super::problem::{DqnProblem, EnvStep, EpisodeEnd, NetworkInputs};
use crate::env_batch::EnvBatch;
use crate::error::LearnerError;
use vivarium_envs::{ActionSpace, Autoreset, StepBuffers, Tuple, VectorEnv, World};
use vivarium_graph::{SavedTensors, Tensor};
use vivarium_kernels::{Level, simd};

/// Batch of classic-control environments with discrete actions, as a problem of deep Q-learning.
///
/// Network inputs are observations whose usual ranges are scaled to −1 to 1.
pub struct ControlProblem<W: World> {
    env: VectorEnv<W>,
    commands: Vec<f32>,
    buffers: StepBuffers,
}

impl<W: World> ControlProblem<W> {
    /// Converts row-major observations `[rows, observation]` to learner states, one per row.
    #[must_use]
    pub fn states_of(observations: &[f32]) -> Vec<W::Observation<f32>> {
        (0..observations.len() / W::OBSERVATION_LEN).map(|row| Self::observation(observations, row)).collect()
    }

    /// Returns the observation in row `row` of `rows`, a row-major array `[rows, observation]`.
    fn observation(rows: &[f32], row: usize) -> W::Observation<f32> {
        let mut seen = W::Observation::splat(0.0);
        seen.as_mut().copy_from_slice(&rows[row * W::OBSERVATION_LEN..][..W::OBSERVATION_LEN]);
        seen
    }
}

impl<W: World> DqnProblem for ControlProblem<W> {
    type Params = W::Params;
    type State = W::Observation<f32>;

    const NAME: &'static str = W::NAME;
    const ACTIONS: usize = match W::ACTIONS {
        ActionSpace::Discrete(count) => count,
        ActionSpace::Box { .. } => panic!("deep Q-learning requires discrete actions"),
    };
    const LEVELS: u32 = 0;
    const SOLVER: bool = false;
    const WORDS: usize = W::OBSERVATION_LEN;

    fn inputs(_: &W::Params) -> NetworkInputs {
        NetworkInputs { count: W::OBSERVATION_LEN, features: None }
    }

    fn new(params: &W::Params, seed: u64, levels: &[u32]) -> Result<Self, LearnerError> {
        let num_envs = levels.len();
        let env = VectorEnv::new(simd::level(), *params, seed, 0, num_envs, Autoreset::SameStep)?;
        Ok(Self { env, commands: vec![0.0; num_envs], buffers: StepBuffers::new::<W>(num_envs) })
    }

    fn states(&self, level: Level) -> Result<Vec<Self::State>, LearnerError> {
        let mut rows = vec![0.0; self.env.num_envs() * W::OBSERVATION_LEN];
        self.env.observations(level, &mut rows)?;
        Ok(Self::states_of(&rows))
    }

    fn step(
        &mut self,
        level: Level,
        actions: &[u8],
        _: &[u32],
        steps: &mut Vec<EnvStep<Self::State>>,
    ) -> Result<(), LearnerError> {
        let Self { env, commands, buffers } = self;
        commands.iter_mut().zip(actions).for_each(|(command, &action)| *command = action.into());
        env.step(level, commands, &mut buffers.out())?;
        steps.clear();
        steps.extend((0..commands.len()).map(|index| {
            let end = match (buffers.terminated[index], buffers.truncated[index]) {
                (true, _) => EpisodeEnd::Terminated,
                (false, true) => EpisodeEnd::Truncated,
                (false, false) => EpisodeEnd::No,
            };
            let now = Self::observation(&buffers.observation, index);
            let reached = match end {
                EpisodeEnd::No => now,
                _ => Self::observation(&buffers.final_observation, index),
            };
            EnvStep { reached, now, reward: buffers.reward[index], end }
        }));
        Ok(())
    }

    fn encode(_: &W::Params, state: &Self::State, row: &mut [f32]) {
        for ((input, value), range) in row.iter_mut().zip(state.as_ref()).zip(W::OBSERVATION) {
            *input = (2.0 * value - (range.high + range.low)) / (range.high - range.low);
        }
    }

    fn pack(state: &Self::State, words: &mut [u32]) {
        words.iter_mut().zip(state.as_ref()).for_each(|(word, value)| *word = value.to_bits());
    }

    fn unpack(&self, words: &[u32]) -> Option<Self::State> {
        let mut state = W::Observation::splat(0.0);
        state.as_mut().iter_mut().zip(words).for_each(|(value, &word)| *value = f32::from_bits(word));
        state.as_ref().iter().all(|value| value.is_finite()).then_some(state)
    }

    fn save(&self) -> Vec<Tensor> {
        let mut batch = EnvBatch::default();
        batch.extend(&self.env);
        batch.tensors(W::STATE_LEN).into()
    }

    fn restore(&mut self, saved: &SavedTensors<'_>, _: &[Self::State]) -> Result<(), LearnerError> {
        let num_envs = self.env.num_envs();
        self.env = EnvBatch::read(saved, num_envs, W::STATE_LEN)?.place(0..num_envs, &self.env)?;
        Ok(())
    }
}

impl<W: World> Dqn<ControlProblem<W>> {
    /// Changes the environment's physical parameters from the next environment step on. Transitions of the previous
    /// parameters stay in the replay buffer until newer transitions overwrite them.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a parameter is out of range; the learner is unchanged then.
    pub fn set_world(&mut self, world: W::Params) -> Result<(), LearnerError> {
        self.problem.env.set_params(world)?;
        self.params = world;
        Ok(())
    }
}
