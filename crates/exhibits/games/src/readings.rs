//! Metrics and curves that front ends show for a board game.

use vivarium_lab::readings::{Curves, Reading, Readings};

/// Returns the metrics and curves that front ends show for a board game. `hardest` is the name of the metric with the
/// share of games won against the strongest reference player.
pub(crate) fn readings(hardest: &'static str) -> Readings {
    let rate = "Number of self-play games that end per minute, averaged over 12 seconds.";
    let promoted = "Number of times that a newer network has replaced the best one.";
    Readings {
        unit: "moves",
        headline: Some(Reading::exhibit("games_per_minute", "Self-play games per minute").with_help(rate)),
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
