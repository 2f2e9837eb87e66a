//! Tests of sequence operations (embedding, attention, output head): gradients against central differences in f64.

use crate::common;
use crate::engine::{self, test};
use vivarium_graph::{Graph, Initializer};

#[test]
pub fn an_embedding_sums_the_rows_that_indices_pick() {
    for count in [1, 4] {
        for width in [1, 3, 16, 70] {
            let mut g = Graph::new();
            let indices = g.input("index", &[count]);
            let y = g.embedding("table", indices, 5, width, Initializer::Normal(1.0));
            let y = g.tanh(y);
            let loss = g.sum(y);
            common::check_values(&format!("{count} rows of {width}"), &g, &[y], 9, 3);
            common::check_gradient(&format!("{count} rows of {width}"), &g, loss, 9, 3);
        }
    }
}

#[test]
pub fn linear_layers_by_the_transposed_matrix() {
    for (k, n, rows) in [(1, 1, 1), (5, 1, 6), (2, 4, 33), (33, 17, 5), (18, 33, 8)] {
        let mut g = Graph::new();
        let x = g.input("x", &[3]);
        let x = g.linear("x", x, n);
        let y = g.linear_transposed("head", x, k, Initializer::KaimingUniform);
        let y = g.tanh(y);
        let loss = g.sum(y);
        let what = format!("linear {n}→{k} by the transposed matrix");
        common::check_gradient(&what, &g, loss, rows, 3);
    }
}

#[test]
pub fn a_sequence_has_a_vector_for_each_token_and_each_position() {
    let (tokens, width) = (5, 6);
    let mut g = Graph::new();
    let indices = g.input("index", &[tokens, 1]);
    let words = g.embedding("words", indices, 3, width, Initializer::Normal(1.0));
    let positions = g.parameter_shaped("positions", &[tokens, width], Initializer::Normal(1.0));
    let x = g.add(words, positions);
    let x = g.tanh(x);
    let sums = g.sum(x);
    let sums = g.reshape(sums, &[tokens]);
    let weights = g.parameter("weights", tokens, Initializer::Normal(1.0));
    let products = g.mul(sums, weights);
    let loss = g.sum(products);
    common::check_values("tokens and positions", &g, &[x, sums], 7, 3);
    common::check_gradient("tokens and positions", &g, loss, 7, 3);
}

#[test]
pub fn attention_covers_only_earlier_tokens() {
    for (tokens, heads, head_width, rows) in [(1, 1, 1, 3), (3, 2, 2, 7), (9, 1, 16, 2), (33, 3, 5, 1)] {
        let what = format!("{heads} heads of {head_width} on {tokens} tokens");
        let mut g = Graph::new();
        let x = g.input("x", &[tokens, 3]);
        let qkv = g.linear("qkv", x, 3 * heads * head_width);
        let y = g.attention(qkv, heads);
        common::check_values(&what, &g, &[y], rows, 4);
        let weights = g.parameter_shaped("weights", &[tokens, heads * head_width], Initializer::Normal(1.0));
        let products = g.mul(y, weights);
        let sums = g.sum(products);
        let sums = g.reshape(sums, &[tokens]);
        let loss = g.mean(sums);
        common::check_gradient(&what, &g, loss, rows, 4);
    }
}

#[test]
pub fn a_matrix_may_be_a_table_and_the_head_that_is_tied_to_it() {
    for head_first in [false, true] {
        let mut g = Graph::new();
        let (indices, target) = (g.input("index", &[4, 1]), g.input("index.target", &[4, 1]));
        let other = g.input("x", &[4, 3]);
        let mut x = g.linear("other", other, 8);
        let mut extra = None;
        if head_first {
            extra = Some(g.linear_transposed("words", x, 3, Initializer::Normal(1.0)));
        }
        let words = g.embedding("words", indices, 3, 8, Initializer::Normal(1.0));
        x = g.add(x, words);
        let mut logits = g.linear_transposed("words", x, 3, Initializer::Normal(1.0));
        if let Some(extra) = extra {
            logits = g.add(logits, extra);
        }
        let losses = g.cross_entropy(logits, target);
        let losses = g.reshape(losses, &[4]);
        let loss = g.mean(losses);
        common::check_gradient("a tied head", &g, loss, 5, 6);
    }
}

#[test]
pub fn the_head_of_a_language_model_has_its_loss_in_one() {
    // (tokens, width, vocabulary, rows): small, several vocabulary chunks, several token blocks.
    for (tokens, width, vocabulary, rows) in [(1, 3, 2, 4), (3, 5, 17, 7), (2, 2, 1030, 1), (150, 2, 3, 2)] {
        let what = format!("{tokens} tokens of {width}, {vocabulary} entries");
        let mut g = Graph::new();
        let (x, target) = (g.input("x", &[tokens, 3]), g.input("index", &[tokens, 1]));
        let x = g.linear("x", x, width);
        let losses = g.head_loss("head", x, target, vocabulary, Initializer::Normal(1.0));
        let logits = g.linear_transposed("head", x, vocabulary, Initializer::Normal(1.0));
        common::check_values(&what, &g, &[losses, logits], rows, 5);
        let line = g.reshape(losses, &[tokens]);
        let loss = g.mean(line);
        common::check_gradient(&what, &g, loss, rows, 5);

        // The losses are also the second result of the gradient operation.
        let gradient = g.gradient(loss);
        let beside = gradient.head_losses_beside_gradient().expect("there is a head");
        for run in engine::runs(&gradient, &[losses, beside], &common::Sample::of(&g, rows, 5)) {
            for (plain, beside) in run.outputs[0].iter().zip(&run.outputs[1]) {
                assert!(
                    (plain - beside).abs() <= 1e-5 * plain.abs(),
                    "{what}, {}: {plain}, {beside}",
                    run.how
                );
            }
        }
        assert!(g.head_losses_beside_gradient().is_none(), "there is no gradient");
    }
}
