// Returns 1 − eˣ for x ≤ 0, accurate near 0.
fn one_minus_exp(x: f32) -> f32 {
    if (x < -0.5) { return 1.0 - exp(x); }
    var sum = 1.0;
    for (var n = 9u; n > 1u; n--) { sum = 1.0 + sum * x / f32(n); }
    return -x * sum;
}
