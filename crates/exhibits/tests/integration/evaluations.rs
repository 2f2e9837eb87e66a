//! Progress reports and interruption of evaluations.

use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::episodes::Episodes;

/// Returns experiments of several families, each as a name and a config with a small learner.
pub fn small() -> [(&'static str, Value); 6] {
    let game = json!({
        "network": { "width": 16, "blocks": 1 },
        "search": { "simulations": 8 },
        "self_play": { "workers": 2, "games": 4, "generation": 256 },
        "learning": { "minibatch": 64, "replay_capacity": 4096 },
    });
    [
        ("backgammon", game.clone()),
        ("connect-four", game),
        (
            "cube2",
            json!({
                "cube": { "features": "stickers" },
                "dqn": { "hidden": [16], "num_envs": 32, "warm_up": 256, "replay_capacity": 4096, "minibatch": 64 },
            }),
        ),
        ("cube3", json!({ "learner": { "width": 32, "blocks": 0, "scrambles": 4, "depth": 10 } })),
        (
            "language",
            json!({
                "learner": {
                    "vocabulary": 300, "context": 16, "layers": 1, "heads": 2, "width": 16, "batch": 4,
                },
                "encyclopedia": { "bytes": 60_000 },
            }),
        ),
        (
            "logic-ca",
            json!({
                "task": { "width": 8, "height": 6, "batch": 2, "steps": 4 },
                "circuit": {
                    "channels": 3, "kernels": 2, "perceive": [8, 4, 2], "update": [16, 8, 4, 3],
                },
            }),
        ),
    ]
}

#[test]
fn an_evaluation_reports_its_progress() {
    // The evaluation of logic-ca takes too few slices to report a high completed fraction.
    for (name, config) in small().into_iter().filter(|(name, _)| *name != "logic-ca") {
        let mut experiment = REGISTRY.create(name, &config, 3).unwrap();
        let shares = RefCell::new(Vec::new());
        let stop = |share| {
            shares.borrow_mut().push(share);
            false
        };
        let trials = if name == "cube3" { 2 } else { 20 };
        experiment
            .evaluate_interruptible(&Cpu::new(1), Episodes { stop: &stop, ..Episodes::new(trials, 1) })
            .unwrap();
        let shares = shares.into_inner();
        assert!(
            shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)),
            "{name}: {shares:?}"
        );
        assert!(shares.last().is_some_and(|last| *last >= 0.4), "{name}: {shares:?}");
    }
}

#[test]
fn an_evaluation_can_be_canceled_between_two_slices() {
    for (name, config) in small() {
        let mut experiment = REGISTRY.create(name, &config, 3).unwrap();
        for patience in [0, 3] {
            let asked = Cell::new(0);
            let stop = |_| asked.replace(asked.get() + 1) >= patience;
            let outcome = experiment
                .evaluate_interruptible(&Cpu::new(1), Episodes { stop: &stop, ..Episodes::new(20, 1) })
                .unwrap();
            assert!(outcome.is_none(), "{name} did not stop: it asked {} times", asked.get());
            assert!(asked.get() > patience, "{name} asked {} times", asked.get());
        }
        // An interrupted evaluation leaves no state behind.
        experiment.advance(&Cpu::new(1)).unwrap();
    }
}
