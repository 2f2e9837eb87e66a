//! What front ends show of the training of a learner of a board game.

use vivarium_lab::readings::{Curves, Reading, Readings};

/// Of backgammon or of Connect Four.
pub(crate) fn readings(is_backgammon: bool) -> Readings {
    let hardest = if is_backgammon { "wins_pubeval" } else { "wins_minimax_6" };
    let promoted = "How often a newer network has beaten the best one and taken its place";
    Readings {
        unit: "moves",
        headline: Some(Reading::exhibit("games_per_minute", "Games against itself a minute")),
        figures: vec![vec![
            Reading::progress("steps", "Moves"),
            Reading::progress("episodes", "Games"),
            Reading::exhibit("promotions", "Promoted").with_help(promoted),
            Reading::progress("speed", "Moves/s"),
        ]],
        large: Vec::new(),
        small: vec![Curves::of(&["policy_loss", "value_loss", "match_points", "game_length"])],
        results: vec![hardest, "wins_random", "value_loss"],
        solved: None,
    }
}
