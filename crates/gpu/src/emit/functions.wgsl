// Element-wise functions of one or two numbers. All functions propagate NaN.

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

// Converts an index (a whole number stored as f32) to a column below n. An index out of range is clamped.
fn column(index: f32, n: u32) -> u32 {
    return select(0u, u32(min(index, f32(n - 1u))), index > 0.0);
}
