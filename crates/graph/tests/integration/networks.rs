//! Tests of whole networks: gradients against central differences in f64, and independence of the number of threads.

use crate::common;
use crate::suite::networks::actor_critic;
use vivarium_graph::bench_networks;
use vivarium_graph::{
    BatchInputs, Cpu, Gradients, Graph, PackedParameters, Plan, PlanWeights, Workspace, Workspaces,
};
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::simd;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let (g, loss) = actor_critic(32, 3);
    let rows = 700;
    let parameters = common::random_parameters(&g, 4);
    let inputs = common::inputs_for(&g, rows, 4);
    let slices: Vec<&[f32]> = inputs.iter().map(Vec::as_slice).collect();
    let plan = Plan::compile(&g.gradient(loss), &[loss], 32).expect("the graph is sound");
    let forward = Plan::compile(&g, &[loss], 32).expect("the graph is sound");
    let runs = [1, 2, 3, 8].map(|threads| {
        let cpu = Cpu::new(threads);
        let packed = PackedParameters::new(cpu.level(), &parameters);
        let mut workspaces = Workspaces::default();
        let mut gradients = Gradients::zeros(&parameters);
        let [mut losses, mut again] = [0, 1].map(|_| vec![0.0; rows]);
        let (weights, batch) = (PlanWeights::new(&parameters, &packed), BatchInputs::new(rows, &slices));
        cpu.gradients(&plan, weights, &mut workspaces, batch, &mut [&mut losses], &mut gradients);
        cpu.run(&forward, weights, &mut workspaces, batch, &mut [&mut again]);
        assert_eq!(losses, again, "a plan with gradients gives the losses of one without");
        (losses, gradients.flat().to_vec())
    });
    for run in &runs[1..] {
        assert_eq!(run.0, runs[0].0);
        assert_eq!(run.1, runs[0].1);
    }
    assert!(runs[0].1.iter().any(|&gradient| gradient != 0.0));
}

/// A forward pass divides a batch into smaller parts than chunks. The boundaries must not affect any bit: rows at the edge of
/// a tile, and the last elements of a part, go through other code than the rest.
#[test]
fn a_small_batch_on_several_threads_equals_one_thread_bit_for_bit() {
    for network in [bench_networks::residual_mlp(), bench_networks::matrix_product(256)] {
        let plan = network.forward_plan().expect("the graph is sound");
        let parameters = common::random_parameters(&network.graph, 5);
        for level in simd::levels() {
            let packed = PackedParameters::new(level, &parameters);
            for rows in [1, 63, 64, 99, 256, 257] {
                let inputs = network.inputs(rows);
                let slices: Vec<&[f32]> = inputs.iter().map(Vec::as_slice).collect();
                let run = |threads: usize| {
                    let mut outputs: Vec<_> =
                        plan.outputs().iter().map(|shape| vec![f32::NAN; rows * shape.size()]).collect();
                    let mut slots: Vec<_> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
                    let batch = BatchInputs::new(rows, &slices);
                    let weights = PlanWeights::new(&parameters, &packed);
                    Cpu::new(threads).run(&plan, weights, &mut Workspaces::default(), batch, &mut slots);
                    outputs
                };
                let expected = run(1);
                assert!(expected.iter().flatten().all(|y| y.is_finite()));
                for threads in [2, 3, 8] {
                    assert!(run(threads) == expected, "{level:?}, {rows} rows, {threads} threads");
                }
            }
        }
    }
}

/// Returns a dense matrix with rows of `width` elements in compressed form (CSR).
fn compressed(rows: &[f32], width: usize) -> SparseRows {
    let mut sparse = SparseRows::default();
    for row in rows.chunks_exact(width) {
        let others = row.iter().enumerate().filter(|(_, number)| **number != 0.0);
        sparse.add(width, |row| others.for_each(|(place, &number)| row.push(place, number)));
    }
    sparse
}

#[test]
fn a_sparse_input_may_have_several_lines_in_each_row() {
    let mut g = Graph::new();
    let boards = g.sparse_input("boards", &[3, 20]);
    let y = g.linear("stem", boards, 7);
    let (rows, parameters) = (11, common::random_parameters(&g, 8));
    let inputs = common::inputs_for(&g, rows, 8);
    let sparse = compressed(&inputs[0], 20);
    // The chunk size does not divide the number of rows.
    let plan = Plan::compile(&g, &[y], 4).expect("the graph is sound");
    for level in simd::levels() {
        let packed = PackedParameters::new(level, &parameters);
        let mut workspace = Workspace::new(&plan);
        let [mut expected, mut found] = [0, 1].map(|_| vec![f32::NAN; rows * 3 * 7]);
        let (dense, none): ([&[f32]; 1], [&[f32]; 1]) = ([&inputs[0]], [&[]]);
        let weights = PlanWeights::new(&parameters, &packed);
        plan.run(weights, &mut workspace, BatchInputs::new(rows, &dense), &mut [&mut expected]);
        plan.run_sparse(weights, &mut workspace, &sparse, &none, &mut [&mut found]);
        assert!(found.iter().all(|y| y.is_finite()));
        assert_eq!(found, expected, "{level:?}");
    }
}

/// The divergence guard, which checks losses and gradients for NaN, must work for sparse as for dense inputs.
#[test]
fn an_infinite_weight_gives_the_same_losses_and_gradients_for_sparse_and_dense_inputs() {
    for number in [f32::INFINITY, f32::NAN] {
        for level in simd::levels() {
            let run = |is_sparse: bool| {
                let mut g = Graph::new();
                let x = if is_sparse { g.sparse_input("board", &[50]) } else { g.input("board", &[50]) };
                let y = g.linear("stem", x, 32);
                let y = g.square(y);
                let loss = g.sum(y);
                let plan = Plan::compile(&g.gradient(loss), &[loss], 10).expect("the graph is sound");
                let mut parameters = common::random_parameters(&g, 6);
                parameters.get_mut("stem.weight").expect("a weight")[49 * 32 + 3] = number;
                // The weight belongs to an element that is 0 in each row.
                let mut input = vec![0.0; 23 * 50];
                input.iter_mut().enumerate().for_each(|(i, x)| *x = f32::from(i % 50 == 4 + i / 50));
                let packed = PackedParameters::new(level, &parameters);
                let mut gradients = Gradients::zeros(&parameters);
                let mut losses = vec![0.0; 23];
                let (weights, inputs) = (PlanWeights::new(&parameters, &packed), [&input[..]]);
                let batch = BatchInputs::new(23, &inputs);
                let workspace = &mut Workspace::new(&plan);
                plan.gradients(weights, workspace, batch, &mut [&mut losses], &mut gradients);
                (losses, gradients.flat().to_vec())
            };
            let bits = |x: Vec<f32>| -> Vec<bool> { x.iter().map(|x| x.is_nan()).collect() };
            let (losses, gradients) = run(true);
            let (expected_losses, expected_gradients) = run(false);
            assert!(losses.iter().all(|loss| loss.is_nan()), "{level:?}");
            assert_eq!(bits(losses), bits(expected_losses), "{level:?}");
            assert_eq!(bits(gradients), bits(expected_gradients), "{level:?}");
        }
    }
}

#[test]
fn compressed_sparse_inputs_give_equal_results() {
    let mut g = Graph::new();
    let board = g.sparse_input("board", &[50]);
    let x = g.linear("stem", board, 32);
    let x = g.layer_norm("norm", x);
    let x = g.relu(x);
    let y = g.linear("head", x, 5);
    let (rows, parameters) = (23, common::random_parameters(&g, 6));
    let inputs = common::inputs_for(&g, rows, 6);
    let sparse = compressed(&inputs[0], 50);
    // The chunk size does not divide the number of rows.
    let plan = Plan::compile(&g, &[y], 10).expect("the graph is sound");
    for level in simd::levels() {
        let packed = PackedParameters::new(level, &parameters);
        let mut workspace = Workspace::new(&plan);
        workspace.poison();
        let [mut expected, mut found] = [0, 1].map(|_| vec![f32::NAN; rows * 5]);
        let (dense, none): ([&[f32]; 1], [&[f32]; 1]) = ([&inputs[0]], [&[]]);
        let weights = PlanWeights::new(&parameters, &packed);
        plan.run(weights, &mut workspace, BatchInputs::new(rows, &dense), &mut [&mut expected]);
        plan.run_sparse(weights, &mut workspace, &sparse, &none, &mut [&mut found]);
        assert_eq!(found, expected, "{level:?}");
    }
}
