//! Elementary functions in WGSL.

/// WGSL functions for shaders to include, with the formulas and error bounds of the CPU engine. Scalars: `safe_tanh`,
/// `safe_exp`, `safe_sigmoid`. Vectors of four: `safe_tanh4`, `safe_exp4`, `relu4`, `gelu4`, and the derivatives
/// `relu_slope4`, `tanh_slope4`, `gelu_slope4`.
pub const MATH_WGSL: &str = crate::shader!("math.wgsl");
