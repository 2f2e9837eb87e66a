//! Self-check of random numbers and environments: compares the device with the CPU.

use vivarium_envs::{Autoreset, CompiledWorld, EnvError, StepBuffers, VectorEnv};
use vivarium_kernels::{rng, simd};

use super::random_steps::RandomSteps;
use super::rules::RANDOM_WGSL;
use crate::builder::Shader;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::program::GpuRecorder;
use crate::readback::floats;

/// Maximum allowed difference between normally distributed numbers of device and CPU, relative to the larger of 1 and
/// their magnitude.
pub const RANDOM_TOLERANCE: f32 = 2e-6;
/// Maximum allowed difference between device and CPU in an observation or reward after one environment step, relative
/// to the larger of 1 and the number's magnitude.
pub const STEP_TOLERANCE: f32 = 2e-5;

/// Returns the relative difference |a − b| / max(1, |a|, |b|); infinity for NaN.
fn apart(a: f32, b: f32) -> f32 {
    let apart = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
    if apart.is_nan() { f32::INFINITY } else { apart }
}

fn furthest<'a>(a: impl IntoIterator<Item = &'a f32>, b: impl IntoIterator<Item = &'a f32>) -> f32 {
    a.into_iter().zip(b).map(|(&a, &b)| apart(a, b)).fold(0.0, f32::max)
}

/// Returns the maximum difference between device and CPU over 512 normally distributed random numbers, to be compared
/// with [`RANDOM_TOLERANCE`]. Returns infinity if a random word or a uniform number differs in any bit.
///
/// # Errors
/// Errors of the device.
pub async fn random_error(gpu: &Gpu) -> Result<f32, GpuError> {
    const STEPS: usize = 256;
    let (seed, stream) = (0x0123_4567_89ab_cdef_u64, 7_u32);
    let drawn = gpu.buffer("random numbers", 6 * STEPS)?;
    let mut recorder = GpuRecorder::new(gpu);
    Shader::own("random numbers", &[RANDOM_WGSL, crate::shader!("check.wgsl")])
        .buffers([("drawn", &drawn)])
        .uniforms([("key_low", seed as u32 as usize), ("key_high", (seed >> 32) as usize)])
        .uniforms([("stream", stream as usize), ("first_step", 0)])
        .record_each(&mut recorder, STEPS)?;
    let program = recorder.finish()?;
    gpu.submit(|encoder| encoder.run(&program))?;
    let words = gpu.read(&drawn, 0..6 * STEPS).await?;
    let mut error = 0f32;
    for (step, drawn) in words.chunks_exact(6).enumerate() {
        let block = rng::block(seed, stream, step as u32);
        if drawn[..2] != block || drawn[2..4] != block.map(|word| rng::uniform(word).to_bits()) {
            return Ok(f32::INFINITY);
        }
        error = error.max(furthest(floats(&drawn[4..]), &rng::normal(block)));
    }
    Ok(error)
}

/// Takes one step with random actions in environments of the type `W`, on the device and on the CPU. Returns the
/// maximum difference in observations and rewards, to be compared with [`STEP_TOLERANCE`]. Returns infinity if device
/// and CPU end different episodes.
///
/// # Errors
/// Errors of the device.
pub async fn world_error<W: CompiledWorld>(gpu: &Gpu) -> Result<f32, GpuError> {
    const LANES: usize = 256;
    // The default parameters of an environment are always in range.
    let broken = |error: EnvError| GpuError::Device { reason: error.to_string() };
    let level = simd::level();
    let mut expected = StepBuffers::new::<W>(LANES);
    let mut env =
        VectorEnv::<W>::new(level, W::Params::default(), 5, 0, LANES, Autoreset::SameStep).map_err(broken)?;
    env.random_steps(level, 30, &mut expected.out()).map_err(broken)?;
    let steps = RandomSteps::of(gpu, &env)?;
    let program = steps.program(1)?;
    gpu.submit(|encoder| encoder.run(&program))?;
    env.random_steps(level, 1, &mut expected.out()).map_err(broken)?;
    let made = steps.read().await?;
    let ends = |bit: u32| made.flags.iter().map(move |flags| flags & bit != 0);
    if !ends(1).eq(expected.terminated.iter().copied()) || !ends(2).eq(expected.truncated.iter().copied()) {
        return Ok(f32::INFINITY);
    }
    Ok(furthest(&made.observation, &expected.observation[..])
        .max(furthest(&made.reward, &expected.reward[..])))
}
