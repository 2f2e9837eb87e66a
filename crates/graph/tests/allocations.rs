//! Test: running a plan does not allocate. The test has a program of its own, because the allocator counts all
//! allocations of the process.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../../tests/fixtures/started.rs"]
mod started;

use counting_allocator::counted;
use started::started;
use vivarium_graph::{
    BatchInputs, Gradients, Graph, PackedParameters, Parameters, Plan, PlanWeights, Workspace, Workspaces,
};

fn allocations(work: impl FnOnce()) -> usize {
    counted(work).1.count
}

/// One test for all runs, because concurrent tests would count each other's allocations.
#[test]
fn runs_do_not_allocate() {
    let mut g = Graph::new();
    let x = g.input("x", &[9]);
    let h = g.linear("stem", x, 32);
    let h = g.layer_norm("norm", h);
    let h = g.relu(h);
    let residual = g.linear("residual", h, 32);
    let h = g.add(residual, h);
    let logits = g.linear("policy", h, 3);
    let value = g.linear("value", h, 1);
    let logs = g.log_softmax(logits);
    let index = g.input("index", &[1]);
    let picked = g.gather(logs, index);
    let square = g.square(value);
    let loss = g.sub(square, picked);

    let forward = Plan::compile(&g, &[logs, value], 16).expect("the graph is sound");
    let learn = Plan::compile(&g.gradient(loss), &[loss], 16).expect("the graph is sound");
    let rows = 200;
    let (x, index) = (vec![0.3; rows * 9], vec![1.0; rows]);
    let inputs = [&x[..], &index[..]];
    let (mut logs, mut values, mut losses) = (vec![0.0; rows * 3], vec![0.0; rows], vec![0.0; rows]);

    let engines = [1, 2].map(started);
    let level = engines[0].level();

    let parameters = Parameters::new(&g, 0).expect("the graph is sound");
    let mut gradients = Gradients::zeros(&parameters);
    let mut packed = PackedParameters::new(level, &parameters);

    // Single-threaded, from the first run on: the workspace was created for both plans.
    let mut workspace = Workspace::new(&forward);
    workspace.fit(&learn);
    let alone = allocations(|| {
        let (weights, batch) = (PlanWeights::new(&parameters, &packed), BatchInputs::new(rows, &inputs));
        forward.run(weights, &mut workspace, batch, &mut [&mut logs, &mut values]);
        let outputs: &mut [&mut [f32]] = &mut [&mut losses];
        learn.gradients(weights, &mut workspace, batch.weighted(1.0), outputs, &mut gradients);
        packed.refresh(&parameters);
    });
    assert_eq!(alone, 0, "allocations on one thread");

    // With several threads, the first runs allocate workspaces. A call from outside the thread pool may allocate a
    // block of rayon's queue; within `install`, calls do not allocate.
    let (weights, batch) = (PlanWeights::new(&parameters, &packed), BatchInputs::new(rows, &inputs));
    for cpu in &engines {
        let threads = cpu.threads();
        let mut workspaces = Workspaces::default();
        let mut many = |count: usize| {
            cpu.install(|| {
                allocations(|| {
                    for _ in 0..count {
                        let outputs: &mut [&mut [f32]] = &mut [&mut logs, &mut values];
                        cpu.run(&forward, weights, &mut workspaces, batch, outputs);
                        let outputs: &mut [&mut [f32]] = &mut [&mut losses];
                        let batch = batch.weighted(1.0);
                        cpu.gradients(&learn, weights, &mut workspaces, batch, outputs, &mut gradients);
                    }
                })
            })
        };
        many(20);
        assert_eq!(many(100), 0, "allocations in 200 runs on {threads} threads");
    }
}
