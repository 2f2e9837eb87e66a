//! All learners with GPU support, each with a small config for fast tests.

use crate::on::on;
use serde_json::{Value, json};
use vivarium_exhibits::REGISTRY;
use vivarium_gpu::Gpu;
use vivarium_lab::exhibit::AnyExhibit;

/// Learner with GPU support under test: experiment name, small config and expected properties.
pub struct Learner {
    /// Name of the experiment.
    pub experiment: &'static str,
    config: fn() -> Value,
    /// Number of metric rows after which the run creates no more GPU buffers and kernels.
    pub warm: usize,
    /// Whether a restored run is bitwise equal to the original run. `false` for board games, whose checkpoints omit the
    /// self-play games.
    pub is_saved_whole: bool,
}

/// Learners with GPU support, at least one of each family of experiments. After [`Learner::warm`] metric rows, the runs
/// of these learners create no more GPU buffers, as memory tests require.
pub const LEARNERS: [Learner; 6] = [
    Learner {
        experiment: "cartpole",
        config: || json!({"ppo": {"num_envs": 4, "horizon": 4, "minibatch": 8, "epochs": 2, "hidden": [4]}}),
        warm: 1,
        is_saved_whole: true,
    },
    Learner {
        experiment: "logic-ca",
        config: || {
            json!({
                "task": {"width": 6, "height": 5, "steps": 2, "batch": 1},
                "learning": {"epochs": 50_000},
                "circuit": {"channels": 3, "kernels": 3, "update": [16, 10, 6, 3]},
            })
        },
        warm: 1,
        is_saved_whole: true,
    },
    Learner {
        experiment: "language",
        config: || {
            json!({
                "learner": {
                    "vocabulary": 0, "context": 16, "layers": 1, "heads": 2, "width": 16, "batch": 4,
                    "anneal_updates": 20_000,
                },
                "encyclopedia": {"bytes": 60_000},
                "evaluation": {"every": 0},
            })
        },
        // The CPU learner is updated after this number of gradient steps.
        warm: 20,
        is_saved_whole: true,
    },
    Learner { experiment: "connect-four", config: game, warm: 1, is_saved_whole: false },
    Learner {
        experiment: "cube2",
        config: || {
            json!({
                "cube": {"features": "stickers"},
                "dqn": {
                    "hidden": [16], "num_envs": 8, "replay_capacity": 500, "warm_up": 64, "minibatch": 32, "iteration": 4,
                    "demonstrations": 0,
                }
            })
        },
        warm: 1,
        is_saved_whole: true,
    },
    Learner {
        experiment: "cube3",
        config: || {
            json!({
                "learner": {"width": 16, "blocks": 1, "depth": 5, "scrambles": 6, "iteration": 4},
                "tests": {"every": 0},
            })
        },
        warm: 1,
        is_saved_whole: true,
    },
];

/// Backgammon learner. The size of its batches is the number of legal moves, so any generation can exceed all earlier
/// batch sizes and allocate larger buffers. Therefore [`LEARNERS`] does not contain this learner.
pub const BACKGAMMON: Learner =
    Learner { experiment: "backgammon", config: game, warm: 1, is_saved_whole: false };

fn game() -> Value {
    json!({
        "network": {"width": 16, "blocks": 1},
        "search": {"simulations": 3, "search_share": 0.2, "games_before_search": 0},
        "self_play": {"workers": 2, "games": 32, "generation": 256},
        "learning": { "replay_capacity": 512, "minibatch": 32, "replay_ratio": 4},
        "promotion": {"match_every": 0},
        "ladder": {"every": 0},
    })
}

#[test]
fn every_family_has_a_learner() {
    for family in REGISTRY.families {
        let names = family.names();
        assert!(LEARNERS.iter().any(|learner| names.contains(&learner.experiment)), "{}", family.kind());
    }
}

impl Learner {
    /// Creates an experiment with this learner on the CPU.
    pub fn make(&self) -> Box<dyn AnyExhibit> {
        let mut experiment = REGISTRY.create(self.experiment, &(self.config)(), 7).unwrap();
        if self.experiment == "cube2" {
            experiment.any_command(json!({"kind": "set_evaluation", "on": false})).unwrap();
        }
        experiment
    }

    /// Creates an experiment with this learner on the GPU `gpu`.
    pub fn make_on(&self, gpu: &Gpu) -> Box<dyn AnyExhibit> {
        on(gpu, self.make())
    }
}
