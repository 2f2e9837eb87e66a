//! Match equity table: the probability to win a match, for each score.

/// Match equity table, computed by a recursion over scores.
///
/// The value of a score is the value of the next game at a winning probability of one half, by Janowski's formula with
/// a centered doubling cube, [`GAMMON_RATE`](super::GAMMON_RATE) and [`TABLE_CUBE_LIFE`](super::TABLE_CUBE_LIFE). The Crawford
/// game has no doubling cube. After the Crawford game the trailing player doubles at once and the leader takes. Both constants
/// are fitted: up to 7 points, the largest deviation from the table Kazaross XG2, which was computed by rollouts, is
/// 0.4 % of match winning probability.
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
