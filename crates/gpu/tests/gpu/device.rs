//! Tests of the device, its memory, programs and readback on a real adapter.

use crate::adapter;
use vivarium_gpu::{AdapterChoice, Gpu, GpuError, GpuRecorder, ReadbackRing, dispatch_size, floats};

/// Adds a number to every word of a buffer.
const ADD: &str = "
    struct Uniforms { count: u32, number: f32 }
    @group(0) @binding(0) var<storage, read_write> words: array<f32>;
    @group(0) @binding(1) var<uniform> u: Uniforms;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if (id.x < u.count) { words[id.x] += u.number; }
    }";

#[test]
fn a_program_runs_repeatedly_without_new_device_objects() {
    let gpu = adapter::open();
    let kernel = gpu.kernel("add", ADD, &[]).unwrap();
    let buffer = gpu.zeros("numbers", 1000).unwrap();
    let other = gpu.zeros("copy", 1000).unwrap();
    let mut recorder = GpuRecorder::new(&gpu);
    for number in [1f32, 0.25] {
        recorder.dispatch(
            &kernel,
            &[&buffer],
            &[1000, number.to_bits()],
            dispatch_size(1000usize.div_ceil(64)),
        );
    }
    recorder.copy(&buffer, 0, &other, 10, 990);
    recorder.clear(&other, 0..5);
    let program = recorder.finish().unwrap();
    assert_eq!((program.cost().dispatches, program.cost().bytes_copied), (2, 995 * 4));

    let mut ring = ReadbackRing::new(&gpu, 1000, 2).unwrap();
    let (mut words, mut memory) = (Vec::new(), None);
    for round in 1..=50 {
        gpu.submit(|encoder| {
            encoder.repeat(&program, 2);
            ring.copy(encoder, [(&buffer, 0..3), (&other, 8..12)]);
        })
        .unwrap();
        ring.submitted();
        ring.wait(&mut words).unwrap();
        let sum = 2.5 * round as f32;
        assert_eq!(floats(&words), [sum, sum, sum, 0.0, 0.0, sum, sum]);
        assert_eq!(*memory.get_or_insert(gpu.memory()), gpu.memory());
    }
    assert_eq!(gpu.kernels_compiled(), 1);
    gpu.kernel("add", ADD, &[]).unwrap();
    assert_eq!(gpu.kernels_compiled(), 1);
}

#[test]
fn poll_returns_after_the_maximum_wait() {
    let gpu = adapter::open();
    gpu.set_max_wait(std::time::Duration::ZERO);
    let kernel = gpu.kernel("add", ADD, &[]).unwrap();
    let buffer = gpu.zeros("numbers", 1 << 20).unwrap();
    let mut recorder = GpuRecorder::new(&gpu);
    let (count, number) = (1u32 << 20, 1f32);
    recorder.dispatch(&kernel, &[&buffer], &[count, number.to_bits()], dispatch_size((1usize << 20) / 64));
    let program = recorder.finish().unwrap();
    let mut ring = ReadbackRing::new(&gpu, 1, 2).unwrap();
    let (mut words, mut arrived, mut looks) = (Vec::new(), Vec::new(), 0);
    assert!(!ring.poll(&mut words).unwrap(), "no readback is pending");
    for _ in 0..2 {
        gpu.submit(|encoder| {
            encoder.repeat(&program, 50);
            ring.copy(encoder, [(&buffer, 0..1)]);
        })
        .unwrap();
        ring.submitted();
    }
    while arrived.len() < 2 {
        match ring.poll(&mut words).unwrap() {
            true => arrived.push(floats(&words)[0]),
            false => looks += 1,
        }
    }
    assert_eq!(arrived, [50.0, 100.0]);
    assert!(looks > 0, "it waited for the device");
}

#[test]
fn copies_are_read_in_order_and_a_full_ring_is_reported() {
    let gpu = adapter::gpu();
    let buffer = gpu.upload("numbers", &[1u32, 2, 3, 4]).unwrap();
    let mut ring = ReadbackRing::new(gpu, 2, 3).unwrap();
    for start in 0..3 {
        gpu.submit(|encoder| ring.copy(encoder, [(&buffer, start..start + 2)])).unwrap();
        ring.submitted();
    }
    assert!(ring.is_full());
    let mut words = Vec::new();
    for start in 1..=3 {
        ring.wait(&mut words).unwrap();
        assert_eq!(words, [start, start + 1]);
    }
    assert_eq!(ring.in_flight(), 0);
    assert!(!ring.take(&mut words).unwrap());
}

#[test]
fn too_large_buffers_are_rejected_by_name() {
    let gpu = adapter::gpu();
    let words = (gpu.adapter_info().largest_buffer / 4) as usize + 1;
    let error = gpu.buffer("the preview", words).unwrap_err();
    assert!(matches!(&error, GpuError::BufferTooLarge { what, .. } if what == "the preview"), "{error}");
    gpu.check().unwrap();
}

#[test]
fn a_kernel_that_does_not_compile_is_an_error() {
    let gpu = adapter::open();
    let error =
        gpu.kernel("broken", "@compute @workgroup_size(1) fn main() { let x: f32 = 1u; }", &[]).unwrap_err();
    assert!(matches!(&error, GpuError::Shader { kernel, .. } if kernel == "broken"), "{error}");
    let buffer = gpu.upload("numbers", &[1.5f32]).unwrap();
    assert_eq!(floats(&gpu.read_blocking(&buffer, 0..1).unwrap()), [1.5]);
}

#[test]
fn a_kernel_with_mismatched_bindings_is_an_error() {
    let gpu = adapter::open();
    let kernel = gpu.kernel("add", ADD, &[]).unwrap();
    let mut recorder = GpuRecorder::new(&gpu);
    recorder.dispatch(&kernel, &[], &[0, 0], [1, 1, 1]);
    let error = recorder.finish().err().unwrap();
    assert!(matches!(&error, GpuError::Shader { kernel, .. } if kernel == "add"), "{error}");
    gpu.check().unwrap();
}

#[test]
fn a_lost_device_is_an_error_everywhere() {
    let gpu = adapter::open();
    let buffer = gpu.upload("numbers", &[1u32]).unwrap();
    let mut ring = ReadbackRing::new(&gpu, 1, 2).unwrap();
    gpu.submit(|encoder| ring.copy(encoder, [(&buffer, 0..1)])).unwrap();
    ring.submitted();
    gpu.destroy();
    let lost = |error: GpuError| assert!(matches!(error, GpuError::Lost { .. }), "{error}");
    lost(gpu.check().unwrap_err());
    lost(gpu.submit(|_| {}).unwrap_err());
    lost(gpu.buffer("more", 1 << 20).unwrap_err());
    lost(gpu.kernel("add", ADD, &[]).unwrap_err());
    lost(ring.take(&mut Vec::new()).unwrap_err());
    lost(gpu.read_blocking(&buffer, 0..1).unwrap_err());
    gpu.write(&buffer, 0, &[2u32]);
}

#[test]
fn an_unknown_adapter_name_lists_the_available_names() {
    let choice = AdapterChoice::Named("no such adapter".to_owned());
    let error = Gpu::open_blocking(&choice).unwrap_err().to_string();
    let name = &adapter::gpu().adapter_info().name;
    assert!(error.contains("no such adapter") && error.contains(name), "{error}");
    assert!(Gpu::list_blocking().iter().any(|report| report.name == *name));
}
