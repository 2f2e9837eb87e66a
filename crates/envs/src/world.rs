//! Dynamics and description of a classic-control environment.

use crate::compiled::CompiledWorld;
use crate::error::EnvError;
use crate::params::Params;
use crate::space::{ActionSpace, Dimension};
use vivarium_kernels::simd::{Level, Simd, SimdBase};

/// Fixed-length tuple of values: a state or an observation. `V` is a scalar, a SIMD vector, or a block of environments.
pub trait Tuple<V: Copy>: Copy + Send + Sync + AsRef<[V]> + AsMut<[V]> {
    /// Number of values in the tuple.
    const LEN: usize;

    /// Returns a tuple whose values all equal `value`.
    fn splat(value: V) -> Self;
}

impl<V: Copy + Send + Sync, const N: usize> Tuple<V> for [V; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn splat(value: V) -> Self {
        [value; N]
    }
}

/// Result of one step of a SIMD vector of environments.
pub struct Transition<W: World, S: Simd> {
    /// The state after the step.
    pub state: W::State<S::f32s>,
    /// The reward of the step.
    pub reward: S::f32s,
    /// Whether each state is terminal. The time limit is not included; [`VectorEnv`](crate::VectorEnv) applies it.
    pub terminated: S::mask32s,
}

/// Dynamics of an environment, with the names and ranges of its states and actions.
///
/// The functions are stateless and compute one SIMD vector of environments in `f32`. Implementations must use only the
/// vector types of the SIMD token `S`, since each function is compiled for every SIMD level.
pub trait World: CompiledWorld + Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Physical parameters, such as gravity and masses.
    type Params: Params;
    /// Constants derived from the parameters, computed once for many steps. Converted to a list, they are the fields of
    /// the WGSL struct `Constants` in order.
    type Constants: Copy + Send + Sync + Into<Vec<f32>>;
    /// State of an environment: one `V` per dimension of [`STATE`](Self::STATE). `V` is a scalar, a SIMD vector or an
    /// array of a block of environments.
    type State<V: Copy + Send + Sync>: Tuple<V>;
    /// Observation: one `V` per dimension of [`OBSERVATION`](Self::OBSERVATION). `V` is a scalar, a SIMD vector or an
    /// array of a block of environments.
    type Observation<V: Copy + Send + Sync>: Tuple<V>;

    /// Identifier of the environment in configs, such as `cartpole`.
    const NAME: &'static str;
    /// Name of the environment in user interfaces.
    const TITLE: &'static str;
    /// State dimensions, with their plotting ranges.
    const STATE: &'static [Dimension];
    /// Observation dimensions, with their usual ranges.
    const OBSERVATION: &'static [Dimension];
    /// Default axes, horizontal and vertical, of the heat map of the value function in user interfaces: indices of two
    /// state dimensions.
    const MAP: (usize, usize);
    /// Action space: the valid actions of the environment.
    const ACTIONS: ActionSpace;
    /// Labels of the actions: one per discrete action, or one for a continuous action.
    const ACTION_LABELS: &'static [&'static str];
    /// External force during one step (a disturbance): name, unit and allowed range.
    const PUSH: Dimension;
    /// Time limit: episodes are truncated after this many steps.
    const STEP_LIMIT: u32;
    /// Mean return over 100 episodes at which the environment counts as solved.
    const SOLVED: f32;
    /// Worst and best undiscounted return of an episode: the range of plots.
    const RETURNS: (f32, f32);
    /// Whether a step is random: [`step`](Self::step) reads its argument `random`, which is 0 otherwise.
    const STOCHASTIC: bool = false;

    /// Computes the constants of the dynamics from the physical parameters.
    fn constants(params: &Self::Params) -> Self::Constants;

    /// Returns the force of the strongest action under `params`, in the unit of [`PUSH`](Self::PUSH).
    fn max_force(params: &Self::Params) -> f32;

    /// Computes one step of a SIMD vector of environments from their states, actions and optional external forces.
    fn step<S: Simd>(
        s: S,
        constants: &Self::Constants,
        state: Self::State<S::f32s>,
        action: S::f32s,
        push: Option<S::f32s>,
        random: S::f32s,
    ) -> Transition<Self, S>;

    /// Returns an initial state for each environment of a SIMD vector, given four random numbers uniform in [0, 1) per
    /// environment.
    fn initial<S: Simd>(s: S, constants: &Self::Constants, uniform: [S::f32s; 4]) -> Self::State<S::f32s>;

    /// Returns the observations of a SIMD vector of states.
    fn observe<S: Simd>(s: S, state: Self::State<S::f32s>) -> Self::Observation<S::f32s>;

    /// Normalizes a state that was set by the caller, for example wraps an angle to [−π, π).
    fn normalize(state: Self::State<f32>) -> Self::State<f32> {
        state
    }

    /// Number of values in a state.
    const STATE_LEN: usize = Self::STATE.len();
    /// Number of values in an observation.
    const OBSERVATION_LEN: usize = Self::OBSERVATION.len();
}

/// Computes the observations `[n, W::OBSERVATION_LEN]` of states `[n, W::STATE_LEN]`, both row-major.
///
/// # Errors
/// [`EnvError::Length`] if the buffers have different numbers of rows.
pub fn observe<W: World>(level: Level, states: &[f32], observations: &mut [f32]) -> Result<(), EnvError> {
    let count = states.len() / W::STATE_LEN;
    if states.len() != count * W::STATE_LEN {
        let expected = count * W::STATE_LEN;
        return Err(EnvError::Length { what: "the buffer of states", got: states.len(), expected });
    }
    let expected = count * W::OBSERVATION_LEN;
    if observations.len() != expected {
        return Err(EnvError::Length {
            what: "the buffer of observations",
            got: observations.len(),
            expected,
        });
    }
    W::observe_states(level, states, observations);
    Ok(())
}

/// Computes the observations of states; the buffers have the same number of rows.
#[inline(always)]
pub(crate) fn observe_rows<W: World, S: Simd>(s: S, states: &[f32], observations: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let groups = states.chunks(lanes * W::STATE_LEN).zip(observations.chunks_mut(lanes * W::OBSERVATION_LEN));
    for (states, observations) in groups {
        let mut state = W::State::<S::f32s>::splat(S::f32s::splat(s, 0.0));
        for (lane, row) in states.chunks_exact(W::STATE_LEN).enumerate() {
            for (values, &value) in state.as_mut().iter_mut().zip(row) {
                values[lane] = value;
            }
        }
        let seen = W::observe(s, state);
        for (lane, row) in observations.chunks_exact_mut(W::OBSERVATION_LEN).enumerate() {
            for (value, values) in row.iter_mut().zip(seen.as_ref()) {
                *value = values[lane];
            }
        }
    }
}
