//! Quantiles of probability distributions.

/// Returns the 0.975 quantile of Student's t distribution with `freedom` degrees of freedom ν, to three decimals for ν
/// = 1 and ν = 2. From ν = 3 on, the value is the expansion in 1/ν around the normal quantile (Abramowitz and Stegun,
/// 26.7.5), accurate to 0.2 %.
pub fn student_t_975(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 12.706;
    }
    if freedom < 2.5 {
        return 4.303;
    }
    let z = 1.959_964_f64;
    let (z3, z5, z7, z9) = (z.powi(3), z.powi(5), z.powi(7), z.powi(9));
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92_160.0 * freedom.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_printed_table() {
        for (freedom, printed) in [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (9.0, 2.262), (99.0, 1.984)] {
            let t = student_t_975(freedom);
            assert!((t / printed - 1.0f64).abs() < 0.003, "{freedom}: {t}, not {printed}");
        }
    }
}
