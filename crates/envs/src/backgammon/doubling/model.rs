//! Value of a position with a doubling cube, by Janowski's formula.

use super::match_equity::MatchEquityTable;

/// Owner of the doubling cube, relative to the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Both players may double.
    Center,
    /// The player on roll owns the doubling cube.
    Mine,
    /// The opponent owns the doubling cube.
    Theirs,
    /// No player may double: the Crawford game, or a game without a doubling cube.
    Disabled,
}

impl Owner {
    /// Returns the owner from the view of the opponent.
    pub(super) fn flipped(self) -> Self {
        match self {
            Self::Mine => Self::Theirs,
            Self::Theirs => Self::Mine,
            Self::Center | Self::Disabled => self,
        }
    }

    /// Returns whether the rules allow a double of the player on roll.
    pub(super) fn may_double(self) -> bool {
        matches!(self, Self::Center | Self::Mine)
    }
}

/// Unit of value: points of money play, or the probability to win the match.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stake<'a> {
    /// Money play. With the Jacoby rule, gammons count only if the doubling cube has been turned.
    Money { jacoby: bool },
    /// A match. `away` holds the points that the player on roll and the opponent need. `post_crawford` states whether the
    /// next game comes after the Crawford game.
    Match { away: [i32; 2], post_crawford: bool, table: &'a MatchEquityTable },
}

impl Stake<'_> {
    /// Returns the same stake from the view of the opponent.
    pub(super) fn flipped(self) -> Self {
        match self {
            Self::Match { away: [mine, theirs], post_crawford, table } => {
                Self::Match { away: [theirs, mine], post_crawford, table }
            }
            Self::Money { .. } => self,
        }
    }

    /// Returns the value of winning `points`; negative points are lost.
    pub(super) fn value_of_points(self, points: i32) -> f64 {
        match self {
            Self::Money { .. } => points.into(),
            Self::Match { away: [mine, theirs], post_crawford, table } => {
                table.probability([mine - points.max(0), theirs + points.min(0)], post_crawford)
            }
        }
    }

    /// Returns whether the player on roll gains from a higher doubling cube: always in money play; in a match unless a win with
    /// a doubling cube of `cube` is enough.
    pub(super) fn gains_from_doubling(self, cube: i32) -> bool {
        match self {
            Self::Money { .. } => true,
            Self::Match { away: [mine, _], .. } => cube < mine,
        }
    }

    /// Returns whether gammons count as single games: with the Jacoby rule, until the doubling cube has been turned.
    pub(super) fn is_single(self, owner: Owner) -> bool {
        owner == Owner::Center && matches!(self, Self::Money { jacoby: true })
    }
}

/// Position with a doubling cube: stake, cubeless probabilities and cube life.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoublingModel<'a> {
    pub(super) stake: Stake<'a>,
    /// Cubeless winning probability of the player on roll.
    pub(super) win: f64,
    /// Shares of single games, gammons and backgammons among the wins of the player on roll, and among the opponent's.
    pub(super) shares: [[f64; 3]; 2],
    /// Cube life x: 0 for a dead cube, 1 for a live cube.
    pub(super) cube_life: f64,
}

impl DoublingModel<'_> {
    /// Returns the same position from the view of the opponent.
    fn flipped(&self) -> Self {
        let [mine, theirs] = self.shares;
        Self {
            stake: self.stake.flipped(),
            win: 1.0 - self.win,
            shares: [theirs, mine],
            cube_life: self.cube_life,
        }
    }

    /// Returns the mean value of a win, including gammons, with a doubling cube of `cube`.
    fn win_value(&self, cube: i32) -> f64 {
        self.shares[0]
            .iter()
            .zip(1..)
            .map(|(share, points)| share * self.stake.value_of_points(points * cube))
            .sum()
    }

    /// Returns the mean value of a loss, including gammons, with a doubling cube of `cube`.
    fn loss_value(&self, cube: i32) -> f64 {
        self.shares[1]
            .iter()
            .zip(1..)
            .map(|(share, points)| share * self.stake.value_of_points(-points * cube))
            .sum()
    }

    /// Returns the cash point of a live cube: the winning probability of the player on roll at which the opponent is
    /// indifferent between take and pass, if `cube` is doubled.
    pub(super) fn cash_point(&self, cube: i32) -> f64 {
        let opponent = self.flipped();
        if let Stake::Money { .. } = self.stake {
            let (win, loss) = (self.win_value(1), -self.loss_value(1));
            return (loss + 1.0) / (win + loss + 0.5);
        }
        let doubled = 2 * cube;
        let (lose, pass) = (opponent.loss_value(doubled), opponent.stake.value_of_points(-cube));
        // The value that the opponent reaches with the doubled cube, and the opponent's winning probability there.
        let (reached, at) = if !opponent.stake.gains_from_doubling(doubled) {
            (opponent.win_value(doubled), 1.0)
        } else if !self.stake.gains_from_doubling(doubled) {
            // The opponent redoubles at once, because a loss costs the match in any case.
            (opponent.win_value(2 * doubled), 1.0)
        } else {
            (opponent.stake.value_of_points(doubled), opponent.cash_point(doubled))
        };
        let take_point = at * (pass - lose) / (reached - lose);
        1.0 - if take_point.is_finite() { take_point.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Returns the value of the position for the player on roll, before the roll and without a double.
    pub(super) fn value(&self, cube: i32, owner: Owner) -> f64 {
        let opponent = self.flipped();
        let i_double = owner.may_double() && self.stake.gains_from_doubling(cube);
        let they_double = owner.flipped().may_double() && opponent.stake.gains_from_doubling(cube);
        let (win, mut loss) = if self.stake.is_single(owner) {
            (self.stake.value_of_points(cube), self.stake.value_of_points(-cube))
        } else {
            (self.win_value(cube), self.loss_value(cube))
        };
        if they_double && !self.stake.gains_from_doubling(cube) && self.cube_life > 0.0 {
            // The opponent doubles at the next turn, because a loss costs the match in any case. With a dead cube, the game
            // ends before that turn.
            loss = self.loss_value(2 * cube);
            return self.win * win + (1.0 - self.win) * loss;
        }
        let dead = self.win * win + (1.0 - self.win) * loss;
        let take = they_double.then(|| (1.0 - opponent.cash_point(cube), self.stake.value_of_points(-cube)));
        let cash = i_double.then(|| (self.cash_point(cube), self.stake.value_of_points(cube)));
        let points = [Some((0.0, loss)), take, cash, Some((1.0, win))];
        let live = interpolated(points.into_iter().flatten(), self.win);
        (1.0 - self.cube_life) * dead + self.cube_life * live
    }
}

/// Returns the piecewise linear function through `points`, pairs (x, y) in ascending order of x, at `at`.
fn interpolated(points: impl Iterator<Item = (f64, f64)>, at: f64) -> f64 {
    let mut last: Option<(f64, f64)> = None;
    for (x, y) in points {
        if let Some((before, start)) = last.filter(|_| at <= x) {
            return if x > before { start + (y - start) * (at - before) / (x - before) } else { y };
        }
        last = Some((x, y));
    }
    last.map_or(0.0, |(_, y)| y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(cube_life: f64) -> DoublingModel<'static> {
        let single = [1.0, 0.0, 0.0];
        DoublingModel { stake: Stake::Money { jacoby: false }, win: 0.5, shares: [single; 2], cube_life }
    }

    /// Winning probability of the taker at which take and pass are equal.
    fn take_point(mut model: DoublingModel<'_>) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            model.win = 0.5 * (low + high);
            // After the take, the other player is on roll and the taker owns the doubled cube.
            if model.value(2, Owner::Mine) < -1.0 { low = model.win } else { high = model.win }
        }
        high
    }

    #[test]
    fn take_points_without_gammons_are_those_of_janowski() {
        // 25 % with a dead cube, 20 % with a live cube, 21.5 % with x = 0.68.
        for (cube_life, wanted) in [(0.0, 0.25), (1.0, 0.2), (0.68, 0.2137)] {
            let found = take_point(money(cube_life));
            assert!((found - wanted).abs() < 1e-3, "x = {cube_life}: {found}");
        }
        assert!((money(1.0).cash_point(1) - 0.8).abs() < 1e-12);
    }

    #[test]
    fn a_live_cube_has_its_known_values() {
        let mut model = money(1.0);
        for (win, owner, value) in [
            (0.5, Owner::Center, 0.0),
            (0.8, Owner::Center, 1.0),
            (0.2, Owner::Center, -1.0),
            (0.5, Owner::Mine, 0.25),
            (0.5, Owner::Theirs, -0.25),
        ] {
            model.win = win;
            assert!(
                (model.value(1, owner) - value).abs() < 1e-12,
                "{win} {owner:?}: {}",
                model.value(1, owner)
            );
        }
    }

    #[test]
    fn the_value_for_both_players_is_opposite() {
        let table = MatchEquityTable::new(9);
        let shares = [[0.7, 0.25, 0.05], [0.8, 0.2, 0.0]];
        for stake in [
            Stake::Money { jacoby: false },
            Stake::Money { jacoby: true },
            Stake::Match { away: [4, 7], post_crawford: false, table: &table },
            Stake::Match { away: [2, 2], post_crawford: false, table: &table },
        ] {
            for step in 0..=20 {
                let model = DoublingModel { stake, win: f64::from(step) / 20.0, shares, cube_life: 0.7 };
                let sum = if matches!(stake, Stake::Money { .. }) { 0.0 } else { 1.0 };
                for (owner, mirrored) in [
                    (Owner::Center, Owner::Center),
                    (Owner::Mine, Owner::Theirs),
                    (Owner::Theirs, Owner::Mine),
                ] {
                    let total = model.value(1, owner) + model.flipped().value(1, mirrored);
                    assert!((total - sum).abs() < 1e-9, "{stake:?} {step} {owner:?}: {total}");
                }
            }
        }
    }
}
