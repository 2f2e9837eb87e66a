//! Table of the best plays of a roll.

use super::adviser::{Advice, NUM_HINTS};
use std::fmt::Write;
use vivarium_envs::backgammon::Position;

/// Formats the best plays as a table: equity, loss, and the probabilities of both players in percent.
pub fn plays_table(position: &Position, advice: &[Advice]) -> String {
    let best = advice.first().map_or(0.0, |advice| advice.equity);
    let mut table = format!(
        "{:<28} {:>7} {:>7}   {:>17}   {:>17}",
        "play", "equity", "loses", "win  gammon   bg", "loss  gammon   bg"
    );
    for advice in advice.iter().take(NUM_HINTS) {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
            advice.probabilities.map(|probability| 100.0 * probability);
        let loses = match best - advice.equity {
            lost if lost > 0.0 => format!("{lost:.3}"),
            _ => "–".to_owned(),
        };
        let _ = write!(
            table,
            "\n{:<28} {:>+7.3} {loses:>7}   {win:>5.1} {gammon:>6.1} {backgammon:>4.1}   {:>5.1} {lost_gammon:>6.1} \
             {lost_backgammon:>4.1}",
            advice.play.notation(position),
            advice.equity,
            100.0 - win,
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{Plays, Roll};

    #[test]
    fn the_best_play_loses_nothing() {
        let mut plays = Plays::new();
        plays.generate(&Position::START, Roll::new(6, 4).unwrap());
        let probabilities = [0.5, 0.1, 0.01, 0.1, 0.01];
        let equities = [0.02, 0.006];
        let advice =
            plays.iter().zip(equities).map(|(play, equity)| Advice { play: *play, probabilities, equity });
        let table = plays_table(&Position::START, &advice.collect::<Vec<_>>());
        let rows: Vec<_> = table.lines().skip(1).collect();
        assert!(rows[0].contains("+0.020       –"), "{table}");
        assert!(rows[1].contains("+0.006   0.014"), "{table}");
    }
}
