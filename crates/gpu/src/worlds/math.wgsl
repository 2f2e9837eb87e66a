// Elementary functions with the polynomials of the CPU engine (Cephes, Moshier, 1989). Builtins may have errors of
// thousands of ulps. Explicit `fma` fixes the order of operations.

// Returns (sin x, cos x) for |x| <= pi/4, without range reduction.
fn sin_cos_reduced(x: f32) -> vec2<f32> {
    let square = x * x;
    let p = fma(fma(-1.9515296e-4, square, 8.332161e-3), square, -1.6666655e-1);
    let q = fma(fma(2.4433157e-5, square, -1.3887316e-3), square, 4.1666646e-2);
    return vec2(fma(p, square * x, x), fma(q, square * square, fma(square, -0.5, 1.0)));
}

// Returns (sin x, cos x) for |x| <= 8192. x = n pi/2 + r with |r| <= pi/4, where pi/2 is the sum of three floats (Cody
// and Waite, 1980).
fn sin_cos(x: f32) -> vec2<f32> {
    let n = round(x * 0.63661975);
    let r = fma(n, -7.54979e-8, fma(n, -4.837513e-4, fma(n, -1.5703125, x)));
    let reduced = sin_cos_reduced(r);
    // The quadrant determines whether sine and cosine are swapped, and their signs.
    let quarter = bitcast<u32>(i32(n));
    let turned = select(reduced, reduced.yx, (quarter & 1u) != 0u);
    let signs = vec2(quarter & 2u, (quarter + 1u) & 2u) << vec2(30u);
    return bitcast<vec2<f32>>(bitcast<vec2<u32>>(turned) ^ signs);
}

// Returns ln x for a normal float x > 0: x = m 2^e with sqrt(1/2) <= m < sqrt(2).
fn ln_normal(x: f32) -> f32 {
    // Subtracts the bits of sqrt(1/2), so that the exponent is e and the mantissa belongs to m.
    let bits = bitcast<u32>(x) - 0x3f3504f3u;
    let exponent = f32(bitcast<i32>(bits) >> 23u);
    let m = bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0;
    let square = m * m;
    var p = fma(7.0376836e-2, m, -1.151461e-1);
    p = fma(p, m, 1.1676999e-1);
    p = fma(p, m, -1.2420141e-1);
    p = fma(p, m, 1.4249323e-1);
    p = fma(p, m, -1.6668058e-1);
    p = fma(p, m, 2.0000715e-1);
    p = fma(p, m, -2.4999994e-1);
    p = fma(p, m, 3.333333e-1);
    // ln 2 is the sum of two floats. The first has so few bits that its product with the exponent is exact.
    let tail = fma(square, -0.5, fma(exponent, -2.1219444e-4, p * m * square));
    return fma(exponent, 0.6933594, m + tail);
}

// Returns the angle modulo 2 pi in [-pi, pi], for an angle of a few turns. 2 pi is the sum of two floats.
fn wrap(theta: f32) -> f32 {
    let turns = floor(theta * 0.15915494 + 0.5);
    return fma(turns, -1.9353072e-3, fma(turns, -6.28125, theta));
}
