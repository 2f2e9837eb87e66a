//! Tests of device memory: reuse, release and exhaustion.

use crate::adapter;
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuProgram, GpuRecorder, ReadbackRing, Shader, floats};

/// WGSL kernel that adds a number to every word of a buffer.
const ADD: &str = "
    var<storage, read_write> words: array<f32>;
    fn each(i: u32) { words[i] += bitcast<f32>(u.number) + $MORE; }";

fn adding_more<'a>(more: usize) -> Shader<'a> {
    Shader::new("add", &[ADD]).constants([("MORE", format!("{more}.0"))])
}

fn adding(gpu: &Gpu, buffer: &Buffer, number: f32) -> Result<GpuProgram, GpuError> {
    let number = ("number", number.to_bits() as usize);
    let mut recorder = GpuRecorder::new(gpu);
    adding_more(0)
        .buffers([("words", buffer)])
        .uniforms([number])
        .record_each(&mut recorder, buffer.len())?;
    recorder.finish()
}

#[test]
fn memory_is_used_again() {
    let gpu = adapter::open();
    let buffer = gpu.buffer("first", 300).unwrap();
    drop(buffer);
    let made = gpu.memory();
    assert_eq!((made.bytes, made.buffers_created), (2048, 1));
    let again = gpu.buffer("second", 512).unwrap();
    assert_eq!(gpu.memory(), made);
    let _third = gpu.buffer("third", 512).unwrap();
    assert_eq!(gpu.memory().buffers_created, 2);
    drop(again);
}

#[test]
fn unused_memory_is_released() {
    let gpu = adapter::open();
    let buffer = gpu.buffer("kept for later", 512).unwrap();
    drop(ReadbackRing::new(&gpu, 1000, 2).unwrap());
    assert_eq!(gpu.memory().bytes, 2048, "the ring's staging buffers are gone with it");
    let program = adding(&gpu, &buffer, 1.0).unwrap();
    assert!(gpu.memory().bytes > 2048);
    drop(program);
    assert_eq!(gpu.memory().bytes, 2048, "the program's uniforms are gone with it");
    drop(buffer);
    assert_eq!(gpu.memory().bytes, 2048);
    assert!(gpu.release_unused());
    assert_eq!(gpu.memory().bytes, 0);
    assert!(!gpu.release_unused());
}

#[test]
fn the_pool_is_released_before_an_allocation_fails() {
    let gpu = adapter::open();
    let other = gpu.zeros("another", 64).unwrap();
    let keep = || drop(gpu.buffer("kept for later", 1024).unwrap());
    gpu.limit_memory(256 + 4096);
    keep();
    let buffer = gpu.buffer("a buffer of another size", 512).unwrap();
    drop(buffer);
    gpu.release_unused();
    keep();
    drop(ReadbackRing::new(&gpu, 64, 1).unwrap());
    keep();
    drop(adding(&gpu, &other, 1.0).unwrap());
    assert_eq!(gpu.memory().bytes, 256);
    gpu.check().unwrap();
}

#[test]
fn a_buffer_shrinks_to_the_requested_size_if_memory_is_short() {
    let gpu = adapter::open();
    gpu.limit_memory(1200);
    let _buffer = gpu.buffer("300 words", 300).unwrap();
    assert_eq!(gpu.memory().bytes, 1200);
}

#[test]
fn out_of_memory_errors_name_cause_and_remedy() {
    let gpu = adapter::open();
    gpu.limit_memory(2048);
    let used = gpu.upload("what is in use", &[1.5f32]).unwrap();
    let refused = [
        ("the herd", 4000, gpu.buffer("the herd", 1000).unwrap_err()),
        ("the readback buffer", 4000, ReadbackRing::new(&gpu, 1000, 1).err().unwrap()),
    ];
    for (name, needed, error) in refused {
        let expected =
            GpuError::OutOfMemory { what: name.into(), bytes: needed, held: 256, allowed: Some(2048) };
        assert_eq!(error, expected);
        let text = error.to_string();
        for part in [name, "4000 bytes", "256 bytes", "limit 2048", "reduce", "CPU"] {
            assert!(text.contains(part), "{text}");
        }
    }
    assert_eq!(floats(&gpu.read_blocking(&used, 0..1).unwrap()), [1.5]);
    assert_eq!(gpu.memory().bytes, 256);
}

#[test]
fn memory_released_during_work_stays_valid_for_that_work() {
    let gpu = adapter::open();
    let result = gpu.zeros("the result", 1 << 15).unwrap();
    let buffer = gpu.zeros("what is added to", 1 << 15).unwrap();
    let program = adding(&gpu, &buffer, 0.5).unwrap();
    gpu.submit(|encoder| {
        encoder.repeat(&program, 20);
        encoder.copy(&buffer, 0, &result, 0, 1 << 15);
    })
    .unwrap();
    let mut ring = ReadbackRing::new(&gpu, 1, 1).unwrap();
    gpu.submit(|encoder| ring.copy(encoder, [(&buffer, 0..1)])).unwrap();
    ring.submitted();
    drop((program, buffer, ring));
    assert!(gpu.release_unused());
    let words = gpu.read_blocking(&result, 0..1 << 15).unwrap();
    assert!(floats(&words).iter().all(|&sum| sum == 10.0));
    assert_eq!(gpu.memory().bytes, 4 << 15);
}

#[test]
fn unused_kernels_are_dropped_from_the_cache() {
    let gpu = adapter::open();
    let buffer = gpu.zeros("numbers", 1).unwrap();
    let program = |more: usize| -> GpuProgram {
        let mut recorder = GpuRecorder::new(&gpu);
        let shader = adding_more(more).buffers([("words", &buffer)]).uniforms([("number", 0)]);
        shader.record_each(&mut recorder, 1).unwrap();
        recorder.finish().unwrap()
    };
    let _used = program(0);
    (1..=256).for_each(|more| drop(program(more)));
    assert_eq!(gpu.kernels_compiled(), 257);
    program(0);
    assert_eq!(gpu.kernels_compiled(), 257, "it was in use");
    program(256);
    assert_eq!(gpu.kernels_compiled(), 257, "it is the newest");
    program(1);
    assert_eq!(gpu.kernels_compiled(), 258, "it was kept");
}
