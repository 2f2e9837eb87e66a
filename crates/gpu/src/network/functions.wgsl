// Functions of one or two numbers, as the CPU engine defines them. Not a number stays visible through all of them.

// By the bits: a comparison with itself may be taken as always true.
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn relu(x: f32) -> f32 {
    return select(max(x, 0.0), x, is_nan(x));
}

// x·P(x²)/Q(x²), and ±1 beyond 8: the CPU engine's. A device's own may overflow for large numbers.
fn hyperbolic_tangent(x: f32) -> f32 {
    let m = abs(x);
    let s = x * x;
    var p = 1.529541e-8 * s + 2.2458567e-5;
    p = p * s + 3.705927e-3;
    p = p * s + 0.1401883;
    p = p * s + 1.0441649;
    var q = 8.6615466e-7 * s + 3.5229756e-4;
    q = q * s + 2.7231803e-2;
    q = q * s + 0.4882432;
    q = q * s + 1.0441649;
    let ratio = m * p / q;
    let y = select(ratio, 1.0, m > 8.0 || ratio > 1.0);
    return select(y, -y, x < 0.0);
}

fn sigmoid(x: f32) -> f32 {
    return hyperbolic_tangent(0.5 * x) * 0.5 + 0.5;
}

fn gelu(x: f32) -> f32 {
    let half = 0.5 * x;
    return hyperbolic_tangent(x * (x * x * 0.035677407 + 0.7978846)) * half + half;
}

fn gelu_gradient(x: f32, dy: f32) -> f32 {
    let t = hyperbolic_tangent(x * (x * x * 0.035677407 + 0.7978846));
    let slope = x * x * 0.10703222 + 0.7978846;
    return dy * ((1.0 - t * t) * x * slope + t + 1.0) * 0.5;
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

fn abs_gradient(x: f32, dy: f32) -> f32 {
    return select(select(0.0, -dy, x < 0.0), dy, x > 0.0);
}

// The column that an index picks: the nearest one, whatever the number.
fn column(index: f32, n: u32) -> u32 {
    return select(0u, u32(min(index, f32(n - 1u))), index > 0.0);
}
