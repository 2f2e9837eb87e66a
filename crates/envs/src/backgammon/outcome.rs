//! How a game ends.

/// A player, seen by the one on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player on roll.
    Mine,
    /// The opponent.
    Theirs,
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Mine => "the player on roll",
            Self::Theirs => "the opponent",
        })
    }
}

/// How much a won game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Win {
    /// The loser has borne off a checker.
    Single,
    /// The loser has borne off none.
    Gammon,
    /// The loser has borne off none, and has one on the bar or in the winner's home board.
    Backgammon,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who has won, seen by the player on roll.
    pub winner: Player,
    /// By how much.
    pub win: Win,
}

impl Win {
    /// What a win counts in cubeless money play: 1, 2 or 3 points.
    pub fn points(self) -> i32 {
        self as i32 + 1
    }
}

impl Outcome {
    /// The points that the player on roll gets: 1 to 3, negative for a loss.
    pub fn points(self) -> i32 {
        match self.winner {
            Player::Mine => self.win.points(),
            Player::Theirs => -self.win.points(),
        }
    }

    /// As the chances that evaluators of backgammon give: win, win at least a gammon, win a backgammon, lose
    /// at least a gammon, lose a backgammon. Each is 0 or 1.
    pub fn chances(self) -> [f32; 5] {
        let least = |player, win| f32::from(self.winner == player && self.win >= win);
        [
            least(Player::Mine, Win::Single),
            least(Player::Mine, Win::Gammon),
            least(Player::Mine, Win::Backgammon),
            least(Player::Theirs, Win::Gammon),
            least(Player::Theirs, Win::Backgammon),
        ]
    }

    /// The equity of such [`chances`](Self::chances), in points: a win counts 1, a gammon one more, a
    /// backgammon another one more; so for losses.
    pub fn equity(chances: [f32; 5]) -> f32 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = chances;
        2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_equity_of_an_outcome_is_its_points() {
        for winner in [Player::Mine, Player::Theirs] {
            for win in [Win::Single, Win::Gammon, Win::Backgammon] {
                let outcome = Outcome { winner, win };
                assert_eq!(Outcome::equity(outcome.chances()), outcome.points() as f32);
            }
        }
    }
}
