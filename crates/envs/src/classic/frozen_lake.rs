//! FrozenLake-v1 and FrozenLake8x8-v1: cross a lake of slippery ice to a goal, without falling into a hole.

use super::lake_map::LakeMap;
use crate::space::{ActionSpace, Dimension};
use crate::world::{Transition, World};
use vivarium_kernels::simd::{Select, Simd, SimdBase, SimdFloat, SimdMask};

vivarium_config::config! {
    /// Parameters of FrozenLake.
    #[derive(Clone, Copy)]
    pub struct FrozenLakeParams {
        ["world"]
        /// Tiles of the lake, row by row from the top, with a slash between two rows: S start, F ice, H hole, G goal.
        map: LakeMap<4> = LakeMap::standard(["SFFF", "FHFH", "FFFH", "HFFG"]), "Map", text(19), live;
        /// Probability that a move has the intended direction; otherwise the move turns left or right, with equal
        /// probability. At 1 the ice is not slippery.
        success_rate: f32 = 1.0 / 3.0, "Success rate", number(0.0, 1.0), live;
    }
}

vivarium_config::config! {
    /// Parameters of FrozenLake8x8.
    #[derive(Clone, Copy)]
    pub struct FrozenLake8x8Params {
        ["world"]
        /// Tiles of the lake, row by row from the top, with a slash between two rows: S start, F ice, H hole, G goal.
        map: LakeMap<8> = LakeMap::standard([
            "SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG",
        ]), "Map", text(71), live;
        /// Probability that a move has the intended direction; otherwise the move turns left or right, with equal
        /// probability. At 1 the ice is not slippery.
        success_rate: f32 = 1.0 / 3.0, "Success rate", number(0.0, 1.0), live;
    }
}

/// FrozenLake-v1 of Gymnasium's
/// [`toy_text`](https://gymnasium.farama.org/environments/toy_text/frozen_lake/), with its 4×4 map.
///
/// The state is the column and the row of the agent, the observation a one-hot vector of the tiles, row by row. Actions
/// are left, down, right and up. A move slips to the left or to the right of the intended direction with probability
/// (1 − `success_rate`) / 2 each; a move beyond the edge stays in place. The reward is 1 at the goal, else 0. An
/// episode terminates at the goal and in a hole.
#[derive(Debug, Clone, Copy)]
pub struct FrozenLake;

/// FrozenLake8x8-v1: [`FrozenLake`] on Gymnasium's 8×8 map.
#[derive(Debug, Clone, Copy)]
pub struct FrozenLake8x8;

/// Constants of the dynamics of FrozenLake: slip probabilities, start tile, holes and goals.
#[derive(Debug, Clone, Copy)]
pub struct LakeConstants {
    /// Cumulative probabilities of the direction of a move: P(direction `action - 1`), and P(direction `action - 1` or
    /// `action`). With the remaining probability the direction is `action + 1`.
    cumulative: [f32; 2],
    start: [f32; 2],
    /// Bit mask of the holes: one bit per tile, row by row from the top.
    holes: u64,
    goals: u64,
}

impl LakeConstants {
    fn new<const N: usize>(map: &LakeMap<N>, success_rate: f32) -> Self {
        let failure = (1.0 - success_rate) / 2.0;
        let start = [map.start() % N, map.start() / N].map(|place| place as f32);
        Self { cumulative: [failure, failure + success_rate], start, holes: map.holes(), goals: map.goals() }
    }
}

impl From<LakeConstants> for Vec<f32> {
    /// Returns the constants as the `f32` values that a GPU kernel reads: cumulative probabilities, start (column and
    /// row), and the bit masks of holes and of goals. Each mask is split into four words of 16 bits, which `f32`
    /// represents exactly.
    fn from(constants: LakeConstants) -> Self {
        let LakeConstants { cumulative, start, holes, goals } = constants;
        let words = |tiles: u64| [0, 16, 32, 48].map(|shift| f32::from((tiles >> shift) as u16));
        [&cumulative[..], &start, &words(holes), &words(goals)].concat()
    }
}

/// Returns for each environment of a SIMD vector whether its tile index is in `tiles`, a bit mask with one bit per
/// tile.
#[inline(always)]
fn is_one_of<S: Simd>(s: S, tile: S::f32s, mut tiles: u64) -> S::mask32s {
    let mut found = S::mask32s::splat(s, false);
    while tiles != 0 {
        found |= tile.simd_eq(S::f32s::splat(s, tiles.trailing_zeros() as f32));
        tiles &= tiles - 1;
    }
    found
}

#[inline(always)]
fn step<S: Simd>(
    s: S,
    c: &LakeConstants,
    size: f32,
    [column, row]: [S::f32s; 2],
    action: S::f32s,
    random: S::f32s,
) -> ([S::f32s; 2], S::f32s, S::mask32s) {
    let splat = |value| S::f32s::splat(s, value);
    let (zero, one, last) = (splat(0.0), splat(1.0), splat(size - 1.0));
    // Draws the direction of the move by its cumulative probability: `action - 1`, `action` or `action + 1`.
    let next = random.simd_lt(splat(c.cumulative[1])).select(zero, one);
    let turn = random.simd_lt(splat(c.cumulative[0])).select(splat(-1.0), next);
    // Directions −1 to 4: up, left, down, right, up, left.
    let direction = action + turn;
    let is = |number| direction.simd_eq(splat(number));
    let (left, up) = (is(0.0) | is(4.0), is(3.0) | is(-1.0));
    let sideways = left.select(splat(-1.0), is(2.0).select(one, zero));
    let downward = up.select(splat(-1.0), is(1.0).select(one, zero));
    let within = |place: S::f32s| {
        let place = place.simd_lt(zero).select(zero, place);
        place.simd_gt(last).select(last, place)
    };
    let [next_column, next_row] = [within(column + sideways), within(row + downward)];
    // Nothing moves after the end: Gymnasium's transition table keeps the state, with reward 0.
    let over = is_one_of(s, row.mul_add(splat(size), column), c.holes | c.goals);
    let next = [over.select(column, next_column), over.select(row, next_row)];
    let tile = next[1].mul_add(splat(size), next[0]);
    let goal = is_one_of(s, tile, c.goals);
    let reward = over.select(zero, goal.select(one, zero));
    (next, reward, goal | is_one_of(s, tile, c.holes))
}

macro_rules! lakes {
    ($(
        $world:ident $params:ident: $size:literal, $name:literal, $title:literal, $limit:literal, $solved:literal;
    )+) => {
        $(impl World for $world {
            type Params = $params;
            type Constants = LakeConstants;
            type State<V: Copy + Send + Sync> = [V; 2];
            type Observation<V: Copy + Send + Sync> = [V; $size * $size];

            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
            const STATE: &'static [Dimension] = &[
                Dimension::new("column", "", -0.5, $size as f32 - 0.5),
                Dimension::new("row", "", -0.5, $size as f32 - 0.5),
            ];
            const OBSERVATION: &'static [Dimension] =
                &[Dimension::new("tile", "", -1.0, 1.0); $size * $size];
            const MAP: (usize, usize) = (0, 1);
            const ACTIONS: ActionSpace = ActionSpace::Discrete(4);
            const ACTION_LABELS: &'static [&'static str] = &["left", "down", "right", "up"];
            const PUSH: Dimension = Dimension::new("push", "", 0.0, 0.0);
            const STEP_LIMIT: u32 = $limit;
            const SOLVED: f32 = $solved;
            const RETURNS: (f32, f32) = (0.0, 1.0);
            const RETURN_BOUNDS: (f32, f32) = (0.0, 1.0);
            const STOCHASTIC: bool = true;

            fn constants(params: &$params) -> LakeConstants {
                LakeConstants::new(&params.map, params.success_rate)
            }

            /// Returns 0, because the actions of FrozenLake exert no force.
            fn max_force(_: &$params) -> f32 {
                0.0
            }

            #[inline(always)]
            fn step<S: Simd>(
                s: S,
                c: &LakeConstants,
                state: [S::f32s; 2],
                action: S::f32s,
                _: Option<S::f32s>,
                random: S::f32s,
            ) -> Transition<Self, S> {
                let (state, reward, terminated) = step(s, c, $size as f32, state, action, random);
                Transition { state, reward, terminated }
            }

            #[inline(always)]
            fn initial<S: Simd>(s: S, c: &LakeConstants, _: [S::f32s; 4]) -> [S::f32s; 2] {
                [S::f32s::splat(s, c.start[0]), S::f32s::splat(s, c.start[1])]
            }

            #[inline(always)]
            fn observe<S: Simd>(s: S, [column, row]: [S::f32s; 2]) -> [S::f32s; $size * $size] {
                let (zero, one) = (S::f32s::splat(s, 0.0), S::f32s::splat(s, 1.0));
                let tile = (row + 0.5).floor().mul_add(S::f32s::splat(s, $size as f32), (column + 0.5).floor());
                let mut seen = [zero; $size * $size];
                for (number, value) in seen.iter_mut().enumerate() {
                    *value = tile.simd_eq(S::f32s::splat(s, number as f32)).select(one, zero);
                }
                seen
            }

            fn normalize(state: [f32; 2]) -> [f32; 2] {
                state.map(|place| (place + 0.5).floor().clamp(0.0, $size as f32 - 1.0))
            }
        })+
    };
}

// Solved: 98 % of the return of the policy that value iteration finds, with γ = 0.99 and 0.995; see `LakeModel`.
lakes! {
    FrozenLake FrozenLakeParams: 4, "frozen-lake", "FrozenLake", 100, 0.725;
    FrozenLake8x8 FrozenLake8x8Params: 8, "frozen-lake-8x8", "FrozenLake 8×8", 200, 0.875;
}
