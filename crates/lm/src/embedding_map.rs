//! Two-dimensional map of token embeddings by principal component analysis (PCA).

use crate::model::Gpt;
use vivarium_kernels::rng::Stream;

/// Number of the pseudorandom stream from which the initial axes of the first subspace iteration are drawn.
const DIRECTIONS: u32 = 0x3a9_0001;

/// Number of subspace iterations of the first map, which starts from random axes, and of each later map, which starts
/// from the axes of the previous map.
const STEPS: [usize; 2] = [60, 12];

/// First two principal components of token embeddings, computed by subspace iteration (Golub & Van Loan, "Matrix
/// Computations", section 7.3.2).
///
/// The iteration starts from the axes of the previous map, so maps change continuously during training.
#[derive(Default)]
pub struct EmbeddingMap {
    axes: Option<[Vec<f64>; 2]>,
}

impl EmbeddingMap {
    /// Computes the map: returns the coordinates of `tokens` along the first two principal components, \[tokens, 2\],
    /// scaled to a maximum absolute value of 1. Stores the two axes as the start of the next map's iteration.
    ///
    /// # Panics
    /// Panics if a token is not in the model's vocabulary.
    pub fn project(&mut self, gpt: &Gpt, tokens: &[u32]) -> Vec<f32> {
        let width = gpt.width();
        let rows = centered(embeddings(gpt), width, tokens);
        let known = self.axes.take().filter(|[first, _]| first.len() == width);
        let [first, again] = STEPS;
        let steps = if known.is_some() { again } else { first };
        let mut axes = known.unwrap_or_else(|| random_axes(width));
        for _ in 0..steps {
            // An axis in the null space of the covariance stays unchanged.
            let next = axes.each_ref().map(|axis| covariance_product(&rows, width, axis));
            axes = orthonormal(next, axes);
        }
        let places: Vec<f64> =
            rows.chunks_exact(width).flat_map(|row| axes.each_ref().map(|axis| dot(row, axis))).collect();
        let largest = places.iter().fold(0.0f64, |largest, place| largest.max(place.abs()));
        let factor = if largest > 0.0 { 1.0 / largest } else { 0.0 };
        self.axes = Some(axes);
        places.into_iter().map(|place| (factor * place) as f32).collect()
    }
}

/// Returns the token embedding matrix of a model, \[vocabulary, width\].
fn embeddings(gpt: &Gpt) -> &[f32] {
    gpt.parameters().get("wte.weight").unwrap_or_default()
}

/// Returns the embeddings of `tokens` minus the mean of these embeddings, \[tokens, width\].
fn centered(embeddings: &[f32], width: usize, tokens: &[u32]) -> Vec<f64> {
    let mut rows = Vec::with_capacity(tokens.len() * width);
    for &token in tokens {
        rows.extend(embeddings[token as usize * width..][..width].iter().copied().map(f64::from));
    }
    let mut mean = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value / tokens.len() as f64);
    }
    rows.chunks_exact_mut(width)
        .for_each(|row| row.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean));
    rows
}

/// Returns two pseudorandom axes of length `width`, with which the first iteration starts; equal in every call.
fn random_axes(width: usize) -> [Vec<f64>; 2] {
    [0, 1].map(|axis| {
        let mut random = Stream::new(axis, DIRECTIONS);
        (0..width).map(|_| f64::from(random.uniform()) - 0.5).collect()
    })
}

/// Returns the matrix-vector product C · `axis`. C is the unnormalized covariance matrix of the centered token
/// embeddings `rows`, \[tokens, width\].
fn covariance_product(rows: &[f64], width: usize, axis: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        let along = dot(row, axis);
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += along * value);
    }
    sum
}

/// Orthonormalizes two vectors by the Gram–Schmidt process. The second argument holds the axes of the previous
/// iteration: each result has a nonnegative dot product with its previous axis, which also replaces a zero vector.
fn orthonormal([first, mut second]: [Vec<f64>; 2], [before, second_before]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
    let first = unit(first, before);
    let shared = dot(&first, &second);
    second.iter_mut().zip(&first).for_each(|(value, first)| *value -= shared * first);
    let second = unit(second, second_before);
    [first, second]
}

/// Returns `vector` scaled to length 1, with the sign for which the dot product with `before` is not negative. Returns
/// `before` if the length is 0.
fn unit(vector: Vec<f64>, before: Vec<f64>) -> Vec<f64> {
    let length = dot(&vector, &vector).sqrt();
    if length < f64::MIN_POSITIVE.sqrt() {
        return before;
    }
    let factor = if dot(&vector, &before) < 0.0 { -1.0 } else { 1.0 } / length;
    vector.into_iter().map(|value| factor * value).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
