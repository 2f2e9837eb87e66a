//! Dynamics and description of a classic-control environment.

use crate::params::Params;
use crate::space::{ActionSpace, Dimension};
use vivarium_kernels::simd::Simd;

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
    /// Whether each state is terminal. The time limit is not included; [`VectorEnv`](crate::VectorEnv) applies the
    /// limit.
    pub terminated: S::mask32s,
}

/// Dynamics of an environment, with the names and ranges of its states and actions.
///
/// The functions are stateless and compute one SIMD vector of environments in `f32`. Implementations must use only the
/// vector types of the SIMD token `S`, since each function is compiled for every SIMD level.
pub trait World: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Physical parameters, such as gravity and masses.
    type Params: Params;
    /// Constants derived from the parameters, computed once for many steps. As a list of numbers, the constants are the
    /// fields of the WGSL struct `Constants` in order.
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
    /// Bounds of the undiscounted return of an episode, for all parameters of the environment.
    const RETURN_BOUNDS: (f32, f32);
    /// Whether a step is random: [`step`](Self::step) then reads the argument `random`. The argument is 0 in an
    /// environment without random steps.
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
