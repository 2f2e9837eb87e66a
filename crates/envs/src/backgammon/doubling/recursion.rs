//! Recursion over scores that computes the match equity table.

use super::match_equity::MatchEquityTable;
use super::model::{DoublingModel, Owner, Stake};

/// Share of gammons among all wins that the table assumes.
pub const GAMMON_RATE: f64 = 0.28;
/// Cube life x that the table assumes.
pub const TABLE_CUBE_LIFE: f64 = 0.85;

impl MatchEquityTable {
    /// Computes the table of matches to `length` points.
    pub fn new(length: usize) -> Self {
        let length = length.max(1);
        let mut table = Self::even(length);
        let mean = |single: f64, gammon: f64| 0.5 * ((1.0 - GAMMON_RATE) * single + GAMMON_RATE * gammon);
        for away in 2..=length {
            // The doubling cube is 2: a game won is worth 2 points, a gammon 4.
            let value = mean(table.trailing(away as i32 - 2), table.trailing(away as i32 - 4));
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

    #[test]
    fn the_table_is_close_to_rollouts() {
        let table = MatchEquityTable::new(7);
        for (away, percent) in KAZAROSS {
            let computed = 100.0 * table.probability(away, false);
            assert!((computed - percent).abs() < 0.4, "{away:?}: {computed}, {percent}");
        }
        for (away, percent) in [(2, 48.803), (3, 32.264), (4, 31.002), (5, 19.012), (7, 11.559)] {
            let computed = 100.0 * table.probability([away, 1], true);
            assert!(
                (computed - percent).abs() < 1.3,
                "{away} after the Crawford game: {computed}, {percent}"
            );
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
