//! The sixteen Boolean functions of two inputs, and soft gates, which are mixtures of the sixteen functions.
//!
//! Function number i has the truth table that is written in its bits: bit 0 is the value at (a, b) = (1, 1), bit 1 at
//! (1, 0), bit 2 at (0, 1), bit 3 at (0, 0).
//!
//! Relaxation: Petersen et al., "Deep Differentiable Logic Gate Networks", 2022, <https://arxiv.org/abs/2210.08277>.
//! Inputs in \[0, 1\] are probabilities of independent bits, so every function is multilinear. A mixture of all sixteen
//! is multilinear too: a soft gate equals c₀ + c₁·a + c₂·b + c₃·a·b, with coefficients that follow from its values at
//! the four corners.

/// Number of Boolean functions of two inputs.
pub const FUNCTIONS: usize = 16;

/// Names of the sixteen Boolean functions of two inputs, by function number.
pub const NAMES: [&str; FUNCTIONS] = [
    "FALSE",
    "AND",
    "A AND NOT B",
    "A",
    "NOT A AND B",
    "B",
    "XOR",
    "OR",
    "NOR",
    "XNOR",
    "NOT B",
    "A OR NOT B",
    "NOT A",
    "NOT A OR B",
    "NAND",
    "TRUE",
];

/// Function number of the pass-through "A", whose value is the gate's first input.
pub const PASS_A: u8 = 3;

/// Function number of the pass-through "B", whose value is the gate's second input.
pub const PASS_B: u8 = 5;

/// Initial logit of the pass-through function of each gate. The other fifteen logits are 0, so the pass-through has a
/// softmax probability of 99.93 %.
pub const INITIAL_LOGIT: f32 = 10.0;

/// Coefficients c₀, c₁, c₂, c₃ of the output c₀ + c₁·a + c₂·b + c₃·a·b of a soft gate with inputs a and b.
pub type Coefficients = [f32; 4];

/// Returns the value of the Boolean function with number `function` for the inputs (a, b).
#[inline]
#[must_use]
pub fn value(function: u8, a: bool, b: bool) -> bool {
    let corner = (usize::from(!a) << 1) | usize::from(!b);
    function >> corner & 1 == 1
}

/// Returns the relaxed value, in \[0, 1\], of the Boolean function with number `function`: its probability of 1 if the
/// inputs are independent bits that are 1 with probabilities `a` and `b`.
#[must_use]
pub fn relaxed(function: u8, a: f64, b: f64) -> f64 {
    match function {
        0 => 0.0,
        1 => a * b,
        2 => a - a * b,
        3 => a,
        4 => b - a * b,
        5 => b,
        6 => a + b - 2.0 * a * b,
        7 => a + b - a * b,
        8 => 1.0 - (a + b - a * b),
        9 => 1.0 - (a + b - 2.0 * a * b),
        10 => 1.0 - b,
        11 => 1.0 - b + a * b,
        12 => 1.0 - a,
        13 => 1.0 - a + a * b,
        14 => 1.0 - a * b,
        _ => 1.0,
    }
}

/// Returns the coefficients c₀, c₁, c₂, c₃ of the Boolean function with number `function`. The coefficients are
/// integers, and the function is c₀ + c₁·a + c₂·b + c₃·a·b.
#[must_use]
pub fn coefficients(function: u8) -> Coefficients {
    let corner = |a, b| f32::from(u8::from(value(function, a, b)));
    from_corners([corner(true, true), corner(true, false), corner(false, true), corner(false, false)])
}

/// Returns the coefficients of a soft gate, the mixture of the sixteen functions with the probabilities
/// `probabilities`.
#[inline]
#[must_use]
pub fn mixture(probabilities: &[f32; FUNCTIONS]) -> Coefficients {
    let mut corners = [0.0; 4];
    for (function, &p) in probabilities.iter().enumerate() {
        for (corner, sum) in corners.iter_mut().enumerate() {
            if function >> corner & 1 == 1 {
                *sum += p;
            }
        }
    }
    from_corners(corners)
}

/// Returns the coefficients of the multilinear function c₀ + c₁·a + c₂·b + c₃·a·b with the given values at (a, b) = (1,
/// 1), (1, 0), (0, 1) and (0, 0).
#[inline]
fn from_corners([v11, v10, v01, v00]: [f32; 4]) -> Coefficients {
    [v00, v10 - v00, v01 - v00, v11 - v10 - v01 + v00]
}

/// Computes the gradient of the loss with respect to the sixteen logits of a soft gate and writes it to `gradient`.
/// `sums` holds Σg, Σg·a, Σg·b, Σg·a·b over all cells and steps, where a and b are the gate's inputs in a cell and g is
/// the gradient of the loss with respect to the gate's output.
///
/// Let fᵢ(a, b) be the relaxed value of function i, and pᵢ its softmax probability (`probabilities`). The sum sᵢ = Σ
/// g·fᵢ(a, b) is a linear combination of the four sums. The gradient of logit i is pᵢ·(sᵢ − Σⱼ pⱼ·sⱼ).
#[inline]
pub fn logit_gradient(
    probabilities: &[f32; FUNCTIONS],
    sums: &Coefficients,
    gradient: &mut [f32; FUNCTIONS],
) {
    // Σ g·f for the four functions f that are 1 for exactly one input pair (a, b). Every function is a sum of some of
    // these four.
    let [g, ga, gb, gab] = *sums;
    let corners = [gab, ga - gab, gb - gab, g - ga - gb + gab];
    let mut mean = 0.0;
    for (function, (gradient, &p)) in gradient.iter_mut().zip(probabilities).enumerate() {
        let mut sum = 0.0;
        for (corner, &of_corner) in corners.iter().enumerate() {
            if function >> corner & 1 == 1 {
                sum += of_corner;
            }
        }
        *gradient = sum;
        mean += p * sum;
    }
    for (gradient, &p) in gradient.iter_mut().zip(probabilities) {
        *gradient = p * (*gradient - mean);
    }
}

/// Returns the number of the Boolean function with the largest logit, the first one in case of ties. The hard gate
/// computes this function.
#[inline]
#[must_use]
pub fn argmax_function(logits: &[f32; FUNCTIONS]) -> u8 {
    let mut best = 0;
    for function in 1..FUNCTIONS {
        if logits[function] > logits[best] {
            best = function;
        }
    }
    best as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;

    fn softmax(logits: &[f64; FUNCTIONS]) -> [f64; FUNCTIONS] {
        let total: f64 = logits.iter().map(|x| x.exp()).sum();
        logits.map(|x| x.exp() / total)
    }

    fn random_logits(stream: &mut Stream) -> [f64; FUNCTIONS] {
        std::array::from_fn(|_| f64::from(stream.normal()) * 3.0)
    }

    #[test]
    fn names_tables_and_relaxed_forms_agree_at_the_corners() {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let expected = [
                false,
                a & b,
                a & !b,
                a,
                !a & b,
                b,
                a ^ b,
                a | b,
                !(a | b),
                !(a ^ b),
                !b,
                a | !b,
                !a,
                !a | b,
                !(a & b),
                true,
            ];
            for (function, &expected) in expected.iter().enumerate() {
                assert_eq!(value(function as u8, a, b), expected, "{}", NAMES[function]);
                let relaxed = relaxed(function as u8, f64::from(u8::from(a)), f64::from(u8::from(b)));
                assert_eq!(relaxed, f64::from(u8::from(expected)), "{}", NAMES[function]);
            }
        }
        assert_eq!(NAMES[usize::from(PASS_A)], "A");
    }

    #[test]
    fn coefficients_are_the_relaxed_forms() {
        let mut stream = Stream::new(1, 0);
        for function in 0..FUNCTIONS as u8 {
            let c = coefficients(function).map(f64::from);
            for _ in 0..20 {
                let (a, b) = (f64::from(stream.uniform()), f64::from(stream.uniform()));
                let collapsed = c[0] + c[1] * a + c[2] * b + c[3] * a * b;
                assert!((collapsed - relaxed(function, a, b)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_mixture_is_the_sum_over_sixteen_functions() {
        let mut stream = Stream::new(2, 0);
        for _ in 0..50 {
            let p = softmax(&random_logits(&mut stream));
            let c = mixture(&p.map(|p| p as f32)).map(f64::from);
            let (a, b) = (f64::from(stream.uniform()), f64::from(stream.uniform()));
            let sixteen: f64 = (0..FUNCTIONS).map(|i| p[i] * relaxed(i as u8, a, b)).sum();
            assert!((c[0] + c[1] * a + c[2] * b + c[3] * a * b - sixteen).abs() < 1e-6);
        }
    }

    /// Checks [`logit_gradient`] with the loss Σ w·f(a, b) over random input pairs, where f is the output of a soft
    /// gate. The gradient of this loss with respect to the gate's output is w.
    #[test]
    fn the_gradient_of_the_logits_agrees_with_finite_differences() {
        let mut stream = Stream::new(3, 0);
        for _ in 0..20 {
            let logits = random_logits(&mut stream);
            let places: Vec<[f64; 3]> = (0..7)
                .map(|_| {
                    [f64::from(stream.normal()), f64::from(stream.uniform()), f64::from(stream.uniform())]
                })
                .collect();
            let loss = |logits: &[f64; FUNCTIONS]| -> f64 {
                let p = softmax(logits);
                let at = |&[w, a, b]: &[f64; 3]| -> f64 {
                    w * (0..FUNCTIONS).map(|i| p[i] * relaxed(i as u8, a, b)).sum::<f64>()
                };
                places.iter().map(at).sum()
            };
            let mut sums = [0.0f32; 4];
            for &[w, a, b] in &places {
                for (sum, term) in sums.iter_mut().zip([w, w * a, w * b, w * a * b]) {
                    *sum += term as f32;
                }
            }
            let mut gradient = [0.0; FUNCTIONS];
            logit_gradient(&softmax(&logits).map(|p| p as f32), &sums, &mut gradient);
            for i in 0..FUNCTIONS {
                let (mut above, mut below) = (logits, logits);
                above[i] += 1e-5;
                below[i] -= 1e-5;
                let difference = (loss(&above) - loss(&below)) / 2e-5;
                assert!((f64::from(gradient[i]) - difference).abs() < 2e-5, "{} {difference}", gradient[i]);
            }
        }
    }

    #[test]
    fn argmax_returns_the_first_of_equal_logits() {
        let mut logits = [0.0; FUNCTIONS];
        assert_eq!(argmax_function(&logits), 0);
        logits[usize::from(PASS_A)] = INITIAL_LOGIT;
        assert_eq!(argmax_function(&logits), PASS_A);
        logits[15] = INITIAL_LOGIT;
        assert_eq!(argmax_function(&logits), PASS_A);
    }
}
