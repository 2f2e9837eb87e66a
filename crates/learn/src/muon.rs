//! Muon: momentum followed by orthogonalization of the update matrix (Jordan et al. 2024, "Muon: An optimizer for
//! hidden layers in neural networks", <https://kellerjordan.github.io/posts/muon/>).
//!
//! ```text
//! m ← μ·m + g
//! X ← (g + μ·m) / ‖g + μ·m‖, five times: X ← a·X + (b·A + c·A²)·X with A = X·Xᵀ
//! W ← W − α·(0.2·√max(rows, columns)·X + λ·W)
//! ```
//!
//! The Newton–Schulz iteration brings all singular values to the range 0.7 to 1.2. The factor 0.2·√max(rows, columns)
//! matches the update size of AdamW, so that both optimizers share learning rate and weight decay (Liu et al. 2025,
//! "Muon is Scalable for LLM Training", <https://arxiv.org/abs/2502.16982>).

use crate::optimizer::{FlatSlices, MatrixOptimizer};
use std::sync::{Mutex, PoisonError};
use vivarium_graph::{Cpu, Divisible, ParameterSpec};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::gemm::gemm;
use vivarium_kernels::{AlignedVec, Level, Matrix, MatrixMut, PackedMatrix, norm};

/// Momentum coefficient μ of Muon (Nesterov momentum).
const MOMENTUM: f32 = 0.95;

/// Coefficients a, b and c of the Newton–Schulz iteration X ← a·X + (b·A + c·A²)·X with A = X·Xᵀ.
const COEFFICIENTS: [f32; 3] = [3.4445, -4.7750, 2.0315];

/// Number of Newton–Schulz iterations per optimizer step.
const ITERATIONS: usize = 5;

/// Root mean square of an AdamW update, which Muon updates are scaled to.
const SCALE: f32 = 0.2;

/// Muon optimizer (momentum with orthogonalized updates) of the weight matrices `matrices`, with scratch memory for
/// each thread. AdamW updates all other parameters.
#[derive(Debug)]
pub(crate) struct Muon {
    matrices: Vec<ParameterSpec>,
    scratch_pool: Vec<Mutex<MuonScratch>>,
}

impl Muon {
    /// Creates a Muon optimizer for `matrices`, which must be sorted by ascending offset in the flat buffers.
    pub fn new(matrices: Vec<ParameterSpec>) -> Self {
        Self { matrices, scratch_pool: Vec::new() }
    }
}

impl MatrixOptimizer for Muon {
    fn moves(&self, spec: &ParameterSpec) -> bool {
        self.matrices.iter().any(|matrix| matrix.offset == spec.offset)
    }

    fn bytes(&self) -> usize {
        self.scratch_pool
            .iter()
            .map(|scratch| scratch.lock().unwrap_or_else(PoisonError::into_inner).bytes())
            .sum()
    }

    /// Updates each weight matrix W with gradient g and momentum m, after m ← μ·m + g:
    /// W ← W − α·(0.2·√max(rows, columns)·orthogonalize(g + μ·m) + λ·W). The buffer of first moments stores m; the buffer of second moments is scratch
    /// memory.
    fn step(&mut self, cpu: &Cpu, flat: FlatSlices<'_>, settings: &AdamStep) {
        if self.scratch_pool.len() != cpu.threads() {
            let scratch = || Mutex::new(MuonScratch::new(cpu.level(), &self.matrices));
            self.scratch_pool = std::iter::repeat_with(scratch).take(cpu.threads()).collect();
        }
        let step = MuonStep { cpu, scratch_pool: &self.scratch_pool, settings };
        cpu.for_each_part(MuonParts { matrices: &self.matrices, first: 0, flat }, |_, part| {
            step.matrix(part)
        });
    }
}

/// Arguments of a Muon step that all matrices share: threads, working memory and hyperparameters.
struct MuonStep<'a> {
    cpu: &'a Cpu,
    scratch_pool: &'a [Mutex<MuonScratch>],
    settings: &'a AdamStep,
}

/// Consecutive weight matrices of a network, with their slices of the flat weight, gradient and moment buffers.
struct MuonParts<'a> {
    matrices: &'a [ParameterSpec],
    /// Offset of the slices `flat` in the flat buffers of all parameters, in elements.
    first: usize,
    flat: FlatSlices<'a>,
}

impl Divisible for MuonParts<'_> {
    fn count(&self) -> usize {
        self.matrices.len()
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let (matrices, others) = self.matrices.split_at(count);
        let start = others[0].offset;
        let (flat, rest) = self.flat.split_at(start - self.first);
        (Self { matrices, flat, ..self }, Self { matrices: others, first: start, flat: rest })
    }
}

impl MuonStep<'_> {
    /// Updates the first weight matrix of a part; [`Cpu::for_each_part`] divides the matrices into parts of one matrix.
    fn matrix(&self, MuonParts { matrices, first, flat }: MuonParts<'_>) {
        let ParameterSpec { dims, offset, .. } = &matrices[0];
        let (_, flat) = flat.split_at(offset - first);
        let (flat, _) = flat.split_at(matrices[0].len());
        let FlatSlices { weights, gradients, first_moment, second_moment: moved } = flat;
        for ((m, g), moved) in first_moment.iter_mut().zip(gradients).zip(&mut *moved) {
            *m = *m * MOMENTUM + g;
            *moved = *m * MOMENTUM + g;
        }
        // `scratch_pool` has one entry for each thread of the engine. If the thread pool has more threads, some of them
        // wait for an entry.
        let free = self.scratch_pool.iter().find_map(|scratch| scratch.try_lock().ok());
        let taken = || self.scratch_pool[0].lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = free.unwrap_or_else(taken);
        scratch.orthogonalize(self.cpu.level(), [dims[0], dims[1]], moved);
        let AdamStep { learning_rate, weight_decay, .. } = *self.settings;
        let scale = learning_rate * SCALE * (dims[0].max(dims[1]) as f32).sqrt();
        let keep = 1.0 - learning_rate * weight_decay;
        for (w, moved) in weights.iter_mut().zip(moved) {
            *w = *w * keep - *moved * scale;
        }
    }
}

/// Working memory of one thread to orthogonalize matrices of several shapes.
#[derive(Debug)]
struct MuonScratch {
    shapes: Vec<MuonShape>,
    x: AlignedVec<f32>,
    next: AlignedVec<f32>,
    products: [AlignedVec<f32>; 2],
}

/// Packed matrices of the Newton–Schulz iteration X ← a·X + (b·A + c·A²)·X with A = X·Xᵀ, for X of shape `rows` ×
/// `columns`, where `rows` ≤ `columns`.
#[derive(Debug)]
struct MuonShape {
    rows: usize,
    columns: usize,
    /// Packed matrix Xᵀ of the Newton–Schulz iteration.
    transposed: PackedMatrix,
    /// Packed matrix A = X·Xᵀ of the Newton–Schulz iteration.
    product: PackedMatrix,
    /// Packed matrix X of the Newton–Schulz iteration.
    itself: PackedMatrix,
}

impl MuonScratch {
    fn new(level: Level, matrices: &[ParameterSpec]) -> Self {
        let mut shapes: Vec<MuonShape> = Vec::new();
        for spec in matrices {
            let (rows, columns) = (spec.dims[0].min(spec.dims[1]), spec.dims[0].max(spec.dims[1]));
            if shapes.iter().all(|shape| [shape.rows, shape.columns] != [rows, columns]) {
                let zeros = |k, n| PackedMatrix::zeros(level, k, n);
                let (transposed, product) = (zeros(columns, rows), zeros(rows, rows));
                shapes.push(MuonShape { rows, columns, transposed, product, itself: zeros(rows, columns) });
            }
        }
        let most = |len: fn(&MuonShape) -> usize| shapes.iter().map(len).max().unwrap_or(0);
        let (whole, square) = (most(|s| s.rows * s.columns), most(|s| s.rows * s.rows));
        let [x, next] = [whole, whole].map(AlignedVec::zeros);
        Self { x, next, products: [square, square].map(AlignedVec::zeros), shapes }
    }

    fn bytes(&self) -> usize {
        let packed =
            |shape: &MuonShape| shape.transposed.bytes() + shape.product.bytes() + shape.itself.bytes();
        let [a, b] = &self.products;
        let numbers = self.x.len() + self.next.len() + a.len() + b.len();
        self.shapes.iter().map(packed).sum::<usize>() + numbers * size_of::<f32>()
    }

    /// Orthogonalizes a row-major matrix in place: all singular values become about 1. A zero matrix is unchanged.
    fn orthogonalize(&mut self, level: Level, [rows, columns]: [usize; 2], matrix: &mut [f32]) {
        let Self { shapes, x, next, products: [a, b] } = self;
        let is_tall = rows > columns;
        let (r, c) = (rows.min(columns), rows.max(columns));
        let shape = shapes.iter_mut().find(|shape| [shape.rows, shape.columns] == [r, c]);
        let MuonShape { transposed, product, itself, .. } = shape.expect("memory for each shape");
        let (x, next) = (&mut x[..r * c], &mut next[..r * c]);
        let (a, b) = (&mut a[..r * r], &mut b[..r * r]);
        if is_tall {
            transpose(rows, columns, matrix, x)
        } else {
            x.copy_from_slice(matrix)
        }
        let length = norm::sum_of_squares(level, x).sqrt();
        norm::scale(level, x, 1.0 / (length + 1e-7));
        let [first, second, third] = COEFFICIENTS;
        for _ in 0..ITERATIONS {
            transposed.repack_transposed(x);
            gemm(level, r, Matrix::new(x, c), transposed, MatrixMut::new(a, r), 0.0);
            // B = bA + cA².
            product.repack(a);
            b.copy_from_slice(a);
            norm::scale(level, a, third);
            gemm(level, r, Matrix::new(a, r), product, MatrixMut::new(b, r), second);
            // X ← aX + BX.
            itself.repack(x);
            next.copy_from_slice(x);
            gemm(level, r, Matrix::new(b, r), itself, MatrixMut::new(next, c), first);
            x.copy_from_slice(next);
        }
        if is_tall { transpose(columns, rows, x, matrix) } else { matrix.copy_from_slice(x) }
    }
}

/// Transposes the row-major `rows` × `columns` matrix `x` to `y`.
fn transpose(rows: usize, columns: usize, x: &[f32], y: &mut [f32]) {
    for (i, row) in x.chunks_exact(columns).enumerate() {
        for (j, &number) in row.iter().enumerate() {
            y[j * rows + i] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;
    use vivarium_kernels::simd;

    fn random(len: usize, seed: u64) -> Vec<f32> {
        let mut stream = Stream::new(seed, 0);
        (0..len).map(|_| stream.uniform() - 0.5).collect()
    }

    /// Returns the matrix product x·y for row-major x \[rows, k\] and y \[k, columns\].
    fn times(x: &[f64], y: &[f64], k: usize) -> Vec<f64> {
        let columns = y.len() / k;
        let cell =
            |row: &[f64], j: usize| row.iter().zip(y[j..].iter().step_by(columns)).map(|(x, y)| x * y).sum();
        x.chunks_exact(k).flat_map(|row| (0..columns).map(move |j| cell(row, j))).collect()
    }

    fn turned(x: &[f64], columns: usize) -> Vec<f64> {
        (0..columns).flat_map(|j| x[j..].iter().step_by(columns).copied()).collect()
    }

    /// Returns the row-major matrix \[rows, columns\] after orthogonalization by the Newton–Schulz iteration in f64
    /// (reference implementation).
    fn reference([rows, columns]: [usize; 2], matrix: &[f32]) -> Vec<f64> {
        let mut x: Vec<f64> = matrix.iter().map(|&x| f64::from(x)).collect();
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt() + 1e-7;
        x.iter_mut().for_each(|x| *x /= length);
        let [a, b, c] = COEFFICIENTS.map(f64::from);
        for _ in 0..ITERATIONS {
            let product = times(&x, &turned(&x, columns), columns);
            let square = times(&product, &product, rows);
            let sum: Vec<f64> = product.iter().zip(&square).map(|(p, s)| b * p + c * s).collect();
            let added = times(&sum, &x, rows);
            x.iter_mut().zip(added).for_each(|(x, added)| *x = a * *x + added);
        }
        x
    }

    fn spec(name: &str, dims: [usize; 2], offset: usize) -> ParameterSpec {
        let mut graph = vivarium_graph::Graph::new();
        let x = graph.input("x", &[dims[0]]);
        graph.linear_without_bias("m", x, dims[1], vivarium_graph::Initializer::Normal(1.0));
        let mut spec = graph.parameters()[0].clone();
        (spec.name, spec.offset) = (name.to_owned(), offset);
        spec
    }

    const SHAPES: [[usize; 2]; 5] = [[16, 48], [48, 16], [20, 20], [7, 33], [33, 5]];

    #[test]
    fn orthogonalization_agrees_with_the_reference() {
        for level in simd::levels() {
            for shape in SHAPES {
                let matrix = random(shape[0] * shape[1], 5);
                let mut found = matrix.clone();
                MuonScratch::new(level, &[spec("h.0.m", shape, 0)]).orthogonalize(level, shape, &mut found);
                for (found, expected) in found.iter().zip(reference(shape, &matrix)) {
                    assert!((f64::from(*found) - expected).abs() < 1e-4, "{shape:?}: {found}, {expected}");
                }
                // The squared Frobenius norm is about the number of orthonormal rows.
                let length: f32 = found.iter().map(|x| x * x).sum();
                let share = length / shape[0].min(shape[1]) as f32;
                assert!((0.5..1.4).contains(&share), "{shape:?}: {share}");
            }
        }
    }

    #[test]
    fn a_step_is_orthogonalized_momentum_and_weight_decay() {
        let mut offset = 0;
        let specs: Vec<ParameterSpec> = SHAPES
            .iter()
            .map(|&dims| {
                let spec = spec("h.1.m", dims, offset);
                offset += (spec.len() + 3).next_multiple_of(16);
                spec
            })
            .collect();
        let settings = AdamStep { learning_rate: 0.1, weight_decay: 0.5, ..AdamStep::default() };
        for threads in [1, 3] {
            let (cpu, mut muon) = (Cpu::new(threads), Muon::new(specs.clone()));
            let (mut weights, mut momentum) = (random(offset, 1), vec![0.0; offset]);
            let mut moved = vec![0.0; offset];
            for step in 0..2 {
                let (before, held) = (weights.clone(), momentum.clone());
                let gradients = random(offset, 2 + step);
                let flat = FlatSlices {
                    weights: &mut weights,
                    gradients: &gradients,
                    first_moment: &mut momentum,
                    second_moment: &mut moved,
                };
                muon.step(&cpu, flat, &settings);
                for spec in &specs {
                    let [rows, columns] = [spec.dims[0], spec.dims[1]];
                    let ahead: Vec<f32> = spec
                        .range()
                        .map(|i| MOMENTUM * (MOMENTUM * held[i] + gradients[i]) + gradients[i])
                        .collect();
                    let scale = 0.1 * 0.2 * (rows.max(columns) as f64).sqrt();
                    for (i, direction) in spec.range().zip(reference([rows, columns], &ahead)) {
                        let expected = f64::from(before[i]) * 0.95 - scale * direction;
                        assert!(
                            (f64::from(weights[i]) - expected).abs() < 1e-4,
                            "{} for {expected}",
                            weights[i]
                        );
                    }
                }
                let covered = |i: &usize| specs.iter().any(|spec| spec.range().contains(i));
                assert!((0..offset).filter(|i| !covered(i)).all(|i| weights[i] == before[i]));
            }
        }
    }
}
