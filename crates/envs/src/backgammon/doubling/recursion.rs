//! Recursion over scores that computes the match equity table.

use super::match_equity::{MAX_MATCH_LENGTH, MatchEquityTable};
use super::model::{DoublingModel, Owner, Stake};
use std::sync::LazyLock;

/// Share of gammons among all wins that the table assumes.
pub const GAMMON_RATE: f64 = 0.29;
/// Mean difference between the winning probability of the trailing player and one half at the first double after the Crawford
/// game. It is the value of the free drop: 2 points away, the trailing player wins the match with probability ½ − ½ · 0.024.
/// For comparison: 0.026 by the network of the program at 1 ply, over all opening rolls, and replies if the trailing player begins.
pub const OPENING_DEVIATION: f64 = 0.024;
/// Cube life x that the table assumes.
pub const TABLE_CUBE_LIFE: f64 = 0.8;

impl MatchEquityTable {
    /// Returns the computed table of all matches to at most [`MAX_MATCH_LENGTH`] points.
    pub fn computed() -> &'static Self {
        static TABLE: LazyLock<MatchEquityTable> =
            LazyLock::new(|| MatchEquityTable::new(MAX_MATCH_LENGTH.into()));
        &TABLE
    }

    /// Computes the table of matches to `length` points.
    pub fn new(length: usize) -> Self {
        let length = length.max(1);
        let mut table = Self::even(length);
        let mean = |single: f64, gammon: f64| 0.5 * ((1.0 - GAMMON_RATE) * single + GAMMON_RATE * gammon);
        for away in 2..=length {
            let value = after_crawford(&table, away as i32);
            table.push_post_crawford(value);
            let trailing = mean(table.trailing(away as i32 - 1), table.trailing(away as i32 - 2));
            table.set([away, 1], trailing);
        }
        // Scores with fewer points to play come first.
        for sum in 5..=2 * length {
            for mine in 2..=length.min((sum - 1) / 2) {
                let theirs = sum - mine;
                if theirs <= length {
                    let stake = Stake::Match {
                        away: [mine as i32, theirs as i32],
                        post_crawford: false,
                        table: &table,
                    };
                    let shares = [1.0 - GAMMON_RATE, GAMMON_RATE, 0.0];
                    let model =
                        DoublingModel { stake, win: 0.5, shares: [shares; 2], cube_life: TABLE_CUBE_LIFE };
                    let equity = model.value(1, Owner::Center);
                    table.set([theirs, mine], 1.0 - equity);
                }
            }
        }
        table
    }
}

/// Returns the probability that a player who needs `away` points after the Crawford game wins the match. The player doubles at
/// the first turn, when the winning probability of the game is [`OPENING_DEVIATION`] above or below one half, equally
/// often. The leader takes or passes, whichever is better: a pass that costs the leader no further game is a *free drop*.
fn after_crawford(table: &MatchEquityTable, away: i32) -> f64 {
    let pass = table.trailing(away - 1);
    // The doubling cube is 2: a game won is worth 2 points, a gammon 4. Each game lost loses the match.
    let won = (1.0 - GAMMON_RATE) * table.trailing(away - 2) + GAMMON_RATE * table.trailing(away - 4);
    let answered = |win: f64| (win * won).min(pass);
    0.5 * (answered(0.5 - OPENING_DEVIATION) + answered(0.5 + OPENING_DEVIATION))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of the table Kazaross XG2 in percent, as GNU Backgammon 1.07 prints them (`show met`): points that the
    /// first and the second player need, and the match winning probability of the first player.
    const KAZAROSS: [([i32; 2], f64); 12] = [
        ([1, 2], 67.736),
        ([1, 3], 75.076),
        ([1, 4], 81.436),
        ([1, 7], 90.724),
        ([2, 3], 59.947),
        ([2, 4], 66.870),
        ([2, 7], 84.225),
        ([3, 4], 57.150),
        ([3, 5], 64.795),
        ([4, 7], 69.924),
        ([5, 6], 56.635),
        ([6, 7], 56.261),
    ];

    /// The row after the Crawford game of the same table.
    const KAZAROSS_POST_CRAWFORD: [(i32, f64); 8] = [
        (1, 50.0),
        (2, 48.803),
        (3, 32.264),
        (4, 31.002),
        (5, 19.012),
        (6, 18.072),
        (7, 11.559),
        (8, 10.906),
    ];

    #[test]
    fn the_table_is_close_to_rollouts() {
        let table = MatchEquityTable::new(9);
        for (away, percent) in KAZAROSS {
            let computed = 100.0 * table.probability(away, false);
            assert!((computed - percent).abs() < 0.4, "{away:?}: {computed}, {percent}");
        }
        for (away, percent) in KAZAROSS_POST_CRAWFORD {
            let computed = 100.0 * table.probability([away, 1], true);
            assert!(
                (computed - percent).abs() < 0.35,
                "{away} after the Crawford game: {computed}, {percent}"
            );
        }
    }

    #[test]
    fn the_free_drop_of_the_leader_lowers_the_value_of_an_even_score() {
        let table = MatchEquityTable::new(25);
        let trailing = |away| table.probability([away, 1], true);
        assert!((100.0 * trailing(2) - 48.803).abs() < 0.1, "{}", trailing(2));
        for away in (2..=24).step_by(2) {
            // The next point wins no game, but a pass of the leader costs the leader no game either.
            assert!(trailing(away) < trailing(away - 1), "{away}");
            let won = (1.0 - GAMMON_RATE) * trailing(away - 2) + GAMMON_RATE * trailing(away - 4);
            assert!(trailing(away) < 0.5 * won, "{away}: without the pass, {won}");
        }
    }

    #[test]
    fn the_table_is_symmetric_and_monotonic() {
        let table = MatchEquityTable::new(25);
        for mine in 1..=25 {
            for theirs in 1..=25 {
                let here = table.probability([mine, theirs], false);
                assert!((here + table.probability([theirs, mine], false) - 1.0).abs() < 1e-12);
                // A point less to win is better, up to the plateau of the leader before the Crawford game.
                let closer = table.probability([mine - 1, theirs], false);
                assert!(closer >= here, "{mine} {theirs}: {here}, {closer}");
            }
        }
    }
}
