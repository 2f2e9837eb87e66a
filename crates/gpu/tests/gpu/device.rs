//! Tests of the device, its memory, programs and readback on a real adapter.

use crate::adapter;
use vivarium_gpu::{AdapterChoice, Buffer, Gpu, GpuError, GpuRecorder, ReadbackRing, Shader, floats};

/// WGSL kernel that adds a number to every word of a buffer.
const ADD: &str = "
    var<storage, read_write> words: array<f32>;
    fn each(i: u32) { words[i] += bitcast<f32>(u.number); }";

fn adding(recorder: &mut GpuRecorder, buffer: &Buffer, number: f32) -> Result<(), GpuError> {
    let number = ("number", number.to_bits() as usize);
    Shader::new("add", &[ADD])
        .buffers([("words", buffer)])
        .uniforms([number])
        .record_each(recorder, buffer.len())
}

/// Returns the error of recording a kernel that does not compile.
fn broken(gpu: &Gpu) -> GpuError {
    let broken = "@compute @workgroup_size(1) fn main() { let x: f32 = 1u; }";
    Shader::new("broken", &[broken]).record(&mut GpuRecorder::new(gpu), [1, 1, 1]).unwrap_err()
}

#[test]
#[cfg(debug_assertions)]
fn a_trusted_kernel_with_an_endless_loop_is_refused() {
    let gpu = adapter::open();
    let words = gpu.zeros("numbers", 1).unwrap();
    let text = "var<storage, read_write> words: array<u32>;
        @compute @workgroup_size(1) fn main() { for (var i = 0u; i < words[0]; i++) { words[0] += 1u; } }";
    let shader = || Shader::new("endless", &[text]).buffers([("words", &words)]);
    // wgpu bounds the loop.
    shader().record(&mut GpuRecorder::new(&gpu), [1, 1, 1]).unwrap();
    // SAFETY: the shader is not run.
    let shader = unsafe { shader().with_finite_loops() };
    let error = shader.record(&mut GpuRecorder::new(&gpu), [1, 1, 1]).unwrap_err();
    assert!(error.to_string().contains("a loop that may be endless"), "{error}");
}

#[test]
fn a_program_runs_repeatedly_without_new_device_objects() {
    let gpu = adapter::open();
    let buffer = gpu.zeros("numbers", 1000).unwrap();
    let other = gpu.zeros("copy", 1000).unwrap();
    let mut recorder = GpuRecorder::new(&gpu);
    for number in [1f32, 0.25] {
        adding(&mut recorder, &buffer, number).unwrap();
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
    adding(&mut GpuRecorder::new(&gpu), &buffer, 2.0).unwrap();
    assert_eq!(gpu.kernels_compiled(), 1);
}

#[test]
fn poll_returns_after_the_maximum_wait() {
    let gpu = adapter::open();
    gpu.set_max_wait(std::time::Duration::ZERO);
    let buffer = gpu.zeros("numbers", 1 << 20).unwrap();
    let mut recorder = GpuRecorder::new(&gpu);
    adding(&mut recorder, &buffer, 1.0).unwrap();
    let program = recorder.finish().unwrap();
    let mut ring = ReadbackRing::new(&gpu, 1, 1).unwrap();
    let mut words = Vec::new();
    assert!(!ring.poll(&mut words).unwrap(), "no readback is pending");
    // Doubles the work until `poll` returns before it is done: a fast GPU completes small work first.
    let (mut sum, mut repeats, mut returned_early) = (0.0, 64, false);
    while !returned_early {
        gpu.submit(|encoder| {
            encoder.repeat(&program, repeats);
            ring.copy(encoder, [(&buffer, 0..1)]);
        })
        .unwrap();
        ring.submitted();
        while !ring.poll(&mut words).unwrap() {
            returned_early = true;
        }
        sum += repeats as f32;
        assert_eq!(floats(&words), [sum]);
        repeats *= 2;
    }
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
fn a_wait_without_a_submitted_copy_is_an_error() {
    let gpu = adapter::gpu();
    let buffer = gpu.upload("numbers", &[1u32]).unwrap();
    let mut ring = ReadbackRing::new(gpu, 1, 1).unwrap();
    let mut words = Vec::new();
    assert_eq!(ring.wait(&mut words), Err(GpuError::NoReadback));
    gpu.submit(|encoder| ring.copy(encoder, [(&buffer, 0..1)])).unwrap();
    assert_eq!(ring.wait(&mut words), Err(GpuError::NoReadback), "`submitted` has not been called");
    ring.submitted();
    ring.wait(&mut words).unwrap();
    assert_eq!(ring.wait(&mut words), Err(GpuError::NoReadback));
}

#[test]
fn an_error_that_is_not_about_memory_is_not_reported_as_out_of_memory() {
    let gpu = adapter::open();
    // Larger than any buffer may be: a validation error of the device.
    let error = ReadbackRing::new(&gpu, 1 << 50, 1).err().unwrap();
    assert!(
        matches!(&error, GpuError::Device { reason } if reason.to_lowercase().contains("buffer size")),
        "{error}"
    );
    gpu.check().unwrap();
}

#[test]
fn the_errors_of_threads_are_separate() {
    let gpu = adapter::open();
    std::thread::scope(|scope| {
        let failing = scope.spawn(|| (0..200).all(|_| matches!(broken(&gpu), GpuError::Shader { .. })));
        let allocated: Vec<_> = (0..200).map(|_| gpu.buffer("a buffer", 64)).collect();
        assert!(allocated.iter().all(Result::is_ok), "{:?}", allocated.iter().find(|made| made.is_err()));
        assert!(failing.join().unwrap(), "an error of the compiler was lost");
    });
    gpu.check().unwrap();
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
    let error = broken(&gpu);
    assert!(matches!(&error, GpuError::Shader { kernel, .. } if kernel == "broken"), "{error}");
    let buffer = gpu.upload("numbers", &[1.5f32]).unwrap();
    assert_eq!(floats(&gpu.read_blocking(&buffer, 0..1).unwrap()), [1.5]);
}

#[test]
fn a_name_that_is_missing_or_unused_is_an_error() {
    let gpu = adapter::open();
    let buffer = gpu.zeros("numbers", 1).unwrap();
    let problem = |buffers: &[&'static str], uniforms: &[&'static str]| {
        let shader = Shader::new("add", &[ADD]).buffers(buffers.iter().map(|&name| (name, &buffer)));
        let shader = shader.uniforms(uniforms.iter().map(|&name| (name, 1)));
        shader.record_each(&mut GpuRecorder::new(&gpu), 1).err().map(|error| error.to_string())
    };
    let error = |reason: &str| Some(format!("the GPU kernel add failed to compile: {reason}"));
    assert_eq!(problem(&["words"], &["number"]), None);
    assert_eq!(problem(&[], &["number"]), error("the buffer `words` is not given"));
    assert_eq!(problem(&["words", "more"], &["number"]), error("the buffer `more` is not declared"));
    assert_eq!(problem(&["words"], &[]), error("the uniform `number` is not given"));
    assert_eq!(problem(&["words"], &["number", "more"]), error("the uniform `more` is not used"));
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
    lost(adding(&mut GpuRecorder::new(&gpu), &buffer, 1.0).unwrap_err());
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
