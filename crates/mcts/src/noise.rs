//! Dirichlet noise for the root priors, the exploration noise of AlphaZero self-play.

use vivarium_kernels::rng::Stream;

/// Fills `out` with a sample of the symmetric Dirichlet distribution with concentration `alpha` > 0: non-negative
/// numbers with sum 1.
pub fn dirichlet(alpha: f32, random: &mut Stream, out: &mut [f32]) {
    // Normalized gamma variates, in logarithms because a small `alpha` gives numbers below the range of f32.
    for number in out.iter_mut() {
        *number = log_gamma_draw(f64::from(alpha), random) as f32;
    }
    let greatest = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    out.iter_mut().for_each(|number| *number = (*number - greatest).exp());
    let sum: f32 = out.iter().sum();
    out.iter_mut().for_each(|number| *number /= sum);
}

/// Samples the logarithm of a gamma variate with the shape parameter `shape` (Marsaglia and Tsang 2000,
/// <https://doi.org/10.1145/358407.358414>).
fn log_gamma_draw(shape: f64, random: &mut Stream) -> f64 {
    // Uniform in the open interval (0, 1), so that the logarithm is finite.
    let log_uniform =
        |random: &mut Stream| ((f64::from(random.next_block()[0]) + 0.5) / 4_294_967_296.0).ln();
    if shape < 1.0 {
        return log_gamma_draw(shape + 1.0, random) + log_uniform(random) / shape;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = f64::from(random.normal());
        let v = 1.0 + c * x;
        if v > 0.0 {
            let log_v = 3.0 * v.ln();
            if log_uniform(random) < 0.5 * x * x + d - d * log_v.exp() + d * log_v {
                return d.ln() + log_v;
            }
        }
    }
}
