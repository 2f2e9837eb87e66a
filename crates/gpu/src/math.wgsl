// Replacements of builtins with insufficient accuracy. WGSL allows exp an error of 3 + 2·|x| ulp, and tanh the error of
// a formula based on exp; drivers return NaN if an intermediate result overflows. The formulas here are those of the
// CPU engine (vivarium-kernels, math): additions, multiplications and one division.

// Returns whether each component of x is NaN. Compilers may assume that x == x; a comparison of the bits is safe.
fn is_nan4(x: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(x) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// Returns tanh x, with an absolute error below 5e-7 and a result within ±1; NaN for NaN. Computed as x·P(x²)/Q(x²); ±1
// for |x| ≥ 8.
fn safe_tanh4(x: vec4<f32>) -> vec4<f32> {
    let magnitude = min(abs(x), vec4<f32>(8.0));
    let s = magnitude * magnitude;
    let p = (((1.529541e-8 * s + 2.2458567e-5) * s + 3.705927e-3) * s + 0.1401883) * s + 1.0441649;
    let q = (((8.6615466e-7 * s + 3.5229756e-4) * s + 2.7231803e-2) * s + 0.4882432) * s + 1.0441649;
    let ratio = min(magnitude * p / q, vec4<f32>(1.0));
    let whole = select(ratio, vec4<f32>(1.0), magnitude >= vec4<f32>(8.0));
    return select(select(whole, -whole, x < vec4<f32>(0.0)), x, is_nan4(x));
}

// Returns eˣ, with a relative error below 4e-7: 0 for x below −87.34, infinity for x above 88.7229, NaN for NaN.
fn safe_exp4(x: vec4<f32>) -> vec4<f32> {
    let held = clamp(x, vec4<f32>(-87.33654), vec4<f32>(90.0));
    let n = floor(held * 1.442695 + 0.5);
    // ln 2 in two parts, the first short enough that its product with n is exact.
    let r = (held - n * 0.693359375) + n * 2.12194440e-4;
    let p = ((((1.9875691e-4 * r + 1.3981999e-3) * r + 8.333452e-3) * r + 4.1665796e-2) * r + 1.6666665e-1) * r + 0.5;
    let power = (p * (r * r) + r) + 1.0;
    // Multiplies by 2ⁿ through the exponent bits, in two halves because 2¹²⁸ overflows.
    let whole = vec4<i32>(n);
    let half = whole / vec4<i32>(2);
    let first = bitcast<vec4<f32>>((half + vec4<i32>(127)) << vec4<u32>(23u));
    let second = bitcast<vec4<f32>>((whole - half + vec4<i32>(127)) << vec4<u32>(23u));
    let result = select(power * first * second, vec4<f32>(0.0), x < vec4<f32>(-87.33654));
    return select(result, x, is_nan4(x));
}

// Scalar versions, because some drivers do not remove the computation of unused vector components.

fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn safe_tanh(x: f32) -> f32 {
    let magnitude = min(abs(x), 8.0);
    let s = magnitude * magnitude;
    let p = (((1.529541e-8 * s + 2.2458567e-5) * s + 3.705927e-3) * s + 0.1401883) * s + 1.0441649;
    let q = (((8.6615466e-7 * s + 3.5229756e-4) * s + 2.7231803e-2) * s + 0.4882432) * s + 1.0441649;
    let ratio = select(min(magnitude * p / q, 1.0), 1.0, magnitude >= 8.0);
    return select(select(ratio, -ratio, x < 0.0), x, is_nan(x));
}

fn safe_exp(x: f32) -> f32 {
    let held = clamp(x, -87.33654, 90.0);
    let n = floor(held * 1.442695 + 0.5);
    let r = (held - n * 0.693359375) + n * 2.12194440e-4;
    let p = ((((1.9875691e-4 * r + 1.3981999e-3) * r + 8.333452e-3) * r + 4.1665796e-2) * r + 1.6666665e-1) * r + 0.5;
    let power = (p * (r * r) + r) + 1.0;
    let whole = i32(n);
    let half = whole / 2;
    let result = power * bitcast<f32>((half + 127) << 23u) * bitcast<f32>((whole - half + 127) << 23u);
    return select(select(result, 0.0, x < -87.33654), x, is_nan(x));
}

// Returns 1/(1 + e⁻ˣ) = ½ + ½·tanh(x/2), with an absolute error below 3e-7.
fn safe_sigmoid(x: f32) -> f32 {
    return 0.5 + 0.5 * safe_tanh(0.5 * x);
}

fn relu4(x: vec4<f32>) -> vec4<f32> {
    return select(max(x, vec4<f32>(0.0)), x, is_nan4(x));
}

// Returns ½x(1 + tanh(√(2/π)(x + 0.044715x³))).
fn gelu4(x: vec4<f32>) -> vec4<f32> {
    let half = 0.5 * x;
    return half * safe_tanh4(x * (x * x * 0.035677407 + 0.7978846)) + half;
}

// Derivatives of activations: as functions of the output for relu and tanh, of the input for gelu.
fn relu_slope4(y: vec4<f32>) -> vec4<f32> {
    return select(vec4<f32>(0.0), vec4<f32>(1.0), y > vec4<f32>(0.0));
}

fn tanh_slope4(y: vec4<f32>) -> vec4<f32> {
    return 1.0 - y * y;
}

fn gelu_slope4(x: vec4<f32>) -> vec4<f32> {
    let t = safe_tanh4(x * (x * x * 0.035677407 + 0.7978846));
    let slope = x * x * 0.10703222 + 0.7978846;
    return 0.5 * ((1.0 - t * t) * x * slope + t + 1.0);
}
