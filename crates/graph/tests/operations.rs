//! The gradient of every operation against central differences in f64, on the CPU.

mod common;
mod engine;
#[path = "suite/operations.rs"]
mod suite;

/// Not in the suite of all engines: the GPU has no tables yet.
#[test]
fn an_embedding_sums_the_rows_that_indices_pick() {
    for count in [1, 4] {
        for width in [1, 3, 16, 70] {
            let mut g = vivarium_graph::Graph::new();
            let indices = g.input("index", &[count]);
            let y = g.embedding("table", indices, 5, width, vivarium_graph::Initializer::Normal(1.0));
            let y = g.tanh(y);
            let loss = g.sum(y);
            common::check_values(&format!("{count} rows of {width}"), &g, &[y], 9, 3);
            common::check_gradient(&format!("{count} rows of {width}"), &g, loss, 9, 3);
        }
    }
}
