//! Parameter initialization.

use vivarium_kernels::rng;
use vivarium_kernels::simd::level;

/// Initial distribution of a parameter. Initial values depend only on the seed and on the parameter's position in its
/// graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Initializer {
    /// Constant: all elements have this value.
    Constant(f32),
    /// Random orthogonal matrix: orthonormal rows or columns, whichever are fewer, times the gain (Saxe et al. 2014,
    /// <https://arxiv.org/abs/1312.6120>).
    Orthogonal {
        /// Gain factor; commonly √2 before ReLU or tanh, 1 for a value output, 0.01 for policy logits.
        gain: f32,
    },
    /// Kaiming uniform: uniform distribution within ±√(6 / fan-in), which preserves the variance through a ReLU (He et
    /// al. 2015, <https://arxiv.org/abs/1502.01852>).
    KaimingUniform,
    /// Normal distribution with mean 0 and this standard deviation.
    Normal(f32),
}

/// Fills `out` with the initial values of a parameter whose first dimension is `rows`. `seed` and `stream` are the seed
/// and the stream index of the counter-based random generator.
pub(crate) fn initialize(initializer: Initializer, rows: usize, seed: u64, stream: u32, out: &mut [f32]) {
    match initializer {
        Initializer::Constant(number) => out.fill(number),
        Initializer::KaimingUniform => {
            let bound = (6.0 / rows as f32).sqrt();
            rng::fill_uniform(level(), seed, stream, 0, out);
            out.iter_mut().for_each(|x| *x = bound * (2.0 * *x - 1.0));
        }
        Initializer::Normal(deviation) => {
            rng::fill_normal(level(), seed, stream, 0, out);
            out.iter_mut().for_each(|x| *x *= deviation);
        }
        Initializer::Orthogonal { gain } => {
            orthogonal(seed, stream, rows, out.len() / rows, gain, out);
        }
    }
}

/// Fills `out` with a random orthogonal matrix times `gain`: Gram–Schmidt orthogonalization of a Gaussian matrix along
/// its shorter side. Computed in f64, with two orthogonalization passes for accuracy.
fn orthogonal(seed: u64, stream: u32, rows: usize, columns: usize, gain: f32, out: &mut [f32]) {
    rng::fill_normal(level(), seed, stream, 0, out);
    let (count, len) = (rows.min(columns), rows.max(columns));
    // Vector i is row i of a wide matrix, column i of a tall one.
    let at = |i: usize, j: usize| if rows <= columns { i * columns + j } else { j * columns + i };
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(count);
    for i in 0..count {
        let mut vector: Vec<f64> = (0..len).map(|j| f64::from(out[at(i, j)])).collect();
        for _ in 0..2 {
            for earlier in &basis {
                let along = dot(&vector, earlier);
                vector.iter_mut().zip(earlier).for_each(|(a, b)| *a -= along * b);
            }
            let norm = dot(&vector, &vector).sqrt();
            vector.iter_mut().for_each(|a| *a /= norm);
        }
        basis.push(vector);
    }
    for (i, vector) in basis.iter().enumerate() {
        for (j, &number) in vector.iter().enumerate() {
            out[at(i, j)] = gain * number as f32;
        }
    }
}

/// Returns the dot product of two vectors. Eight partial sums avoid a dependency chain.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}
