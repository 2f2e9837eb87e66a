//! Worlds of classic control as problems.

use super::learner::Dqn;
use super::problem::{End, Inputs, Problem, Step};
use crate::error::LearnerError;
use crate::lanes::Lanes;
use vivarium_envs::{ActionSpace, Autoreset, StepBuffers, Tuple, VectorEnv, World};
use vivarium_graph::{Saved, Tensor};
use vivarium_kernels::Level;

/// A world of classic control with a few actions.
///
/// The network sees observations scaled so that their usual range is −1 to 1.
pub struct Control<W: World> {
    env: VectorEnv<W>,
    commands: Vec<f32>,
    buffers: StepBuffers,
}

impl<W: World> Control<W> {
    /// The states of observations `[rows, observation]`, as the world gives them.
    #[must_use]
    pub fn states_of(observations: &[f32]) -> Vec<W::Observation<f32>> {
        (0..observations.len() / W::OBSERVATION_LEN).map(|row| Self::observation(observations, row)).collect()
    }

    /// What lane `row` of some observations sees.
    fn observation(rows: &[f32], row: usize) -> W::Observation<f32> {
        let mut seen = W::Observation::splat(0.0);
        seen.as_mut().copy_from_slice(&rows[row * W::OBSERVATION_LEN..][..W::OBSERVATION_LEN]);
        seen
    }
}

impl<W: World> Problem for Control<W> {
    type Params = W::Params;
    type State = W::Observation<f32>;

    const NAME: &'static str = W::NAME;
    const ACTIONS: usize = match W::ACTIONS {
        ActionSpace::Discrete(count) => count,
        ActionSpace::Box { .. } => panic!("deep Q-learning needs actions that can be counted"),
    };
    const LEVELS: u32 = 0;
    const SOLVER: bool = false;
    const WORDS: usize = W::OBSERVATION_LEN;

    fn inputs(_: &W::Params) -> Inputs {
        Inputs { count: W::OBSERVATION_LEN, features: None }
    }

    fn new(params: &W::Params, seed: u64, levels: &[u32]) -> Result<Self, LearnerError> {
        let lanes = levels.len();
        let env = VectorEnv::new(*params, seed, 0, lanes, Autoreset::SameStep)?;
        Ok(Self { env, commands: vec![0.0; lanes], buffers: StepBuffers::new::<W>(lanes) })
    }

    fn states(&self, level: Level) -> Result<Vec<Self::State>, LearnerError> {
        let mut rows = vec![0.0; self.env.lanes() * W::OBSERVATION_LEN];
        self.env.observations(level, &mut rows)?;
        Ok(Self::states_of(&rows))
    }

    fn step(
        &mut self,
        level: Level,
        actions: &[u8],
        _: &[u32],
        steps: &mut Vec<Step<Self::State>>,
    ) -> Result<(), LearnerError> {
        let Self { env, commands, buffers } = self;
        commands.iter_mut().zip(actions).for_each(|(command, &action)| *command = action.into());
        env.step(level, commands, &mut buffers.out())?;
        steps.clear();
        steps.extend((0..commands.len()).map(|lane| {
            let end = match (buffers.terminated[lane], buffers.truncated[lane]) {
                (true, _) => End::Terminated,
                (false, true) => End::Truncated,
                (false, false) => End::No,
            };
            let now = Self::observation(&buffers.observation, lane);
            let reached = match end {
                End::No => now,
                _ => Self::observation(&buffers.final_observation, lane),
            };
            Step { reached, now, reward: buffers.reward[lane], end }
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
        let mut lanes = Lanes::default();
        lanes.extend(&self.env);
        lanes.tensors::<W>().into()
    }

    fn restore(&mut self, saved: &Saved<'_>, _: &[Self::State]) -> Result<(), LearnerError> {
        let lanes = self.env.lanes();
        self.env = Lanes::read::<W>(saved, lanes)?.place(0..lanes, &self.env)?;
        Ok(())
    }
}

impl<W: World> Dqn<Control<W>> {
    /// Changes the world while the run goes on, from the next step on. What is in the replay was lived through in the old
    /// one, and stays until newer transitions take its place.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a field is out of range; nothing is changed then.
    pub fn set_world(&mut self, world: W::Params) -> Result<(), LearnerError> {
        self.problem.env.set_params(world)?;
        self.params = world;
        Ok(())
    }
}
