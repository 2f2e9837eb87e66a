//! Creation of the GPU trainer's shaders without the loop counters that wgpu adds by default.

use vivarium_gpu::Shader;

/// Creates a shader of the GPU trainer from parts of WGSL text, which are concatenated. All loops of these kernels are
/// finite, so wgpu adds no loop counters.
pub(super) fn shader<'a>(label: &'a str, parts: &[&str]) -> Shader<'a> {
    // SAFETY: each loop of the kernels of this folder counts to a bound that the loop does not change, which
    // `Gpu::compile` checks in tests. Kernels write workgroup memory before they read it.
    unsafe { Shader::new(label, parts).with_finite_loops() }
}
