//! Tests of graph definitions: invalid definitions return an error, and initial parameters have the distributions of
//! their initializers.

use vivarium_graph::{
    Activation, BatchInputs, Cpu, Epilogue, EpilogueActivation, Gradients, Graph, Initializer, Op,
    PackedParameters, Parameters, Plan, PlanWeights, Workspaces,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Compiles an invalid graph and returns the error message.
fn error_of(build: impl FnOnce(&mut Graph)) -> String {
    let mut g = Graph::new();
    build(&mut g);
    let x = g.input("last", &[1]);
    let from_parameters = Parameters::new(&g, 0).expect_err("a mistake").to_string();
    let from_plan = Plan::compile(&g, &[x], 8).expect_err("a mistake").to_string();
    assert_eq!(from_parameters, from_plan);
    from_plan
}

#[test]
fn incompatible_operands() {
    let message = error_of(|g| {
        let (a, b) = (g.input("a", &[3]), g.input("b", &[4]));
        g.add(a, b);
    });
    assert_eq!(
        message,
        "add: got shapes [[3], [4]]; allowed: equal shapes, or one of them with a last dimension of 1"
    );
    let message = error_of(|g| {
        let (x, index) = (g.input("x", &[3]), g.input("index", &[2]));
        g.gather(x, index);
    });
    assert!(message.starts_with("gather: got shapes [[3], [2]]; allowed:"), "{message}");
    let message = error_of(|g| {
        let x = g.input("x", &[3]);
        g.slice(x, 2, 2);
    });
    assert!(message.starts_with("slice: got shapes [[3]]; allowed:"), "{message}");
}

#[test]
fn the_first_error_is_reported() {
    let message = error_of(|g| {
        let (a, b) = (g.input("a", &[3]), g.input("b", &[4]));
        let wrong = g.mul(a, b);
        g.add(wrong, a);
        g.sub(a, b);
    });
    assert!(message.starts_with("mul:"), "{message}");
}

#[test]
fn a_name_denotes_one_parameter() {
    let mut g = Graph::new();
    let x = g.input("x", &[3]);
    let y = g.linear("shared", x, 3);
    g.linear("shared", y, 3);
    assert_eq!(g.parameters().len(), 2, "a second use in the same shape is the same parameter");
    assert_eq!(g.parameter_count(), 3 * 3 + 3);
    let message = error_of(|g| {
        let x = g.input("x", &[3]);
        let y = g.linear("layer", x, 3);
        g.linear("layer", y, 4);
    });
    assert!(
        message.contains("`layer.weight`") && message.contains("[3, 3]") && message.contains("[3, 4]"),
        "{message}"
    );
    let message = error_of(|g| {
        g.input("x", &[3]);
        g.input("x", &[3]);
    });
    assert_eq!(message, "input `x` is declared twice; use two names");
}

#[test]
fn empty_shapes() {
    for dims in [&[][..], &[0], &[2, 0], &[1, 2, 3, 4]] {
        let message = error_of(|g| {
            g.input("x", dims);
        });
        assert!(message.starts_with("`x` has the"), "{message}");
    }
    let message = error_of(|g| {
        let x = g.input("x", &[3]);
        g.linear("layer", x, 0);
    });
    assert!(message.contains("`layer.weight`"), "{message}");
}

#[test]
fn a_loss_is_scalar_and_a_chunk_is_not_empty() {
    let mut g = Graph::new();
    let x = g.input("x", &[3]);
    let y = g.linear("layer", x, 2);
    let message = Plan::compile(&g.gradient(y), &[y], 8).expect_err("a mistake").to_string();
    assert!(message.starts_with("gradient: got shapes [[2]]"), "{message}");
    let message = Plan::compile(&g, &[y], 0).expect_err("a mistake").to_string();
    assert!(message.starts_with("chunk_rows is 0"), "{message}");
}

#[test]
fn orthogonal_matrices_are_orthogonal() {
    for (k, n) in [(4, 64), (64, 64), (64, 2), (64, 1), (1, 5)] {
        let mut g = Graph::new();
        let x = g.input("x", &[k]);
        g.linear_with("layer", x, n, Initializer::Orthogonal { gain: 1.5 });
        let parameters = Parameters::new(&g, 9).expect("the graph is sound");
        let w = parameters.get("layer.weight").expect("it is there");
        let (count, len) = (k.min(n), k.max(n));
        let at = |i: usize, j: usize| f64::from(if k <= n { w[i * n + j] } else { w[j * n + i] });
        for a in 0..count {
            for b in 0..count {
                let dot: f64 = (0..len).map(|j| at(a, j) * at(b, j)).sum();
                let expected = if a == b { 1.5 * 1.5 } else { 0.0 };
                assert!((dot - expected).abs() < 1e-5, "{k}×{n}, vectors {a} and {b}: {dot}");
            }
        }
    }
}

#[test]
fn draws_depend_on_the_seed_alone_and_have_the_right_spread() {
    let mut g = Graph::new();
    let x = g.input("x", &[150]);
    let h = g.linear("uniform", x, 100);
    g.linear_with("normal", h, 100, Initializer::Normal(0.02));
    let parameters = |seed| Parameters::new(&g, seed).expect("the graph is sound");
    assert_eq!(parameters(1).flat(), parameters(1).flat());
    assert_ne!(parameters(1).flat(), parameters(2).flat());
    let drawn = parameters(1);
    let deviation = |name: &str| {
        let numbers = drawn.get(name).expect("it is there");
        let mean = numbers.iter().sum::<f32>() / numbers.len() as f32;
        assert!(mean.abs() < 0.01, "{name} has mean {mean}");
        (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / numbers.len() as f32).sqrt()
    };
    // The standard deviation of a uniform distribution within ±√(6/k) is √(2/k).
    assert!((deviation("uniform.weight") / (2f32 / 150.0).sqrt() - 1.0).abs() < 0.02);
    assert!((deviation("normal.weight") / 0.02 - 1.0).abs() < 0.03);
    assert!(drawn.get("uniform.bias").is_some_and(|bias| bias.iter().all(|&b| b == 0.0)));
    for spec in drawn.specs() {
        assert_eq!(spec.offset % 16, 0, "{} starts a cache line", spec.name);
    }
}

#[test]
fn an_inference_plan_of_a_residual_layer_is_one_step() {
    for norm in [Graph::layer_norm, Graph::rms_norm] {
        let mut g = Graph::new();
        let x = g.input("x", &[8]);
        let h = g.linear("layer", x, 8);
        let h = norm(&mut g, "norm", h);
        let h = g.add(h, x);
        let h = g.relu(h);
        let plan = Plan::compile(&g, &[h], 8).expect("the graph is sound");
        let [step] = plan.steps() else { panic!("{:?}", plan.steps()) };
        assert!(matches!(step.op, Op::Linear(_)) && step.epilogue.norm.is_some());
        assert_eq!(step.epilogue.residual, Some(x));
        assert_eq!(step.epilogue.activation, EpilogueActivation::Forward(Activation::Relu));
        assert_eq!(step.operands, [x]);
        assert_eq!(step.results, plan.output_values());
        assert_eq!(plan.arena_len(), 0, "there are no intermediate values");
    }
}

#[test]
fn a_long_chain_needs_two_arena_blocks() {
    let mut g = Graph::new();
    let mut x = g.input("x", &[16]);
    for layer in 0..10 {
        x = g.linear(&format!("layer.{layer}"), x, 16);
        x = g.tanh(x);
    }
    let plan = Plan::compile(&g, &[x], 10).expect("the graph is sound");
    assert_eq!(plan.steps().len(), 10);
    assert_eq!(plan.arena_len(), 2 * 10 * 16);
}

#[test]
fn gradient_plans_fuse_sums_and_activation_derivatives() {
    // relu(x·W₁) feeds two layers: their input gradients are summed, then passed through the ReLU.
    let mut g = Graph::new();
    let x = g.input("x", &[8]);
    let h = g.linear("hidden", x, 8);
    let h = g.relu(h);
    let [a, b] = ["a", "b"].map(|name| g.linear(name, h, 1));
    let loss = g.mul(a, b);
    let plan = Plan::compile(&g.gradient(loss), &[loss], 8).expect("the graph is sound");
    let products = plan.steps().iter().filter(|step| matches!(step.op, Op::LinearTransposed(_)));
    let epilogues: Vec<_> = products.map(|step| step.epilogue).collect();
    let [first, second] = epilogues[..] else { panic!("{epilogues:?}") };
    assert_eq!(first, Epilogue::default());
    assert!(second.norm.is_none() && second.residual.is_some());
    let slope = EpilogueActivation::Gradient { activation: Activation::Relu, saved: h };
    assert_eq!(second.activation, slope);
}

#[test]
fn the_cross_entropy_gradient_is_fused() {
    let mut g = Graph::new();
    let x = g.input("x", &[8]);
    let logits = g.linear("layer", x, 5);
    let index = g.input("index", &[1]);
    let loss = g.cross_entropy(logits, index);
    let plan = Plan::compile(&g.gradient(loss), &[loss], 8).expect("the graph is sound");
    assert!(plan.steps().iter().any(|step| matches!(step.op, Op::CrossEntropyGradient(_))));
}

#[test]
fn a_table_may_be_a_weight_but_not_both_kinds() {
    let mut g = Graph::new();
    let index = g.input("index", &[1]);
    let row = g.embedding("both", index, 3, 3, Initializer::KaimingUniform);
    let product = g.linear_without_bias("both", row, 3, Initializer::KaimingUniform);
    let mut parameters = Parameters::new(&g, 0).expect("the graph is sound");
    let weight = parameters.get_mut("both.weight").expect("it has one");
    weight.copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let plan = Plan::compile(&g, &[product], 8).expect("the graph is sound");
    let cpu = Cpu::new(1);
    let packed = PackedParameters::new(cpu.level(), &parameters);
    let mut found = [0.0; 3];
    let mut room = Workspaces::default();
    cpu.run(
        &plan,
        PlanWeights::new(&parameters, &packed),
        &mut room,
        BatchInputs::new(1, &[&[1.0]]),
        &mut [&mut found],
    );
    assert_eq!(found, [66.0, 81.0, 96.0], "the second row times the matrix");

    let message = error_of(|g| {
        let x = g.input("x", &[3]);
        let y = g.linear_without_bias("both", x, 3, Initializer::KaimingUniform);
        g.linear_transposed("both", y, 3, Initializer::KaimingUniform);
    });
    assert!(
        message.contains("`both.weight` is the weight of a linear layer and of an output head"),
        "{message}"
    );
}

#[test]
#[should_panic(expected = "must be consecutive")]
#[cfg(not(target_arch = "wasm32"))]
fn gradient_slices_cannot_be_interleaved() {
    let mut g = Graph::new();
    let x = g.input("x", &[8]);
    let y = g.linear("layer", x, 1);
    let learn = Plan::compile(&g.gradient(y), &[], 16).expect("the graph is sound");
    let parameters = Parameters::new(&g, 0).expect("the graph is sound");
    let cpu = Cpu::new(1);
    let packed = PackedParameters::new(cpu.level(), &parameters);
    let mut room = Workspaces::default();
    let mut gradients = Gradients::zeros(&parameters);
    let rows = vec![1.0; 8 * 256];
    let mut slice = |index, room: &mut _| {
        cpu.gradients_slice(
            &learn,
            PlanWeights::new(&parameters, &packed),
            room,
            BatchInputs::new(256, &[&rows]).weighted(1.0),
            index,
            &mut [],
            &mut gradients,
        )
    };
    assert!(!slice(0, &mut room));
    cpu.gradients(
        &learn,
        PlanWeights::new(&parameters, &packed),
        &mut room,
        BatchInputs::new(128, &[&rows[..8 * 128]]).weighted(1.0),
        &mut [],
        &mut Gradients::zeros(&parameters),
    );
    slice(1, &mut room);
}

#[test]
fn a_plan_for_the_cache_takes_fewer_rows_of_a_larger_network() {
    let rows = |width: usize| {
        let mut g = Graph::new();
        let mut x = g.input("x", &[width]);
        for layer in 0..3 {
            x = g.linear(&format!("layer.{layer}"), x, width);
            x = g.tanh(x);
        }
        let plan = Plan::for_cache(&g, &[x]).expect("the graph is sound");
        assert!(plan.arena_len() <= 512 * 1024 / 4 || plan.chunk_rows() == 16, "{width} wide");
        plan.chunk_rows()
    };
    assert_eq!([8, 256, 100_000].map(rows), [512, 256, 16]);
}

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
    assert!(no_sequence.is_err_and(|error| error.contains("divisible by the number of heads")));
    let other_size = refused(&|g| {
        let x = g.input("x", &[4, 6]);
        g.reshape(x, &[25]);
    });
    assert!(other_size.is_err_and(|error| error.contains("the number of elements of the new shape")));
}
