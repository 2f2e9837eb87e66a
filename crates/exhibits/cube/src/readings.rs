//! Metrics and counters that front ends show for cube experiments.

use vivarium_lab::readings::{Curves, Reading, Readings, Threshold};

/// Names of the metrics in the small charts of the 2×2×2 cube if training uses no demonstrations.
const ALONE: [&str; 4] = ["success", "loss", "error_mean", "epsilon"];
/// Names of the metrics in the small charts of the 2×2×2 cube if training uses demonstrations.
const DEMONSTRATED: [&str; 4] = ["success", "loss", "lesson_loss", "error_mean"];

/// Returns the metrics and counters of the 2×2×2 cube.
pub(crate) fn cube2() -> Readings {
    let episodes = Reading::progress("episodes", "Episodes").with_help("Episodes of training");
    Readings {
        small: vec![Curves::when("dqn.demonstrations", 0, &ALONE), Curves::of(&DEMONSTRATED)],
        results: vec!["solved", "success"],
        solved: Some(Threshold { metric: "solved", from: 0.999 }),
        ..readings(episodes)
    }
}

/// Returns the metrics and counters of the 3×3×3 cube.
pub(crate) fn cube3() -> Readings {
    let scrambles = Reading::progress("episodes", "Scrambles").with_help("Scrambles trained on");
    Readings {
        small: vec![Curves::of(&["accuracy", "loss", "learning_rate"])],
        results: vec!["solved_256", "accuracy"],
        ..readings(scrambles)
    }
}

/// Returns the metrics and counters that both cube experiments share. `episodes` is the displayed counter of episodes.
fn readings(episodes: Reading) -> Readings {
    let steps = Reading::progress("steps", "Samples");
    let updates = Reading::progress("updates", "Updates").with_help("Optimizer steps");
    let speed = Reading::progress("speed", "Samples/s");
    Readings {
        unit: "samples",
        figures: vec![vec![steps, updates, episodes.or_none(), speed]],
        ..Readings::default()
    }
}
