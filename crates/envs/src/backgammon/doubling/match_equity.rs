//! Match equity table: the probability to win a match, for each score.

use super::model::{CubeModel, Owner, Stake};

/// Share of gammons among all wins that the table assumes.
pub const GAMMON_RATE: f64 = 0.28;
/// Cube life x that the table assumes.
pub const TABLE_CUBE_LIFE: f64 = 0.85;

/// Match equity table, computed by a recursion over scores.
///
/// The value of a score is the value of the next game at a winning probability of one half, by Janowski's formula with
/// a centered cube, [`GAMMON_RATE`] and [`TABLE_CUBE_LIFE`]. The Crawford game has no cube. After the Crawford game the
/// trailing player doubles at once and the leader takes. Both constants are fitted: up to 7 points, the largest deviation
/// from the table Kazaross XG2, which was computed by rollouts, is 0.4 % of match winning probability.
#[derive(Clone, Debug)]
pub struct MatchEquityTable {
    length: usize,
    /// Match winning probability of the first player, row by row: `length · (away of the first player − 1) + away of the
    /// second player − 1`. If a player is 1 point away, the next game is the Crawford game.
    equities: Vec<f64>,
    /// Match winning probability of the trailing player after the Crawford game, by the points that this player needs.
    post_crawford: Vec<f64>,
}

impl MatchEquityTable {
    /// Computes the table of matches to `length` points.
    pub fn new(length: usize) -> Self {
        let length = length.max(1);
        let mut table = Self { length, equities: vec![0.5; length * length], post_crawford: vec![1.0, 0.5] };
        let mean = |single: f64, gammon: f64| 0.5 * ((1.0 - GAMMON_RATE) * single + GAMMON_RATE * gammon);
        for away in 2..=length {
            // The cube is 2: a game won is worth 2 points, a gammon 4.
            let value = mean(table.trailing(away as i32 - 2), table.trailing(away as i32 - 4));
            table.post_crawford.push(value);
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
                        CubeModel { stake, win: 0.5, shares: [shares; 2], cube_life: TABLE_CUBE_LIFE };
                    let equity = model.value(1, Owner::Center);
                    table.set([theirs, mine], 1.0 - equity);
                }
            }
        }
        table
    }

    /// Returns the probability that the first player wins the match. `away` holds the points that both players need,
    /// at most the length of the table; a player with 0 or less has won. `post_crawford` states whether the Crawford
    /// game has been played.
    pub fn probability(&self, away: [i32; 2], post_crawford: bool) -> f64 {
        match away {
            [..=0, _] => 1.0,
            [_, ..=0] => 0.0,
            [1, 1] => 0.5,
            [mine, 1] if post_crawford => self.trailing(mine),
            [1, theirs] if post_crawford => 1.0 - self.trailing(theirs),
            [mine, theirs] => self.equities[self.index([mine as usize, theirs as usize])],
        }
    }

    /// Returns the match winning probability of a player who needs `away` points after the Crawford game, while the
    /// opponent needs 1 point.
    fn trailing(&self, away: i32) -> f64 {
        self.post_crawford[away.max(0) as usize]
    }

    fn set(&mut self, [mine, theirs]: [usize; 2], equity: f64) {
        let [at, mirrored] = [self.index([mine, theirs]), self.index([theirs, mine])];
        self.equities[at] = equity;
        self.equities[mirrored] = 1.0 - equity;
    }

    fn index(&self, [mine, theirs]: [usize; 2]) -> usize {
        (mine - 1) * self.length + theirs - 1
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
