//! A map of tokens: their embeddings in the plane in which they differ most.

use crate::model::Gpt;
use vivarium_kernels::rng::Stream;

/// What the first directions are drawn with.
const DIRECTIONS: u32 = 0x3a9_0001;

/// Steps towards the principal axes: from directions by chance, and from those of the map before.
const STEPS: [usize; 2] = [60, 12];

/// The two principal components of token embeddings, found by subspace iteration (Golub and Van Loan, "Matrix Computations",
/// section 7.3.2). It goes on from the axes of the map before, so that a map of a model that has learned a little more
/// looks much like the one before it.
#[derive(Default)]
pub struct EmbeddingMap {
    axes: Option<[Vec<f64>; 2]>,
}

impl EmbeddingMap {
    /// Where these tokens lie: two numbers for each, the largest of all being 1 or −1.
    ///
    /// # Panics
    /// If a token is not in the model's vocabulary.
    pub fn lay_out(&mut self, gpt: &Gpt, tokens: &[u32]) -> Vec<f32> {
        let width = gpt.width();
        let rows = centered(embeddings(gpt), width, tokens);
        let known = self.axes.take().filter(|[first, _]| first.len() == width);
        let [first, again] = STEPS;
        let steps = if known.is_some() { again } else { first };
        let mut axes = known.unwrap_or_else(|| drawn(width));
        for _ in 0..steps {
            // A direction that nothing lies along has no next one, and is kept.
            let next = axes.each_ref().map(|axis| turned(&rows, width, axis));
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

/// The embeddings of all tokens.
fn embeddings(gpt: &Gpt) -> &[f32] {
    gpt.parameters().get("wte.weight").unwrap_or_default()
}

/// The embeddings of some tokens, less their mean.
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

/// Directions by chance, always the same.
fn drawn(width: usize) -> [Vec<f64>; 2] {
    [0, 1].map(|axis| {
        let mut random = Stream::new(axis, DIRECTIONS);
        (0..width).map(|_| f64::from(random.uniform()) - 0.5).collect()
    })
}

/// The covariance of the rows, times an axis and how many rows there are.
fn turned(rows: &[f64], width: usize, axis: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        let along = dot(row, axis);
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += along * value);
    }
    sum
}

/// The first of two vectors, and the second less what it shares with the first, each of length one and not turned against the
/// one before.
fn orthonormal([first, mut second]: [Vec<f64>; 2], [before, second_before]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
    let first = unit(first, before);
    let shared = dot(&first, &second);
    second.iter_mut().zip(&first).for_each(|(value, first)| *value -= shared * first);
    let second = unit(second, second_before);
    [first, second]
}

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
