//! Elementary functions in WGSL.

/// WGSL functions for shaders to include: `safe_tanh`, `safe_exp`, `safe_sigmoid` on numbers, `safe_tanh4`, `safe_exp4`,
/// `relu4`, `gelu4` and the slopes `relu_slope4`, `tanh_slope4`, `gelu_slope4` on vectors of four, with the CPU engine's
/// formulas and stated errors.
pub const MATH_WGSL: &str = crate::shader!("math.wgsl");
