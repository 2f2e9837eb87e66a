//! Metrics and counters that front ends show for cube experiments.

use vivarium_lab::readings::{Curves, Reading, Readings, Threshold};

/// Names of the metrics in the small charts of the 2×2×2 cube if training uses no demonstrations.
const ALONE: [&str; 4] = ["success", "loss", "error_mean", "epsilon"];
/// Names of the metrics in the small charts of the 2×2×2 cube if training uses demonstrations.
const DEMONSTRATED: [&str; 4] = ["success", "loss", "lesson_loss", "error_mean"];

/// Returns the metrics, counters and charts that front ends display for the 2×2×2 cube.
pub(crate) fn cube2() -> Readings {
    let episodes = Reading::progress("episodes", "Episodes").with_help("Number of training episodes.");
    Readings {
        small: vec![Curves::when("dqn.demonstrations", 0, &ALONE), Curves::of(&DEMONSTRATED)],
        results: vec!["solved", "success"],
        solved: Some(Threshold { metric: "solved", from: 0.999 }),
        ..readings(episodes)
    }
}

/// Returns the metrics, counters and charts that front ends display for the 3×3×3 cube.
pub(crate) fn cube3() -> Readings {
    let scrambles = Reading::progress("episodes", "Scrambles")
        .with_help("Number of scrambles that the network was trained on.");
    Readings {
        small: vec![Curves::of(&["accuracy", "loss", "learning_rate"])],
        results: vec!["solved_256", "accuracy"],
        ..readings(scrambles)
    }
}

/// Returns the metrics, counters and charts that both cube experiments have in common. `episodes` is the displayed
/// counter of training episodes.
fn readings(episodes: Reading) -> Readings {
    let steps = Reading::progress("steps", "Samples");
    let updates = Reading::progress("updates", "Updates").with_help("Number of gradient steps.");
    let speed = Reading::progress("speed", "Samples/s");
    Readings {
        unit: "samples",
        figures: vec![vec![steps, updates, episodes.or_none(), speed]],
        ..Readings::default()
    }
}
