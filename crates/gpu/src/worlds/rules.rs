//! WGSL source of environment dynamics and random numbers.

use crate::constant::ShaderPart;
use crate::error::GpuError;

use vivarium_envs::{EnvSpec, World};
use vivarium_kernels::rng;

/// Random numbers in WGSL (Threefry-2x32), equal to the CPU engine's for the same seed, stream and step. Words
/// and uniform numbers are bitwise equal. Normal numbers agree within 2e-6 of the larger of 1 and their magnitude,
/// because drivers round square roots differently.
///
/// - `threefry(key: vec2<u32>, counter: vec2<u32>) -> vec2<u32>`: [`rng::block`] with the key `(seed's low
///   word, seed's high word)` and the counter `(stream, step)`.
/// - `random_uniform(word: u32) -> f32`: [`rng::uniform`].
/// - `random_normal(block: vec2<u32>) -> vec2<f32>`: [`rng::normal`].
/// - Functions that these functions call: `sin_cos(x: f32) -> vec2<f32>`, `ln_normal(x: f32) -> f32`.
pub const RANDOM_WGSL: &str = crate::shader!("math.wgsl", "threefry.wgsl");

macro_rules! rules {
    ({} $($file:ident: $($world:ident),+;)+) => {
        &[$($((vivarium_envs::$world::NAME, crate::shader!(concat!(stringify!($file), ".wgsl"))),)+)+]
    };
}

/// WGSL source of an environment's functions `world_step`, `world_initial` and `world_observe`, by its
/// identifier `World::NAME`. The WGSL file of an environment has the name of its Rust file. Used by [`world_wgsl`].
const RULES: &[(&str, &str)] = vivarium_envs::for_each_world!([rules]);

/// Returns an environment's physical constants as the elements of the WGSL type `Constants`. Shaders receive the
/// constants at run time, so a changed constant requires no compilation.
pub fn constant_words<W: World>(params: &W::Params) -> Vec<f32> {
    W::constants(params).into()
}

/// Returns the WGSL of an environment, including [`RANDOM_WGSL`]:
///
/// - the constants `STATE_LEN, OBSERVATION_LEN, CONSTANTS_LEN, STEP_LIMIT: u32` and `STOCHASTIC: bool`, whether a step
///   depends on a random number;
/// - `alias State, Observation, Constants = array<f32, …>`;
/// - `struct Transition { state: State, reward: f32, terminated: bool }`;
/// - `world_step(constants: Constants, state: State, action: f32, push: f32, random: f32) -> Transition`, where `push`
///   is an external force (0 for none), and `step_random(key: vec2<u32>, env: u32, tick: u32) -> f32` the random number
///   of a step, with [`step_key`]; 0 unless the environment is stochastic;
/// - `world_observe(state: State) -> Observation`;
/// - `world_initial(constants: Constants, uniform4: vec4<f32>) -> State` from four uniform numbers, and
///   `world_begin(constants: Constants, key: vec2<u32>, env: u32, episode: u32) -> State` from the random numbers of an
///   environment, with [`reset_key`].
///
/// A step agrees with the CPU within rounding: each number of the state and the reward within 2e-5 of the larger of 1
/// and its magnitude. Drivers may divide less exactly, and may fuse multiplications and additions.
///
/// # Errors
/// [`GpuError::UnsupportedWorld`] if the dynamics of the environment are not available in WGSL.
pub fn world_wgsl(spec: &EnvSpec) -> Result<ShaderPart, GpuError> {
    let Some((_, rules)) = RULES.iter().find(|(name, _)| *name == spec.name) else {
        return Err(GpuError::UnsupportedWorld { world: spec.name });
    };
    let part = ShaderPart::new(&[RANDOM_WGSL, crate::shader!("world.wgsl", "episode.wgsl"), rules]);
    Ok(part.constants([("STOCHASTIC", spec.stochastic)]).constants([
        ("STATE_LEN", spec.state_len),
        ("OBSERVATION_LEN", spec.observation_len),
        ("CONSTANTS_LEN", (spec.constants_len)()),
        ("STEP_LIMIT", spec.step_limit as usize),
    ]))
}

/// Returns the key of the random generator for initial states, derived from an environment seed: two words, low word
/// first.
pub fn reset_key(seed: u64) -> [u32; 2] {
    halves(rng::derive(seed, 0))
}

/// Returns the key of the random generator for stochastic steps, derived from an environment seed: two words, low word
/// first.
pub fn step_key(seed: u64) -> [u32; 2] {
    halves(rng::derive(seed, 2))
}

/// Returns the key of the random generator for random actions, derived from an environment seed: two words, low word
/// first.
pub fn action_key(seed: u64) -> [u32; 2] {
    halves(rng::derive(seed, 1))
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_environment_has_dynamics_in_wgsl() {
        fn check<W: World>() {
            assert!(world_wgsl(EnvSpec::of::<W>()).is_ok(), "{}", W::NAME);
        }
        vivarium_envs::each_world!(check());
    }
}
