// Elementary functions of numbers or vectors of four, with the formulas and error bounds of the CPU engine
// (vivarium-kernels, math). They replace builtins of insufficient accuracy: WGSL allows exp an error of 3 + 2·|x| ulp,
// and tanh the error of a formula based on exp. Drivers also return NaN if an intermediate result overflows. $T, $U, $I
// and $B are f32, u32, i32 and bool, or the vectors of four of these types; $N is empty or 4.

// Returns whether x is NaN. The bits are compared, because compilers may assume that x == x.
fn is_nan$N(x: $T) -> $B {
    return (bitcast<$U>(x) & $U(0x7fffffffu)) > $U(0x7f800000u);
}

// Returns tanh x, with an absolute error below 5e-7 and never beyond ±1; NaN for NaN. Computed as x·P(x²)/Q(x²), and as
// ±1 for |x| ≥ 8.
fn safe_tanh$N(x: $T) -> $T {
    let magnitude = min(abs(x), $T(8.0));
    let s = magnitude * magnitude;
    let p = (((1.529541e-8 * s + 2.2458567e-5) * s + 3.705927e-3) * s + 0.1401883) * s + 1.0441649;
    let q = (((8.6615466e-7 * s + 3.5229756e-4) * s + 2.7231803e-2) * s + 0.4882432) * s + 1.0441649;
    let ratio = select(min(magnitude * p / q, $T(1.0)), $T(1.0), magnitude >= $T(8.0));
    return select(select(ratio, -ratio, x < $T(0.0)), x, is_nan$N(x));
}

// Returns eˣ, with a relative error below 4e-7: 0 for x below −87.34, infinity for x above 88.7229, NaN for NaN.
fn safe_exp$N(x: $T) -> $T {
    let held = clamp(x, $T(-87.33654), $T(90.0));
    let n = floor(held * 1.442695 + 0.5);
    // ln 2 is the sum of two floats. The first has so few bits that its product with n is exact.
    let r = (held - n * 0.693359375) + n * 2.12194440e-4;
    let p = ((((1.9875691e-4 * r + 1.3981999e-3) * r + 8.333452e-3) * r + 4.1665796e-2) * r + 1.6666665e-1) * r + 0.5;
    let power = (p * (r * r) + r) + 1.0;
    // Multiplies by 2ⁿ through the exponent bits. Two factors 2^(n/2), because 2¹²⁸ overflows.
    let whole = $I(n);
    let half = whole / $I(2);
    let first = bitcast<$T>((half + $I(127)) << $U(23u));
    let second = bitcast<$T>((whole - half + $I(127)) << $U(23u));
    let result = select(power * first * second, $T(0.0), x < $T(-87.33654));
    return select(result, x, is_nan$N(x));
}

// Returns 1/(1 + e⁻ˣ) = ½ + ½·tanh(x/2), with an absolute error below 3e-7.
fn safe_sigmoid$N(x: $T) -> $T {
    return 0.5 + 0.5 * safe_tanh$N(0.5 * x);
}
