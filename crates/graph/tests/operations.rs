//! The gradient of every operation against central differences in f64, on the CPU.

mod common;
mod engine;
#[path = "suite/sequences.rs"]
mod sequences;
#[path = "suite/operations.rs"]
mod suite;

use vivarium_graph::Graph;

#[test]
fn shapes_of_sequences_are_checked() {
    let refused = |build: &dyn Fn(&mut Graph)| {
        let mut g = Graph::new();
        build(&mut g);
        g.check().map_err(|error| error.to_string())
    };
    let wrong_heads = refused(&|g| {
        let x = g.input("x", &[4, 24]);
        g.attention(x, 3);
    });
    assert!(wrong_heads.is_err_and(|error| error.contains("attention: got shapes [[4, 24]]")));
    let no_sequence = refused(&|g| {
        let x = g.input("x", &[24]);
        g.attention(x, 2);
    });
    assert!(no_sequence.is_err_and(|error| error.contains("a width that the heads divide")));
    let other_size = refused(&|g| {
        let x = g.input("x", &[4, 6]);
        g.reshape(x, &[25]);
    });
    assert!(other_size.is_err_and(|error| error.contains("as many numbers")));
}
