//! Match equity table: the probability to win a match, for each score.

/// Maximum match length for which doubling decisions are computed, in points.
pub const MAX_MATCH_LENGTH: u16 = 64;

/// Largest contradiction between two entries of a loaded table that counts as rounding.
const TOLERANCE: f64 = 0.005;

/// Match equity table, computed by a recursion over scores, or [loaded](Self::from_rows).
///
/// In a computed table, the value of a score is the value of the next game at a winning probability of one half, by Janowski's
/// formula with a centered doubling cube, [`GAMMON_RATE`](super::GAMMON_RATE) and [`TABLE_CUBE_LIFE`](super::TABLE_CUBE_LIFE). The
/// Crawford game has no doubling cube. After the Crawford game the trailing player doubles at the first turn, and the
/// leader passes if this is better: the free drop, whose value is [`OPENING_DEVIATION`](super::OPENING_DEVIATION). The three
/// constants are fitted to the table Kazaross XG2, which was computed by rollouts. The largest deviation from it in match
/// winning probability is 0.35 % up to 9 points, 0.51 % up to 25 points, and 0.31 % after the Crawford game.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchEquityTable {
    length: usize,
    /// Match winning probability of the first player, row by row: `length · (away of the first player − 1) + away of the
    /// second player − 1`. If a player is 1 point away, the next game is the Crawford game.
    equities: Vec<f64>,
    /// Match winning probability of the trailing player after the Crawford game, by the points that this player needs.
    post_crawford: Vec<f64>,
}

/// Error of the entries of a loaded table. Scores are the points that the first and the second player need.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MatchEquityError {
    /// There are no entries, or too many.
    #[error("the table has {rows} rows; 1 to {MAX_MATCH_LENGTH} are allowed")]
    Rows {
        /// Number of rows.
        rows: usize,
    },
    /// A row has another number of entries than the table has rows.
    #[error(
        "row {row} of the table has {got} entries; the table has {expected} rows and needs as many columns"
    )]
    Row {
        /// Number of the row, from 1.
        row: usize,
        /// Number of its entries.
        got: usize,
        /// Number of rows.
        expected: usize,
    },
    /// There are too few entries after the Crawford game.
    #[error("the row after the Crawford game has {got} entries; at least {expected} are needed")]
    PostCrawford {
        /// Number of the entries.
        got: usize,
        /// Required number of entries, one less than rows.
        expected: usize,
    },
    /// An entry is not a probability.
    #[error("the entry {mine}, {theirs} of the table is {value}; probabilities from 0 to 1 are allowed")]
    Probability {
        /// Points that the first player needs.
        mine: usize,
        /// Points that the second player needs.
        theirs: usize,
        /// The entry.
        value: f64,
    },
    /// The probabilities of both players do not sum to 1.
    #[error(
        "the entries {mine}, {theirs} and {theirs}, {mine} of the table sum to {sum:.4}; the probabilities of both players sum to 1, \
         and tables for players of different strength are not supported"
    )]
    Asymmetric {
        /// Points that the first player needs.
        mine: usize,
        /// Points that the second player needs.
        theirs: usize,
        /// Sum of both entries.
        sum: f64,
    },
    /// A player who needs more points has a higher probability.
    #[error(
        "the entry {mine}, {theirs} of the table is higher than that of {} points to go; a row is a number of points that the first \
         player needs, a column a number of points that the second player needs",
        mine - 1
    )]
    Order {
        /// Points that the first player needs.
        mine: usize,
        /// Points that the second player needs.
        theirs: usize,
    },
}

impl MatchEquityTable {
    /// Creates a table from the probabilities of the first player: `rows[i][j]` if the first player needs `i + 1` points and
    /// the second player `j + 1`. The next game is the Crawford game if a player needs 1 point. `post_crawford[i]` is the
    /// probability of a player who needs `i + 1` points after the Crawford game, while the opponent needs 1 point; missing
    /// probabilities are computed.
    ///
    /// # Errors
    /// [`MatchEquityError`] if the table is not square, an entry is not a probability, the probabilities of both players do
    /// not sum to 1, or a player who needs more points has a higher probability.
    pub fn from_rows(rows: &[Vec<f64>], post_crawford: Option<&[f64]>) -> Result<Self, MatchEquityError> {
        let length = rows.len();
        if !(1..=usize::from(MAX_MATCH_LENGTH)).contains(&length) {
            return Err(MatchEquityError::Rows { rows: length });
        }
        // The last entry is missing in some files: after the Crawford game, a player needs fewer points than at the beginning.
        let expected = length - 1;
        if let Some(got) = post_crawford.map(<[f64]>::len).filter(|&got| got < expected) {
            return Err(MatchEquityError::PostCrawford { got, expected });
        }
        let mut table = Self::new(length);
        for (entry, &given) in table.post_crawford[1..].iter_mut().zip(post_crawford.unwrap_or(&[])) {
            *entry = given;
        }
        for (mine, row) in (1..).zip(rows) {
            if row.len() != length {
                return Err(MatchEquityError::Row { row: mine, got: row.len(), expected: length });
            }
            for (theirs, &value) in (1..).zip(row) {
                if !(0.0..=1.0).contains(&value) {
                    return Err(MatchEquityError::Probability { mine, theirs, value });
                }
                let index = table.index([mine, theirs]);
                table.equities[index] = value;
            }
        }
        table.check()?;
        for mine in 1..=length {
            for theirs in 1..=mine {
                // The mean of both entries, which differ by rounding.
                let [here, mirrored] = [[mine, theirs], [theirs, mine]].map(|at| rows[at[0] - 1][at[1] - 1]);
                table.set([mine, theirs], 0.5 * (here + 1.0 - mirrored));
            }
        }
        Ok(table)
    }

    /// Checks that the entries agree with each other.
    fn check(&self) -> Result<(), MatchEquityError> {
        for mine in 1..=self.length {
            for theirs in 1..=self.length {
                let [here, mirrored, closer] = [[mine, theirs], [theirs, mine], [(mine - 1).max(1), theirs]]
                    .map(|at| self.equities[self.index(at)]);
                if (here + mirrored - 1.0).abs() > TOLERANCE {
                    return Err(MatchEquityError::Asymmetric { mine, theirs, sum: here + mirrored });
                }
                if here > closer + TOLERANCE {
                    return Err(MatchEquityError::Order { mine, theirs });
                }
            }
            let [here, closer] = [mine, mine - 1].map(|away| self.post_crawford[away]);
            if !(0.0..=1.0).contains(&here) {
                return Err(MatchEquityError::Probability { mine, theirs: 1, value: here });
            }
            if here > closer + TOLERANCE {
                return Err(MatchEquityError::Order { mine, theirs: 1 });
            }
        }
        Ok(())
    }

    /// Returns the largest number of points that the table has for a player.
    pub fn length(&self) -> u16 {
        self.length as u16
    }

    /// Creates a table in which all scores are even and no score after the Crawford game is known, except one point away.
    pub(super) fn even(length: usize) -> Self {
        Self { length, equities: vec![0.5; length * length], post_crawford: vec![1.0, 0.5] }
    }

    /// Appends the match winning probability of a player who needs one more point after the Crawford game than all known.
    pub(super) fn push_post_crawford(&mut self, probability: f64) {
        self.post_crawford.push(probability);
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
    pub(super) fn trailing(&self, away: i32) -> f64 {
        self.post_crawford[away.max(0) as usize]
    }

    /// Sets the probability of a score and of its mirror image.
    pub(super) fn set(&mut self, [mine, theirs]: [usize; 2], equity: f64) {
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
    use proptest::prelude::*;

    fn rows(table: &MatchEquityTable) -> Vec<Vec<f64>> {
        let length = i32::from(table.length());
        (1..=length)
            .map(|mine| (1..=length).map(|theirs| table.probability([mine, theirs], false)).collect())
            .collect()
    }

    fn post_crawford(table: &MatchEquityTable) -> Vec<f64> {
        (1..=i32::from(table.length())).map(|mine| table.probability([mine, 1], true)).collect()
    }

    proptest! {
        #[test]
        fn a_loaded_table_is_antisymmetric_and_monotonic(length in 1usize..20, rounding in prop_oneof![Just(100.0), Just(1000.0), Just(1e5)], change in 0.0..0.004) {
            let round = |value: f64| (value * rounding).round() / rounding;
            let computed = MatchEquityTable::new(length);
            let mut entries: Vec<Vec<f64>> =
                rows(&computed).into_iter().map(|row| row.into_iter().map(round).collect()).collect();
            // Both entries of a score may be rounded differently.
            entries[0][length - 1] = f64::min(entries[0][length - 1] + change, 1.0);
            if length == 1 {
                entries[0][0] = 0.5;
            }
            let post: Vec<_> = post_crawford(&computed).into_iter().map(round).collect();
            let table = MatchEquityTable::from_rows(&entries, Some(&post)).unwrap();
            prop_assert_eq!(post_crawford(&table), post);
            for (mine, row) in (1..).zip(&entries) {
                for (theirs, entry) in (1..).zip(row) {
                    let here = table.probability([mine, theirs], false);
                    prop_assert!((here - entry).abs() <= 0.5 * (change + 1.0 / rounding) + 1e-12);
                    prop_assert!((here + table.probability([theirs, mine], false) - 1.0).abs() < 1e-12);
                    prop_assert!(here <= table.probability([mine - 1, theirs], false) + TOLERANCE);
                }
            }
        }
    }

    #[test]
    fn wrong_tables_are_refused() {
        let table = MatchEquityTable::new(4);
        let (rows, post) = (rows(&table), post_crawford(&table));
        let refused = |change: &dyn Fn(&mut Vec<Vec<f64>>)| {
            let mut changed = rows.clone();
            change(&mut changed);
            MatchEquityTable::from_rows(&changed, Some(&post)).unwrap_err()
        };
        // Without the row after the Crawford game, the computed one is used.
        let loaded = MatchEquityTable::from_rows(&rows, Some(&post));
        assert!(loaded.is_ok() && loaded == MatchEquityTable::from_rows(&rows, None), "{loaded:?}");
        assert_eq!(MatchEquityTable::from_rows(&rows, Some(&post[..3])), loaded);
        assert_eq!(refused(&|rows| rows.clear()), MatchEquityError::Rows { rows: 0 });
        assert_eq!(
            refused(&|rows| rows[2].truncate(3)),
            MatchEquityError::Row { row: 3, got: 3, expected: 4 }
        );
        assert_eq!(
            refused(&|rows| rows[1][2] = 1.5),
            MatchEquityError::Probability { mine: 2, theirs: 3, value: 1.5 }
        );
        assert!(matches!(
            refused(&|rows| rows[1][2] = f64::NAN),
            MatchEquityError::Probability { mine: 2, theirs: 3, .. }
        ));
        assert!(matches!(
            refused(&|rows| rows[1][2] += 0.02),
            MatchEquityError::Asymmetric { mine: 2, theirs: 3, .. }
        ));
        // Rows and columns are exchanged.
        let transposed =
            |rows: &mut Vec<Vec<f64>>| rows.iter_mut().flatten().for_each(|entry| *entry = 1.0 - *entry);
        assert_eq!(refused(&transposed), MatchEquityError::Order { mine: 2, theirs: 1 });
        assert_eq!(
            MatchEquityTable::from_rows(&rows, Some(&post[..2])),
            Err(MatchEquityError::PostCrawford { got: 2, expected: 3 })
        );
        assert_eq!(
            MatchEquityTable::from_rows(&rows, Some(&[0.5, 0.4, 0.6, 0.3])),
            Err(MatchEquityError::Order { mine: 3, theirs: 1 })
        );
    }
}
