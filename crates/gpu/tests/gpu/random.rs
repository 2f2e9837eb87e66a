//! Tests of random numbers on the device against the random numbers of the CPU.

use crate::adapter;
use vivarium_gpu::{GpuRecorder, Shader, floats, worlds::RANDOM_WGSL};
use vivarium_kernels::rng;

/// WGSL kernel that writes six words for each step of a random stream: both random words, both uniform numbers and both
/// normal numbers. The kernel is also a part of the self-check.
const DRAW: &str = vivarium_gpu::shader!("../../src/worlds/check.wgsl");

/// Returns the six words that [`DRAW`] writes for each of `count` steps of a random stream.
fn draw(seed: u64, stream: u32, first_step: u32, count: usize) -> Vec<[u32; 6]> {
    let gpu = adapter::gpu();
    let buffer = gpu.buffer("draws", 6 * count).unwrap();
    let mut recorder = GpuRecorder::new(gpu);
    let key = [("key_low", seed as u32 as usize), ("key_high", (seed >> 32) as usize)];
    Shader::new("draw", &[RANDOM_WGSL, DRAW])
        .buffers([("drawn", &buffer)])
        .uniforms(key)
        .uniforms([("stream", stream as usize), ("first_step", first_step as usize)])
        .record_each(&mut recorder, count)
        .unwrap();
    let program = recorder.finish().unwrap();
    gpu.submit(|encoder| encoder.run(&program)).unwrap();
    gpu.read_blocking(&buffer, 0..6 * count).unwrap().as_chunks().0.to_vec()
}

#[test]
fn words_and_uniform_numbers_are_the_cpus_bit_for_bit() {
    for (seed, stream, first_step) in
        [(0, 0, 0), (u64::MAX, u32::MAX, u32::MAX - 100), (0x0123_4567_89ab_cdef, 7, 1 << 31)]
    {
        for (index, drawn) in draw(seed, stream, first_step, 1000).into_iter().enumerate() {
            let block = rng::block(seed, stream, first_step.wrapping_add(index as u32));
            assert_eq!(drawn[..2], block, "{seed} {stream} {index}");
            assert_eq!(drawn[2..4], block.map(|word| rng::uniform(word).to_bits()));
        }
    }
}

#[test]
fn normal_numbers_agree_with_the_cpus_within_the_stated_error() {
    let mut largest = 0f32;
    for drawn in draw(99, 5, 0, 60_000) {
        let expected = rng::normal([drawn[0], drawn[1]]);
        for (got, expected) in floats(&drawn[4..]).iter().zip(expected) {
            largest = largest.max((got - expected).abs() / expected.abs().max(1.0));
        }
    }
    assert!(largest <= 2e-6, "{largest}");
}
