//! What makes a world: its rules on one SIMD vector of lanes, and what a person needs to know of it.

use crate::error::EnvError;
use crate::params::Params;
use crate::space::{ActionSpace, Dimension};
use vivarium_kernels::simd::{Level, Simd, SimdBase, dispatch};

/// A fixed number of values of one kind: a state or an observation. `V` is one number, or a vector of lanes, or a
/// block of them.
pub trait Tuple<V: Copy>: Copy + Send + Sync + AsRef<[V]> + AsMut<[V]> {
    /// How many values.
    const LEN: usize;

    /// `value` in every place.
    fn splat(value: V) -> Self;
}

impl<V: Copy + Send + Sync, const N: usize> Tuple<V> for [V; N] {
    const LEN: usize = N;

    #[inline(always)]
    fn splat(value: V) -> Self {
        [value; N]
    }
}

/// What one step made of one vector of lanes.
pub struct Transition<W: World, S: Simd> {
    /// The state after the step.
    pub state: W::State<S::f32s>,
    /// The reward of the step.
    pub reward: S::f32s,
    /// Where the episode ended by the rules; the limit on steps is not the world's affair.
    pub terminated: S::mask32s,
}

/// The rules of one world, and the names and ranges that a person sees.
///
/// The rules work on one vector of lanes in `f32`. They use the given token's vectors only, so that they compile for
/// every level, and hold no state.
pub trait World: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// What can be changed about it.
    type Params: Params;
    /// What the rules need of the params, computed once for many steps.
    type Constants: Copy + Send + Sync;
    /// A state.
    type State<V: Copy + Send + Sync>: Tuple<V>;
    /// What an agent sees.
    type Observation<V: Copy + Send + Sync>: Tuple<V>;

    /// The name in configs, such as `cartpole`.
    const NAME: &'static str;
    /// The name that a person reads.
    const TITLE: &'static str;
    /// The dimensions of a state, with the ranges to draw.
    const STATE: &'static [Dimension];
    /// The dimensions of an observation, with their usual ranges.
    const OBSERVATION: &'static [Dimension];
    /// The two state dimensions that a heat map shows by default.
    const MAP: (usize, usize);
    /// The actions.
    const ACTIONS: ActionSpace;
    /// What the actions are called: one label per discrete action, one for a box.
    const ACTION_LABELS: &'static [&'static str];
    /// An external force for one step: what it is called, its unit, and the allowed range.
    const PUSH: Dimension;
    /// Episodes are truncated after this many steps.
    const STEP_LIMIT: u32;
    /// The mean return over 100 episodes from which the world counts as solved.
    const SOLVED: f32;
    /// The returns that an episode can have, worst and best, to draw by.
    const RETURNS: (f32, f32);

    /// What the rules need of the params.
    fn constants(params: &Self::Params) -> Self::Constants;

    /// The force of the strongest action under these params, in the unit of a push.
    fn strongest(params: &Self::Params) -> f32;

    /// Moves `state` on by one step under `action` and, where there is one, an external force.
    fn step<S: Simd>(
        s: S,
        constants: &Self::Constants,
        state: Self::State<S::f32s>,
        action: S::f32s,
        push: Option<S::f32s>,
    ) -> Transition<Self, S>;

    /// The first state of an episode, from four random numbers uniform in [0, 1).
    fn initial<S: Simd>(s: S, uniform: [S::f32s; 4]) -> Self::State<S::f32s>;

    /// What an agent sees of a state.
    fn observe<S: Simd>(s: S, state: Self::State<S::f32s>) -> Self::Observation<S::f32s>;

    /// Brings a state set from outside into the form that the rules keep, such as an angle into one turn.
    fn normalize(state: Self::State<f32>) -> Self::State<f32> {
        state
    }

    /// Numbers in a state.
    const STATE_LEN: usize = Self::STATE.len();
    /// Numbers in an observation.
    const OBSERVATION_LEN: usize = Self::OBSERVATION.len();
}

/// The observations `[n, W::OBSERVATION_LEN]` of the states `[n, W::STATE_LEN]`, both row-major.
///
/// # Errors
/// [`EnvError::Length`] if the buffers do not hold the same number of rows.
pub fn observe<W: World>(level: Level, states: &[f32], observations: &mut [f32]) -> Result<(), EnvError> {
    #[inline(always)]
    fn rows<W: World, S: Simd>(s: S, states: &[f32], observations: &mut [f32]) {
        let lanes = S::f32s::LEN;
        let groups =
            states.chunks(lanes * W::STATE_LEN).zip(observations.chunks_mut(lanes * W::OBSERVATION_LEN));
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
    dispatch!(level, s => rows::<W, _>(s, states, observations));
    Ok(())
}
