//! Embedding map: principal components, continuous from map to map.

use vivarium_graph::{Tensor, TensorData};
use vivarium_kernels::rng::Stream;
use vivarium_lm::{EmbeddingMap, Gpt, LanguageConfig};

const TOKENS: usize = 40;
const WIDTH: usize = 8;

/// Returns a model whose token embeddings vary in two dominant directions, plus uniform noise of range `noise`. Also
/// returns the coordinates of each token along the two directions.
fn spread(noise: f32) -> (Gpt, Vec<[f32; 2]>) {
    let config =
        LanguageConfig { context: 4, layers: 1, heads: 2, width: WIDTH as u32, ..Default::default() };
    let mut random = Stream::new(4, 2);
    let mut gpt = Gpt::new(&config, TOKENS, 1).unwrap();
    // On a grid, the two coordinates are uncorrelated.
    let places: Vec<[f32; 2]> =
        (0..TOKENS).map(|token| [(token % 8) as f32 - 3.5, 0.4 * (token / 8) as f32 - 0.8]).collect();
    let [first, second] =
        [[0.5f32, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0], [0.5, -0.5, 0.5, -0.5, 0.0, 0.0, 0.0, 0.0]];
    let mut values = Vec::new();
    for [x, y] in &places {
        values.extend(
            (0..WIDTH).map(|i| 0.7 + x * first[i] + y * second[i] + noise * (random.uniform() - 0.5)),
        );
    }
    let mut tensors = gpt.tensors();
    let table: &mut Tensor = tensors.iter_mut().find(|tensor| tensor.name == "wte.weight").unwrap();
    table.values = TensorData::F32(values);
    gpt.adopt(&tensors).unwrap();
    (gpt, places)
}

/// Returns the correlation coefficient of two lists of values.
fn correlation(left: &[f32], right: &[f32]) -> f32 {
    let mean = |list: &[f32]| list.iter().sum::<f32>() / list.len() as f32;
    let (a, b) = (mean(left), mean(right));
    let sum =
        |f: &dyn Fn(f32, f32) -> f32| left.iter().zip(right).map(|(&x, &y)| f(x - a, y - b)).sum::<f32>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[test]
fn the_axes_are_the_principal_components() {
    let (gpt, places) = spread(0.01);
    let tokens: Vec<u32> = (0..TOKENS as u32).collect();
    let map = EmbeddingMap::default().project(&gpt, &tokens);
    assert_eq!(map.len(), 2 * TOKENS);
    for axis in 0..2 {
        let found: Vec<f32> = map.iter().skip(axis).step_by(2).copied().collect();
        let expected: Vec<f32> = places.iter().map(|place| place[axis]).collect();
        let alike = correlation(&found, &expected).abs();
        assert!(alike > 0.99, "axis {axis}: {alike}");
    }
    let largest = map.iter().fold(0.0f32, |largest, place| largest.max(place.abs()));
    assert!((largest - 1.0).abs() < 1e-6, "{largest}");
}

#[test]
fn consecutive_maps_are_similar() {
    let tokens: Vec<u32> = (0..TOKENS as u32).collect();
    let mut map = EmbeddingMap::default();
    let before = map.project(&spread(0.01).0, &tokens);
    let after = map.project(&spread(0.3).0, &tokens);
    for axis in 0..2 {
        let of = |map: &[f32]| map.iter().skip(axis).step_by(2).copied().collect::<Vec<f32>>();
        assert!(correlation(&of(&before), &of(&after)) > 0.95, "axis {axis} has changed");
    }
}

#[test]
fn equal_embeddings_are_at_the_origin() {
    let (gpt, _) = spread(0.0);
    assert!(EmbeddingMap::default().project(&gpt, &[3, 3, 3]).iter().all(|&place| place == 0.0));
}
