//! What front ends show of the training of a logic automaton.

use vivarium_lab::readings::{Curves, Reading, Readings, Threshold};

pub(crate) fn readings() -> Readings {
    Readings {
        unit: "epochs",
        headline: Some(Reading::metric("hard_accuracy", "Cells that the hard circuit gets right")),
        figures: vec![vec![
            Reading::progress("steps", "Epochs"),
            Reading::progress("speed", "Epochs/s"),
            Reading::metric("gates_kept", "Gates in use"),
        ]],
        large: vec!["soft_loss", "hard_loss"],
        small: vec![Curves::of(&["hard_accuracy", "decidedness"])],
        results: vec!["hard_accuracy"],
        // A perfect epoch may be luck.
        solved: Some(Threshold { metric: "settled", from: 1.0 }),
    }
}
