//! GPU benchmarks of the page. They have the same names in `vivarium bench gpu`.

use super::tasks;
use crate::bench::measurement::{Figure, MEASUREMENT_MS, SIDES, side_name, training};
use crate::clock::now;
use crate::error::SessionError;
use vivarium_envs::{Autoreset, CartPole, VectorEnv, World};
use vivarium_exhibits::REGISTRY;
use vivarium_gpu::ops::{LinearArgs, linear};
use vivarium_gpu::worlds::RandomSteps;
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuProgram, GpuRecorder, ReadbackRing, Shader};
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};
use vivarium_lab::Engine;

/// Duration of the measurement of PPO training, in milliseconds.
const TRAINING_MS: f64 = 5000.0;

/// Runs the GPU benchmark `name` and returns its result; `None` if the benchmark would take minutes on this GPU.
pub async fn measure(name: &str, gpu: &Gpu) -> Result<Option<Figure>, SessionError> {
    let figure = |value, unit: &str| {
        Ok(Some(Figure { name: name.into(), value, unit: unit.into(), threads: None, rival: None }))
    };
    if let Some(&side) = SIDES.iter().find(|&&side| side_name(side) == name) {
        // Takes minutes on a software adapter.
        let too_long = side > 1024 && gpu.adapter_info().software;
        return if too_long { Ok(None) } else { figure(square(gpu, side).await?, "GFLOP/s") };
    }
    match name {
        "gpu/dispatch" => figure(dispatch(gpu).await?, "µs"),
        "gpu/readback" => figure(readback(gpu).await?, "µs"),
        "gpu/cartpole/raw" => figure(raw_steps(gpu).await?, "steps/s"),
        "gpu/cartpole/ppo" => figure(training_speed(gpu).await?, "steps/s"),
        _ => Err(crate::bench::unknown(name)),
    }
}

/// Returns the duration of one dispatch of a minimal kernel in microseconds, in a long sequence of dependent
/// dispatches.
async fn dispatch(gpu: &Gpu) -> Result<f64, GpuError> {
    const ROW: usize = 1000;
    let words = gpu.zeros("dispatch", 1)?;
    let mut recorder = GpuRecorder::new(gpu);
    Shader::new("count", &[vivarium_gpu::shader!("count.wgsl")])
        .buffers([("words", &words)])
        .record(&mut recorder, [1, 1, 1])?;
    let count = recorder.finish()?;
    // Best milliseconds of a short and a long sequence; both include the cost of a submission and the readback.
    let mut best = [f64::INFINITY; 2];
    let end = now() + MEASUREMENT_MS;
    while now() < end {
        for (best, times) in best.iter_mut().zip([ROW, 4 * ROW]) {
            let start = now();
            gpu.submit(|encoder| encoder.repeat(&count, times))?;
            gpu.read(&words, 0..1).await?;
            *best = best.min(now() - start);
        }
    }
    Ok((best[1] - best[0]).max(0.0) / (3 * ROW) as f64 * 1e3)
}

/// Returns the shortest latency of a readback of 64 words in microseconds, from the submission to the arrival of the
/// data.
async fn readback(gpu: &Gpu) -> Result<f64, GpuError> {
    let source = gpu.zeros("readback", 64)?;
    let (mut ring, mut words) = (ReadbackRing::new(gpu, 64, 1)?, Vec::new());
    let mut best = f64::INFINITY;
    let end = now() + MEASUREMENT_MS;
    while now() < end {
        let start = now();
        gpu.submit(|encoder| ring.copy(encoder, [(&source, 0..64)]))?;
        ring.submitted();
        ring.next(&mut words).await?;
        best = best.min(now() - start);
    }
    Ok(best * 1e3)
}

/// Returns the throughput of the product of two matrices of `side` × `side` elements, in GFLOP/s.
async fn square(gpu: &Gpu, side: usize) -> Result<f64, GpuError> {
    let words = side * side;
    let mut numbers = vec![0.0; words];
    rng::fill_uniform(simd::level(), 1, 0, 0, &mut numbers);
    let (arena, weight) = (gpu.zeros("a product", 2 * words)?, gpu.upload("a product's matrix", &numbers)?);
    gpu.write(&arena, 0, &numbers);
    let mut recorder = GpuRecorder::new(gpu);
    let layer = LinearArgs { rows: side, inputs: side, outputs: side, y: words, ..LinearArgs::default() };
    linear(&mut recorder, &arena, &weight, &[layer], None)?;
    let product = recorder.finish()?;
    let rate = best_rate(gpu, &product, &arena).await?;
    Ok(rate * 2.0 * (side as f64).powi(3) / 1e6)
}

/// Measures `program` repeatedly, and returns the best rate in runs per millisecond. The time ends when `made`, a buffer
/// that the program writes, has been read back.
async fn best_rate(gpu: &Gpu, program: &GpuProgram, made: &Buffer) -> Result<f64, GpuError> {
    // The driver compiles the kernels in the first run.
    gpu.submit(|encoder| encoder.run(program))?;
    gpu.read(made, 0..1).await?;
    let (mut best, mut repeats) = (0.0f64, 1);
    let end = now() + MEASUREMENT_MS;
    loop {
        let start = now();
        gpu.submit(|encoder| encoder.repeat(program, repeats))?;
        gpu.read(made, 0..1).await?;
        let milliseconds = now() - start;
        best = best.max(repeats as f64 / milliseconds);
        if now() >= end {
            return Ok(best);
        }
        // Enough repeats that the readback is negligible, few enough that browsers do not reset the GPU.
        if milliseconds < 150.0 {
            repeats *= 2;
        }
    }
}

/// Measures CartPole with random actions, and returns environment steps per second, including resets.
async fn raw_steps(gpu: &Gpu) -> Result<f64, SessionError> {
    const STEPS: u32 = 128;
    // Enough environments to occupy a GPU; a software adapter needs far fewer.
    let num_envs = if gpu.adapter_info().software { 1 << 13 } else { 1 << 20 };
    let params = <CartPole as World>::Params::default();
    let env = VectorEnv::<CartPole>::new(simd::level(), params, 1, 0, num_envs, Autoreset::SameStep)?;
    let steps = RandomSteps::of(gpu, &env)?;
    let rate = best_rate(gpu, &steps.program(STEPS)?, steps.made()).await?;
    Ok(rate * 1e3 * (num_envs * STEPS as usize) as f64)
}

/// Trains PPO on CartPole for a fixed duration after the first iteration, and returns environment steps per second.
/// Rollouts and gradient steps are included.
async fn training_speed(gpu: &Gpu) -> Result<f64, SessionError> {
    // One thread suffices, because nearly all work is on the device.
    let cpu = Cpu::new(1);
    let mut experiment = REGISTRY.create("cartpole", &training(!gpu.adapter_info().software), 1)?;
    experiment.set_engine(Engine::Gpu(gpu.clone()))?;
    let mut start = None;
    loop {
        let before = experiment.progress().steps;
        experiment.advance(&cpu)?;
        gpu.check()?;
        let steps = experiment.progress().steps;
        if steps > before {
            // The first iteration compiles kernels.
            let (since, done) = *start.get_or_insert((now(), steps));
            let passed = now() - since;
            if steps > done && passed >= TRAINING_MS {
                return Ok((steps - done) as f64 / passed * 1e3);
            }
        }
        if experiment.is_waiting() {
            tasks::pause().await;
        }
    }
}
