// Layers, one number of the result an invocation. MODE says which.

struct Uniforms {
    count: u32, rows: u32, k: u32, n: u32,
    x: u32, y: u32, r: u32, w: u32, b: u32,
    has_bias: u32, has_residual: u32, activation: u32,
    slices: u32, slice_len: u32, first_slice: u32,
}

fn activate(kind: u32, x: f32) -> f32 {
    if (kind == 1u) { return relu(x); }
    if (kind == 2u) { return hyperbolic_tangent(x); }
    if (kind == 3u) { return gelu(x); }
    return x;
}
