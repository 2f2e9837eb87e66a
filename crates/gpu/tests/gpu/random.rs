//! Random numbers on the device against the CPU's.

use crate::adapter;
use vivarium_gpu::{GpuRecorder, dispatch_size, floats, worlds::RANDOM_WGSL};
use vivarium_kernels::rng;

/// Writes, for each step of one stream, both words, both uniform numbers and both normal numbers.
const DRAW: &str = "
    struct Uniforms { count: u32, key_low: u32, key_high: u32, stream: u32, first_step: u32 }
    @group(0) @binding(0) var<storage, read_write> words: array<u32>;
    @group(0) @binding(1) var<uniform> u: Uniforms;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if (id.x >= u.count) { return; }
        let block = threefry(vec2(u.key_low, u.key_high), vec2(u.stream, u.first_step + id.x));
        let normal = random_normal(block);
        let at = id.x * 6u;
        words[at] = block.x;
        words[at + 1u] = block.y;
        words[at + 2u] = bitcast<u32>(random_uniform(block.x));
        words[at + 3u] = bitcast<u32>(random_uniform(block.y));
        words[at + 4u] = bitcast<u32>(normal.x);
        words[at + 5u] = bitcast<u32>(normal.y);
    }";

/// What [`DRAW`] writes of `count` steps.
fn draw(seed: u64, stream: u32, first_step: u32, count: usize) -> Vec<[u32; 6]> {
    let gpu = adapter::gpu();
    let kernel = gpu.kernel("draw", &format!("{RANDOM_WGSL}{DRAW}"), &[]).unwrap();
    let buffer = gpu.buffer("draws", 6 * count).unwrap();
    let mut recorder = GpuRecorder::new(gpu);
    let uniforms = [count as u32, seed as u32, (seed >> 32) as u32, stream, first_step];
    recorder.dispatch(&kernel, &[&buffer], &uniforms, dispatch_size(count.div_ceil(64)));
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
