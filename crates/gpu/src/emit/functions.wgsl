// Element-wise functions of one or two numbers. All of them propagate NaN.

fn relu(x: f32) -> f32 {
    return select(max(x, 0.0), x, is_nan(x));
}

fn gelu(x: f32) -> f32 {
    let half = 0.5 * x;
    return half * safe_tanh(x * (x * x * 0.035677407 + 0.7978846)) + half;
}

fn gelu_slope(x: f32) -> f32 {
    let t = safe_tanh(x * (x * x * 0.035677407 + 0.7978846));
    return 0.5 * ((1.0 - t * t) * x * (x * x * 0.10703222 + 0.7978846) + t + 1.0);
}

fn smaller(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}

fn larger(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), b, is_nan(b)), a, is_nan(a));
}

fn held(x: f32, low: f32, high: f32) -> f32 {
    return select(min(max(x, low), high), x, is_nan(x));
}

fn abs_slope(x: f32) -> f32 {
    return select(0.0, 1.0, x > 0.0) - select(0.0, 1.0, x < 0.0);
}

// Returns the column that an index (a whole number as f32) selects among n columns, clamped to the valid range.
fn column(index: f32, n: u32) -> u32 {
    return select(0u, u32(min(index, f32(n - 1u))), index > 0.0);
}
