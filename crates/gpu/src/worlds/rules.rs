//! The worlds' rules and the random numbers as WGSL, for any kernel that steps lanes.

use vivarium_envs::{Acrobot, CartPole, MountainCar, Params, Pendulum, Tuple, World};
use vivarium_kernels::rng;

/// Random numbers in WGSL: the CPU's for the same seed, stream and step. Words and uniform numbers agree bit
/// for bit; normal numbers to 2e-6 of the larger of 1 and their size (drivers round square roots
/// differently).
///
/// - `threefry(key: vec2<u32>, counter: vec2<u32>) -> vec2<u32>`: [`rng::block`] with the key `(seed's low
///   word, seed's high word)` and the counter `(stream, step)`.
/// - `random_uniform(word: u32) -> f32`: [`rng::uniform`].
/// - `random_normal(block: vec2<u32>) -> vec2<f32>`: [`rng::normal`].
/// - and what they need: `sin_cos(x: f32) -> vec2<f32>`, `ln_normal(x: f32) -> f32`.
pub const RANDOM_WGSL: &str = crate::shader!("math.wgsl", "threefry.wgsl");

/// A world whose rules exist in WGSL too.
pub trait GpuWorld: World {
    /// The rules on one lane: `world_step`, `world_initial`, `world_observe`. To be used within
    /// [`world_wgsl`].
    const RULES: &'static str;

    /// What the rules need of the params, as `Constants` in WGSL. They are given to a kernel while it runs,
    /// so that a change of the world compiles nothing.
    fn constant_words(params: &Self::Params) -> Vec<f32>;
}

macro_rules! rules {
    ($($world:ident $text:literal,)+) => {
        $(impl GpuWorld for $world {
            const RULES: &'static str = crate::shader!($text);

            fn constant_words(params: &Self::Params) -> Vec<f32> {
                Self::constants(params).numbers().to_vec()
            }
        })+
    };
}

rules! {
    CartPole "cartpole.wgsl",
    MountainCar "mountain_car.wgsl",
    Pendulum "pendulum.wgsl",
    Acrobot "acrobot.wgsl",
}

/// Everything about a world in WGSL, [`RANDOM_WGSL`] included, to put before a kernel's own text:
///
/// - `const STATE_LEN, OBSERVATION_LEN, CONSTANTS_LEN, STEP_LIMIT: u32`;
/// - `alias State, Observation, Constants = array<f32, …>`;
/// - `struct Transition { state: State, reward: f32, terminated: bool }`;
/// - `world_step(constants: Constants, state: State, action: f32, push: f32) -> Transition`, where a push of
///   0 is none;
/// - `world_observe(state: State) -> Observation`;
/// - `world_initial(uniform4: vec4<f32>) -> State` from four uniform numbers, and `world_begin(key:
///   vec2<u32>, lane: u32, episode: u32) -> State` from the lane's own, with [`reset_key`].
///
/// One step from the same state agrees with the CPU's within rounding: each number of the state and the
/// reward to 2e-5 of the larger of 1 and its size (drivers may divide less exactly, and fuse or not fuse
/// products with sums).
pub fn world_wgsl<W: GpuWorld>() -> String {
    let (state, observation) = (W::STATE_LEN, W::OBSERVATION_LEN);
    let constants = W::constant_words(&W::Params::default()).len();
    debug_assert_eq!(W::State::<f32>::LEN, state);
    format!(
        "const STATE_LEN: u32 = {state}u;\nconst OBSERVATION_LEN: u32 = {observation}u;\n\
         const CONSTANTS_LEN: u32 = {constants}u;\nconst STEP_LIMIT: u32 = {limit}u;\n\
         alias State = array<f32, {state}>;\nalias Observation = array<f32, {observation}>;\n\
         alias Constants = array<f32, {constants}>;\n\
         struct Transition {{\n    state: State,\n    reward: f32,\n    terminated: bool,\n}}\n\
         {RANDOM_WGSL}{rules}{episode}",
        limit = W::STEP_LIMIT,
        rules = W::RULES,
        episode = crate::shader!("episode.wgsl"),
    )
}

/// The key, low word first, of the numbers that the episodes of an environment with this seed begin with.
pub fn reset_key(seed: u64) -> [u32; 2] {
    halves(rng::derive(seed, 0))
}

/// The key, low word first, of the random actions of an environment with this seed.
pub fn action_key(seed: u64) -> [u32; 2] {
    halves(rng::derive(seed, 1))
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}
