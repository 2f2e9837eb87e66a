//! Metrics and counters that front ends show for logic automata.

use vivarium_lab::readings::{Curves, Reading, Readings, Threshold};

pub(crate) fn readings() -> Readings {
    Readings {
        unit: "epochs",
        headline: Some(Reading::metric("hard_accuracy", "Accuracy of the hard circuit")),
        figures: vec![vec![
            Reading::progress("steps", "Epochs"),
            Reading::progress("speed", "Epochs/s"),
            Reading::metric("gates_kept", "Simplified gates"),
        ]],
        large: vec!["soft_loss", "hard_loss"],
        small: vec![Curves::of(&["hard_accuracy", "decidedness"])],
        results: vec!["hard_accuracy"],
        // A single epoch without wrong bits may be chance; `settled` requires many consecutive ones.
        solved: Some(Threshold { metric: "settled", from: 1.0 }),
    }
}
