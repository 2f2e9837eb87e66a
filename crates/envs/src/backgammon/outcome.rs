//! Outcome of a backgammon game: winner and kind of win.

/// A player relative to the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelativePlayer {
    /// The player on roll.
    Mine,
    /// The opponent.
    Theirs,
}

impl std::fmt::Display for RelativePlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Mine => "the player on roll",
            Self::Theirs => "the opponent",
        })
    }
}

/// Kind of win: single game, gammon or backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Win {
    /// Single game: the loser has borne off at least one checker.
    Single,
    /// Gammon: the loser has borne off no checker, and has none on the bar or in the winner's home board.
    Gammon,
    /// Backgammon: the loser has borne off no checker, and has a checker on the bar or in the winner's home board.
    Backgammon,
}

/// Outcome of a backgammon game: winner and kind of win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Winner, relative to the player on roll.
    pub winner: RelativePlayer,
    /// Kind of win: single game, gammon or backgammon.
    pub win: Win,
}

impl Win {
    /// Returns the points of a win in cubeless money play: 1, 2 or 3.
    pub fn points(self) -> i32 {
        self as i32 + 1
    }
}

impl Outcome {
    /// Returns the points that the player on roll scores: 1 to 3 for a win, −1 to −3 for a loss.
    pub fn points(self) -> i32 {
        match self.winner {
            RelativePlayer::Mine => self.win.points(),
            RelativePlayer::Theirs => -self.win.points(),
        }
    }

    /// Returns the outcome in the format of the five probabilities that backgammon evaluators predict: win, win at
    /// least a gammon, win a backgammon, lose at least a gammon, lose a backgammon. Each is 0 or 1.
    pub fn probabilities(self) -> [f32; 5] {
        let least = |player, win| f32::from(self.winner == player && self.win >= win);
        [
            least(RelativePlayer::Mine, Win::Single),
            least(RelativePlayer::Mine, Win::Gammon),
            least(RelativePlayer::Mine, Win::Backgammon),
            least(RelativePlayer::Theirs, Win::Gammon),
            least(RelativePlayer::Theirs, Win::Backgammon),
        ]
    }

    /// Returns the cubeless equity in points, given the five [`probabilities`](Self::probabilities). A win scores 1
    /// point, a gammon 2, a backgammon 3; losses score the negated points.
    pub fn equity(probabilities: [f32; 5]) -> f32 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = probabilities;
        2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon
    }

    /// Returns the [`probabilities`](Self::probabilities) of the other player.
    pub fn opposite([win, gammon, backgammon, lost_gammon, lost_backgammon]: [f32; 5]) -> [f32; 5] {
        [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
    }

    /// Returns [`probabilities`](Self::probabilities) with the cubeless equity `equity`, such as the result of a search: the
    /// winning probability changes, the shares of gammons and backgammons among wins and losses stay.
    pub fn with_equity(probabilities: [f32; 5], equity: f32) -> [f32; 5] {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = probabilities;
        let share = |part: f32, whole: f32| if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 };
        let [won, lost] = [
            [share(gammon, win), share(backgammon, win)],
            [share(lost_gammon, 1.0 - win), share(lost_backgammon, 1.0 - win)],
        ];
        // Mean points of a win and of a loss.
        let [points_won, points_lost] = [won, lost].map(|[gammon, backgammon]| 1.0 + gammon + backgammon);
        let win = ((equity + points_lost) / (points_won + points_lost)).clamp(0.0, 1.0);
        [win, win * won[0], win * won[1], (1.0 - win) * lost[0], (1.0 - win) * lost[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_equity_of_an_outcome_is_its_points() {
        for winner in [RelativePlayer::Mine, RelativePlayer::Theirs] {
            for win in [Win::Single, Win::Gammon, Win::Backgammon] {
                let outcome = Outcome { winner, win };
                assert_eq!(Outcome::equity(outcome.probabilities()), outcome.points() as f32);
            }
        }
    }

    #[test]
    fn the_other_player_has_the_negated_equity() {
        let probabilities = [0.6, 0.2, 0.05, 0.1, 0.02];
        let opposite = Outcome::opposite(probabilities);
        assert!((Outcome::equity(probabilities) + Outcome::equity(opposite)).abs() < 1e-6);
        assert_eq!(
            Outcome::opposite(opposite).map(|p| (p * 1e4).round()),
            probabilities.map(|p| (p * 1e4).round())
        );
    }

    #[test]
    fn the_result_of_a_search_changes_the_winning_probability() {
        for (probabilities, equity) in [
            ([0.6, 0.2, 0.05, 0.1, 0.02], 0.1),
            ([0.6, 0.2, 0.05, 0.1, 0.02], -0.9),
            ([1.0, 1.0, 0.0, 0.0, 0.0], 1.4),
        ] {
            let found = Outcome::with_equity(probabilities, equity);
            assert!((Outcome::equity(found) - equity).abs() < 1e-5, "{found:?}");
            let share = |[win, gammon, ..]: [f32; 5]| gammon / win;
            assert!((share(found) - share(probabilities)).abs() < 1e-5, "{found:?}");
        }
        let same = [0.6, 0.2, 0.05, 0.1, 0.02];
        let found = Outcome::with_equity(same, Outcome::equity(same));
        assert!(found.iter().zip(same).all(|(found, same)| (found - same).abs() < 1e-6), "{found:?}");
        // An equity that no winning probability has.
        assert_eq!(Outcome::with_equity([0.9, 0.0, 0.0, 0.0, 0.0], 1.2)[0], 1.0);
    }
}
