//! Networks against central differences in f64, and independence of the number of threads.

use crate::common;
use crate::suite::networks::actor_critic;
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
    let mut sparse = SparseRows::default();
    for row in inputs[0].chunks_exact(50) {
        let others = row.iter().enumerate().filter(|(_, number)| **number != 0.0);
        sparse.add(50, |row| others.for_each(|(place, &number)| row.push(place, number)));
    }
    // Chunks that do not divide the rows.
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
