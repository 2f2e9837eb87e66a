//! Table of the best plays of a roll, and the meaning of its equities.

use super::Advice;
use std::fmt::Write;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{Match, Play, Position};
use vivarium_lab::text::{fixed, signed};

/// Returns the meaning of equities at a score, as sentences without a full stop. `None` is a money game without a doubling cube.
/// `method`: how the doubles are computed.
pub fn equity_unit(state: Option<&Match>, method: &str) -> String {
    match state {
        None => "Equity in points of cubeless money play".into(),
        Some(Match { length: 0, .. }) => {
            format!("Equity in points per value of the doubling cube, {method}")
        }
        Some(_) => format!(
            "Equity at the score: +1 and −1 are a single game won and lost with the present doubling cube (EMG); MWC is the match \
             winning probability in percent. Both include gammons and doubles, {method}"
        ),
    }
}

/// Method of equities from the cubeless probabilities of a search or a network.
pub const BY_FORMULA: &str = "by Janowski's formula from the cubeless probabilities";

/// Meaning of the columns of [`plays_table`].
pub const COLUMNS_NOTE: &str = "Equity and cubeless probabilities (%) of the player on roll, after the play. Win and loss include gammons, and \
                                gammon includes backgammon (bg).";

/// Formats the best plays, at most `most`, as a table: equity, match winning probability in a match, loss, and the probabilities of
/// both players in percent. Marks plays without the search of other plays, and the `played` one.
pub fn plays_table(
    position: &Position,
    advice: &[Advice],
    most: u32,
    context: EquityContext<'_>,
    played: Option<&Play>,
) -> String {
    plays_table_with(position, advice, context, |at, advice| {
        let is_played = played.is_some_and(|play| play.after == advice.play.after);
        (at < most as usize).then(|| if is_played { " (played)".to_owned() } else { String::new() })
    })
}

/// Formats a table as [`plays_table`]. `mark` returns the text after the notation of the play with an index in `advice`; `None` omits
/// the play.
pub fn plays_table_with(
    position: &Position,
    advice: &[Advice],
    context: EquityContext<'_>,
    mark: impl Fn(usize, &Advice) -> Option<String>,
) -> String {
    let is_mixed = advice.iter().any(|advice| advice.searched);
    let best = advice.first().map_or(0.0, |advice| advice.equity);
    // Match winning probability in percent, in a column of its own.
    let mwc = |equity: f64| {
        let probability = context.match_winning_probability(equity);
        probability.map_or(String::new(), |probability| format!(" {:>6}", fixed(100.0 * probability, 2)))
    };
    let mwc_title = if mwc(0.0).is_empty() { String::new() } else { format!(" {:>6}", "MWC") };
    let listed = advice.iter().enumerate().filter_map(|(at, advice)| {
        let mark = mark(at, advice)?;
        Some((advice, advice.play.notation(position) + &mark))
    });
    let listed: Vec<_> = listed.collect();
    let width = listed.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0).max(28);
    let mut table = format!(
        "{:<width$} {:>7} {mwc_title}{:>7}   {:>17}   {:>17}",
        "play", "equity", "loses", "win  gammon   bg", "loss  gammon   bg"
    );
    let mut has_mark = false;
    for (advice, name) in listed {
        let percent = |probability: f32| fixed(100.0 * f64::from(probability), 1);
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = advice.probabilities.map(percent);
        let is_comparable = advice.searched || !is_mixed;
        let loses = match best - advice.equity {
            _ if !is_comparable => String::new(),
            lost if lost > 0.0 => format!("{lost:.3}"),
            _ => "–".to_owned(),
        };
        let mark = if is_comparable { " " } else { "*" };
        has_mark |= !is_comparable;
        let _ = write!(
            table,
            "\n{name:<width$} {:>7}{mark}{}{loses:>7}   {win:>5} {gammon:>6} {backgammon:>4}   {:>5} {lost_gammon:>6} \
             {lost_backgammon:>4}",
            signed(advice.equity, 3),
            mwc(advice.equity),
            percent(1.0 - advice.probabilities[0]),
        );
    }
    if has_mark {
        table += "\n* equity and probabilities without a search, not comparable with the plays above; hence no loss";
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::doubling::MatchEquityTable;
    use vivarium_envs::backgammon::{Plays, Roll};

    #[test]
    fn the_best_play_loses_nothing() {
        let mut plays = Plays::new();
        plays.generate(&Position::START, Roll::new(6, 4).unwrap());
        let probabilities = [0.5, 0.1, 0.01, 0.1, 0.01];
        let equities = [0.02, 0.006];
        let advice = |(play, equity): (&_, _)| Advice { play: *play, probabilities, equity, searched: true };
        let mut advice: Vec<_> = plays.iter().zip(equities).map(advice).collect();
        let cubeless = EquityContext::CUBELESS_MONEY;
        let table = plays_table(&Position::START, &advice, 5, cubeless, None);
        let rows: Vec<_> = table.lines().skip(1).collect();
        assert!(rows[0].contains("+0.020       –"), "{table}");
        assert!(rows[1].contains("+0.006   0.014"), "{table}");
        assert_eq!(plays_table(&Position::START, &advice, 1, cubeless, None).lines().count(), 2);

        advice[1].searched = false;
        let mixed = plays_table(&Position::START, &advice, 5, cubeless, None);
        assert!(mixed.contains("+0.006*           50.0") && mixed.contains("\n* equity"), "{mixed}");
        advice[0].searched = false;
        assert!(!plays_table(&Position::START, &advice, 5, cubeless, None).contains('*'));

        // In the last game of a match, the match winning probability is that of the game.
        let state = Match { length: 5, score: [4, 4], ..Match::MONEY };
        let context = EquityContext::new(&state, MatchEquityTable::computed()).unwrap();
        let table = plays_table(&Position::START, &advice, 5, context, Some(&advice[1].play));
        let rows: Vec<_> = table.lines().collect();
        assert!(rows[0].contains(" MWC ") && rows[1].contains("+0.020   51.00      –"), "{table}");
        assert!(rows[2].contains(" (played)") && !rows[1].contains("(played)"), "{table}");
        assert_eq!(rows[0].find("loses").map(|at| at + 5), rows[2].find("0.014").map(|at| at + 5), "{table}");
    }
}
