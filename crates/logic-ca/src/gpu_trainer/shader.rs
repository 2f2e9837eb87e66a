//! Creation of the GPU trainer's shaders without loop counters, with which wgpu by default ends infinite loops.

use vivarium_gpu::Shader;

/// Creates a shader from the WGSL texts `parts`, which are concatenated. Omits the loop counters with which wgpu ends
/// infinite loops, because all loops of the trainer's kernels are finite.
pub(super) fn shader<'a>(label: &'a str, parts: &[&str]) -> Shader<'a> {
    // SAFETY: each loop of the kernels of this folder counts to a bound that the loop does not change, which
    // `Gpu::compile` checks in tests. Kernels write workgroup memory before they read it.
    unsafe { Shader::new(label, parts).with_finite_loops() }
}
