//! Creation of the shaders of this folder.

use vivarium_gpu::Shader;

/// Creates a shader of this folder from parts of WGSL text.
pub(super) fn shader<'a>(label: &'a str, parts: &[&str]) -> Shader<'a> {
    // SAFETY: each loop of the kernels of this folder counts to a bound that the loop does not change, which
    // `Gpu::compile` checks in tests. Kernels write workgroup memory before they read it.
    unsafe { Shader::new(label, parts).with_finite_loops() }
}
