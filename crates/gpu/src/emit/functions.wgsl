// Element-wise functions of one or two numbers. All of them propagate NaN.

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
