//! Environments that are chosen at run time: forms of [`World`] and [`VectorEnv`] without a type parameter.
//!
//! A learner that uses these types is compiled once instead of once per environment.

use crate::autoreset::Autoreset;
use crate::compiled::CompiledWorld;
use crate::error::EnvError;
use crate::output::StepOut;
use crate::params::Params;
use crate::snapshot::EnvSnapshot;
use crate::space::{ActionSpace, Dimension};
use crate::vector::VectorEnv;
use crate::world::World;
use serde_json::Value;
use vivarium_config::Config;
use vivarium_kernels::simd::Level;

/// Static description of an environment: the constants of a [`World`].
///
/// The description does not refer to the functions that step an environment, so that a program which needs only
/// descriptions does not contain these functions.
#[derive(Debug)]
pub struct EnvSpec {
    /// Identifier of the environment; see [`World::NAME`].
    pub name: &'static str,
    /// State dimensions, with their plotting ranges.
    pub state: &'static [Dimension],
    /// Number of values in a state.
    pub state_len: usize,
    /// Observation dimensions, with their usual ranges.
    pub observation: &'static [Dimension],
    /// Number of values in an observation.
    pub observation_len: usize,
    /// Action space.
    pub actions: ActionSpace,
    /// Time limit in steps; see [`World::STEP_LIMIT`].
    pub step_limit: u32,
    /// Mean return at which the environment counts as solved; see [`World::SOLVED`].
    pub solved: f32,
    /// Worst and best undiscounted return of an episode; see [`World::RETURNS`].
    pub returns: (f32, f32),
    /// Whether a step is random; see [`World::STOCHASTIC`].
    pub stochastic: bool,
    /// Number of values that [`Environment::constants`] returns.
    pub constants_len: fn() -> usize,
}

impl EnvSpec {
    /// Returns the description of the environment `W`.
    #[must_use]
    pub const fn of<W: World>() -> &'static Self {
        const {
            &Self {
                name: W::NAME,
                state: W::STATE,
                state_len: W::STATE_LEN,
                observation: W::OBSERVATION,
                observation_len: W::OBSERVATION_LEN,
                actions: W::ACTIONS,
                step_limit: W::STEP_LIMIT,
                solved: W::SOLVED,
                returns: W::RETURNS,
                stochastic: W::STOCHASTIC,
                constants_len: || W::constants(&W::Params::default()).into().len(),
            }
        }
    }
}

/// Function that creates a batch of environments as [`VectorEnv::new`] does, from the physical parameters as a JSON
/// object.
type NewVectorEnv = fn(Level, &Value, u64, u32, usize, Autoreset) -> Result<Box<dyn AnyVectorEnv>, EnvError>;

/// Functions of a [`World`] that take its physical parameters as a JSON object.
#[derive(Debug)]
struct EnvFunctions {
    new: NewVectorEnv,
    /// Returns the [constants of the dynamics](World::Constants), given the physical parameters as a JSON object.
    constants: fn(&Value) -> Result<Vec<f32>, EnvError>,
}

impl EnvFunctions {
    /// Returns the functions of the environment `W`.
    const fn of<W: CompiledWorld>() -> &'static Self {
        const {
            &Self {
                new: |level, params, seed, first_env, num_envs, autoreset| {
                    let params = W::Params::from_json(params)?;
                    Ok(Box::new(VectorEnv::<W>::new(level, params, seed, first_env, num_envs, autoreset)?))
                },
                constants: |params| Ok(W::constants(&checked::<W>(params)?).into()),
            }
        }
    }
}

/// Parses the physical parameters of the environment `W` from a JSON object, and checks their ranges.
fn checked<W: World>(params: &Value) -> Result<W::Params, EnvError> {
    let params = W::Params::from_json(params)?;
    params.check()?;
    Ok(params)
}

/// Environment that is chosen at run time, with its physical parameters.
#[derive(Clone, Debug)]
pub struct Environment {
    spec: &'static EnvSpec,
    functions: &'static EnvFunctions,
    /// Physical parameters of the environment as a JSON object.
    params: Value,
}

impl Environment {
    /// Creates the environment `W` with the published values of its parameters.
    #[must_use]
    pub fn of<W: CompiledWorld>() -> Self {
        Self::with_params::<W>(&W::Params::default())
    }

    /// Creates the environment `W` with the physical parameters `params`. Each method that uses the parameters checks
    /// their ranges.
    #[must_use]
    pub fn with_params<W: CompiledWorld>(params: &W::Params) -> Self {
        Self { spec: EnvSpec::of::<W>(), functions: EnvFunctions::of::<W>(), params: params.to_json() }
    }

    /// Returns the description of the environment.
    #[must_use]
    pub fn spec(&self) -> &'static EnvSpec {
        self.spec
    }

    /// Returns the physical parameters as the parameter type of `W`.
    ///
    /// # Errors
    /// [`EnvError`] if this is not the environment `W`, or a parameter is out of range.
    pub fn params<W: World>(&self) -> Result<W::Params, EnvError> {
        self.check_kind(W::NAME)?;
        checked::<W>(&self.params)
    }

    /// Checks that the environment has the name `expected`.
    ///
    /// # Errors
    /// [`EnvError::World`] if the environment has another name.
    pub fn check_kind(&self, expected: &'static str) -> Result<(), EnvError> {
        let got = self.spec.name;
        if got == expected { Ok(()) } else { Err(EnvError::World { got: got.to_owned(), expected }) }
    }

    /// Returns the constants of the dynamics; see [`World::Constants`].
    ///
    /// # Errors
    /// [`EnvError::Param`] if a parameter is out of range.
    pub fn constants(&self) -> Result<Vec<f32>, EnvError> {
        (self.functions.constants)(&self.params)
    }

    /// Creates a batch of `num_envs` environments with the physical parameters of this environment; see
    /// [`VectorEnv::new`].
    ///
    /// # Errors
    /// [`EnvError`] if a parameter or `num_envs` is out of range.
    pub fn vector_env(
        &self,
        level: Level,
        seed: u64,
        first_env: u32,
        num_envs: usize,
        autoreset: Autoreset,
    ) -> Result<Box<dyn AnyVectorEnv>, EnvError> {
        (self.functions.new)(level, &self.params, seed, first_env, num_envs, autoreset)
    }
}

impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        self.spec.name == other.spec.name && self.params == other.params
    }
}

/// Batch of environments of any kind: a [`VectorEnv`] without its type parameter. Each method has the meaning and the
/// errors of the corresponding method of [`VectorEnv`].
pub trait AnyVectorEnv: Send + Sync {
    /// Returns the static description of the environment: names, dimensions, action space and time limit.
    fn spec(&self) -> &'static EnvSpec;
    /// Returns the number of environments in the batch.
    fn num_envs(&self) -> usize;
    /// Steps every environment with `actions` `[num_envs]`, and writes the results to `out`; see [`VectorEnv::step`].
    fn step(&mut self, level: Level, actions: &[f32], out: &mut StepOut) -> Result<(), EnvError>;
    /// Writes one random action per environment to `actions` `[num_envs]`; see [`VectorEnv::random_actions`].
    fn random_actions(&self, level: Level, actions: &mut [f32]) -> Result<(), EnvError>;
    /// Writes the current observations to `out`, `[num_envs, observation]`; see [`VectorEnv::observations`].
    fn observations(&self, level: Level, out: &mut [f32]) -> Result<(), EnvError>;
    /// Writes the current states to `out`, `[num_envs, state]`; see [`VectorEnv::states`].
    fn states(&self, out: &mut [f32]) -> Result<(), EnvError>;
    /// Sets the state of environment `index`; see [`VectorEnv::set_state`].
    fn set_state(&mut self, index: usize, state: &[f32]) -> Result<(), EnvError>;
    /// Changes the time limit; see [`VectorEnv::set_step_limit`].
    fn set_step_limit(&mut self, steps: u32) -> Result<(), EnvError>;
    /// Returns the number of steps that the current episode of environment `index` has taken; see [`VectorEnv::age`].
    fn age(&self, index: usize) -> Result<u32, EnvError>;
    /// Begins the next episode in every environment.
    fn reset(&mut self, level: Level);
    /// Begins the next episode in environment `index`; see [`VectorEnv::reset_env`].
    fn reset_env(&mut self, level: Level, index: usize) -> Result<(), EnvError>;
    /// Returns the force of the strongest action, in the unit of [`World::PUSH`]; see [`World::max_force`].
    fn max_force(&self) -> f32;
    /// Applies an external force, in the unit of [`World::PUSH`], to environment `index`, or to all environments if
    /// `index` is `None`; see [`VectorEnv::push`].
    fn push(&mut self, index: Option<usize>, force: f32) -> Result<(), EnvError>;
    /// Returns the complete state of the batch of environments, for [`restored`](Self::restored).
    fn snapshot(&self) -> EnvSnapshot;
    /// Creates a batch of environments from a snapshot, which must have the name of this batch's environment; see
    /// [`VectorEnv::restore`].
    fn restored(&self, snapshot: &EnvSnapshot) -> Result<Box<dyn AnyVectorEnv>, EnvError>;
    /// Changes the physical parameters to the parameters of `environment`, which must have the name of this batch's
    /// environment; see [`VectorEnv::set_params`].
    fn set_params(&mut self, environment: &Environment) -> Result<(), EnvError>;
}

impl<W: CompiledWorld> AnyVectorEnv for VectorEnv<W> {
    fn spec(&self) -> &'static EnvSpec {
        EnvSpec::of::<W>()
    }

    fn num_envs(&self) -> usize {
        self.num_envs()
    }

    fn step(&mut self, level: Level, actions: &[f32], out: &mut StepOut) -> Result<(), EnvError> {
        self.step(level, actions, out)
    }

    fn random_actions(&self, level: Level, actions: &mut [f32]) -> Result<(), EnvError> {
        self.random_actions(level, actions)
    }

    fn observations(&self, level: Level, out: &mut [f32]) -> Result<(), EnvError> {
        self.observations(level, out)
    }

    fn states(&self, out: &mut [f32]) -> Result<(), EnvError> {
        self.states(out)
    }

    fn set_state(&mut self, index: usize, state: &[f32]) -> Result<(), EnvError> {
        self.set_state(index, state)
    }

    fn set_step_limit(&mut self, steps: u32) -> Result<(), EnvError> {
        self.set_step_limit(steps)
    }

    fn age(&self, index: usize) -> Result<u32, EnvError> {
        self.age(index)
    }

    fn reset(&mut self, level: Level) {
        self.reset(level);
    }

    fn reset_env(&mut self, level: Level, index: usize) -> Result<(), EnvError> {
        self.reset_env(level, index)
    }

    fn max_force(&self) -> f32 {
        W::max_force(self.params())
    }

    fn push(&mut self, index: Option<usize>, force: f32) -> Result<(), EnvError> {
        match index {
            Some(index) => self.push(index, force),
            None => self.push_all(force),
        }
    }

    fn snapshot(&self) -> EnvSnapshot {
        self.snapshot()
    }

    fn restored(&self, snapshot: &EnvSnapshot) -> Result<Box<dyn AnyVectorEnv>, EnvError> {
        Ok(Box::new(Self::restore(snapshot)?))
    }

    fn set_params(&mut self, environment: &Environment) -> Result<(), EnvError> {
        self.set_params(environment.params::<W>()?)
    }
}
