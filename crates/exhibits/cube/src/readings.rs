//! What front ends show of the training of a network that solves cubes.

use vivarium_lab::readings::{Curves, Reading, Readings, Threshold};

/// Metrics of the small charts of 2×2×2 where nothing is learned from demonstrations, and where something is.
const ALONE: [&str; 4] = ["success", "loss", "error_mean", "epsilon"];
const DEMONSTRATED: [&str; 4] = ["success", "loss", "lesson_loss", "error_mean"];

/// Of the cube of 2×2×2.
pub(crate) fn cube2() -> Readings {
    let tries =
        Reading::progress("episodes", "Tries").with_help("Cubes that it tried to solve while learning");
    Readings {
        small: vec![Curves::when("dqn.demonstrations", 0, &ALONE), Curves::of(&DEMONSTRATED)],
        results: vec!["solved", "success"],
        solved: Some(Threshold { metric: "solved", from: 0.999 }),
        ..readings(tries)
    }
}

/// Of the cube of 3×3×3.
pub(crate) fn cube3() -> Readings {
    let scrambles = Reading::progress("episodes", "Scrambles").with_help("Scrambles that it learned from");
    Readings {
        small: vec![Curves::of(&["accuracy", "loss", "learning_rate"])],
        results: vec!["solved_256", "accuracy"],
        ..readings(scrambles)
    }
}

/// What both have in common, with the name of an episode.
fn readings(episodes: Reading) -> Readings {
    let steps = Reading::progress("steps", "Samples");
    let updates = Reading::progress("updates", "Updates").with_help("Steps of the optimizer");
    let speed = Reading::progress("speed", "Samples/s");
    Readings {
        unit: "samples",
        figures: vec![vec![steps, updates, episodes.or_none(), speed]],
        ..Readings::default()
    }
}
