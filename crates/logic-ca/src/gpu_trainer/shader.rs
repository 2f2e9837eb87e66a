//! Creation of the shaders of this folder.

use vivarium_gpu::Shader;

/// Creates a shader of this folder from parts of WGSL text.
pub(super) fn shader<'a>(label: &'a str, parts: &[&str]) -> Shader<'a> {
    // SAFETY: each loop of the kernels of this folder counts to a bound that the loop does not change. The bounds are
    // sizes of buffers, constants, and entries of the circuit's tables, which the host writes and no kernel changes.
    unsafe { Shader::new(label, parts).with_finite_loops() }
}
