//! Metrics and curves that front ends show for a board game.

use vivarium_lab::readings::{Curves, Reading, Readings};

/// Returns the metrics and curves that are shown for a board game. `hardest`: name of the metric of the share of wins
/// against the strongest reference player.
pub(crate) fn readings(hardest: &'static str) -> Readings {
    let promoted = "Number of times that a newer network has replaced the best one";
    Readings {
        unit: "moves",
        headline: Some(Reading::exhibit("games_per_minute", "Self-play games per minute")),
        figures: vec![vec![
            Reading::progress("steps", "Moves"),
            Reading::progress("episodes", "Games"),
            Reading::exhibit("promotions", "Promotions").with_help(promoted),
            Reading::progress("speed", "Moves/s"),
        ]],
        large: Vec::new(),
        small: vec![Curves::of(&["policy_loss", "value_loss", "match_points", "game_length"])],
        results: vec![hardest, "wins_random", "value_loss"],
        solved: None,
    }
}
