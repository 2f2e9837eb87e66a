//! Classic-control environments as problems of deep Q-learning.

use super::learner::Dqn;
use super::problem::{DqnProblem, EnvSteps, EpisodeEnd, NetworkInputs, ProblemSpec};
use crate::env_batch::EnvBatch;
use crate::error::LearnerError;
use vivarium_envs::{ActionSpace, AnyVectorEnv, Autoreset, Environment, StepBuffers};
use vivarium_graph::{SavedTensors, Tensor};
use vivarium_kernels::{Level, simd};

/// Batch of classic-control environments with discrete actions, such as CartPole, as a problem of deep Q-learning.
///
/// A state is an observation. A network input is a dimension of the observation, scaled so that the usual range
/// becomes −1 to 1.
pub struct ControlProblem {
    env: Box<dyn AnyVectorEnv>,
    commands: Vec<f32>,
    buffers: StepBuffers,
}

impl DqnProblem for ControlProblem {
    type Params = Environment;
    type Element = f32;

    fn spec(environment: &Environment) -> ProblemSpec {
        let spec = environment.spec();
        let actions = match spec.actions {
            ActionSpace::Discrete(count) => count,
            ActionSpace::Box { .. } => 0,
        };
        let state_len = spec.observation_len;
        let inputs = NetworkInputs { count: state_len, features: None };
        ProblemSpec { name: spec.name, actions, state_len, inputs, levels: 0, has_solver: false }
    }

    fn new(environment: &Environment, seed: u64, levels: &[u32]) -> Result<Self, LearnerError> {
        let ProblemSpec { name, actions, state_len, .. } = Self::spec(environment);
        if actions == 0 {
            return Err(LearnerError::ContinuousActions { environment: name });
        }
        let num_envs = levels.len();
        let env = environment.vector_env(simd::level(), seed, 0, num_envs, Autoreset::SameStep)?;
        let buffers = StepBuffers::with_width(num_envs, state_len);
        Ok(Self { env, commands: vec![0.0; num_envs], buffers })
    }

    fn states(&self, level: Level) -> Result<Vec<f32>, LearnerError> {
        let mut rows = vec![0.0; self.buffers.observation.len()];
        self.env.observations(level, &mut rows)?;
        Ok(rows)
    }

    fn step(
        &mut self,
        level: Level,
        actions: &[u8],
        _: &[u32],
        steps: &mut EnvSteps<f32>,
    ) -> Result<(), LearnerError> {
        let Self { env, commands, buffers } = self;
        commands.iter_mut().zip(actions).for_each(|(command, &action)| *command = action.into());
        env.step(level, commands, &mut buffers.out())?;
        let StepBuffers { observation, reward, terminated, truncated, final_observation } = &*buffers;
        steps.now.copy_from_slice(observation);
        steps.reached.copy_from_slice(observation);
        steps.rewards.copy_from_slice(reward);
        let width = env.spec().observation_len;
        for (index, end) in steps.ends.iter_mut().enumerate() {
            *end = match (terminated[index], truncated[index]) {
                (true, _) => EpisodeEnd::Terminated,
                (false, true) => EpisodeEnd::Truncated,
                (false, false) => EpisodeEnd::No,
            };
            if *end != EpisodeEnd::No {
                let row = index * width..(index + 1) * width;
                steps.reached[row.clone()].copy_from_slice(&final_observation[row]);
            }
        }
        Ok(())
    }

    fn encode(environment: &Environment, state: &[f32], row: &mut [f32]) {
        for ((input, value), range) in row.iter_mut().zip(state).zip(environment.spec().observation) {
            *input = (2.0 * value - (range.high + range.low)) / (range.high - range.low);
        }
    }

    fn pack(value: f32) -> u32 {
        value.to_bits()
    }

    fn unpack(&self, word: u32) -> Option<f32> {
        Some(f32::from_bits(word)).filter(|value| value.is_finite())
    }

    fn save(&self) -> Vec<Tensor> {
        let mut batch = EnvBatch::default();
        batch.extend(self.env.snapshot());
        batch.tensors(self.env.spec().state_len).into()
    }

    fn restore(&mut self, saved: &SavedTensors<'_>, _: &[f32]) -> Result<(), LearnerError> {
        let num_envs = self.env.num_envs();
        let batch = EnvBatch::read(saved, num_envs, self.env.spec().state_len)?;
        self.env = self.env.restored(&batch.placed(0..num_envs, self.env.snapshot()))?;
        Ok(())
    }
}

impl Dqn<ControlProblem> {
    /// Replaces the environment's physical parameters from the next environment step on. Transitions of the previous
    /// parameters stay in the replay buffer until newer transitions overwrite them.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a parameter is out of range or `environment` has another name than the learner's
    /// environment; the learner is unchanged then.
    pub fn set_environment(&mut self, environment: Environment) -> Result<(), LearnerError> {
        self.problem.env.set_params(&environment)?;
        self.params = environment;
        Ok(())
    }
}
