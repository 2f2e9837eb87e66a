//! Match play: doubling cube, score and Crawford rule over the games of a match or of a money session.

use super::match_id::{DoublingCubeOwner, Match};
use super::outcome::Win;

/// Largest exponent of the doubling cube in a [`Match`].
const MAX_EXPONENT: u8 = 15;

impl Match {
    /// Returns the state before the first game of a match to `length` points. With length 0: before the first game of a
    /// money session, with or without the Jacoby rule.
    pub fn start(length: u16, jacoby: bool) -> Self {
        Self { length, crawford: length == 1, without_jacoby: length == 0 && !jacoby, ..Self::MONEY }
    }

    /// Returns the value of the doubling cube.
    pub fn doubling_cube(&self) -> u32 {
        1 << self.doubling_cube_exponent.min(MAX_EXPONENT)
    }

    /// Returns whether the rules allow the player on roll to double: before the roll, with access to the doubling cube,
    /// and not in the Crawford game.
    pub fn may_double(&self) -> bool {
        let owns = match self.doubling_cube_owner {
            DoublingCubeOwner::Centered => true,
            DoublingCubeOwner::Player(player) => player == self.on_roll,
        };
        owns && !self.crawford
            && !self.doubled
            && self.roll.is_none()
            && self.doubling_cube_exponent < MAX_EXPONENT
    }

    /// Returns the state after the player on roll has doubled: the opponent decides to take or to pass.
    pub fn double(self) -> Self {
        Self { doubled: true, to_decide: 1 - (self.on_roll & 1), ..self }
    }

    /// Returns the state after the opponent has taken the double: the opponent owns the doubling cube at twice its value,
    /// and the player on roll rolls the dice.
    pub fn take(self) -> Self {
        Self {
            doubled: false,
            to_decide: self.on_roll,
            doubling_cube_exponent: (self.doubling_cube_exponent + 1).min(MAX_EXPONENT),
            doubling_cube_owner: DoublingCubeOwner::Player(1 - (self.on_roll & 1)),
            ..self
        }
    }

    /// Returns the state at the turn of `player`, before the roll.
    pub fn turn_of(self, player: u8) -> Self {
        Self { on_roll: player, to_decide: player, roll: None, ..self }
    }

    /// Returns the same state with the numbers of both players exchanged.
    pub fn swapped(self) -> Self {
        let [first, second] = self.score;
        let doubling_cube_owner = match self.doubling_cube_owner {
            DoublingCubeOwner::Player(player) => DoublingCubeOwner::Player(1 - (player & 1)),
            centered @ DoublingCubeOwner::Centered => centered,
        };
        let [on_roll, to_decide] = [self.on_roll, self.to_decide].map(|player| 1 - (player & 1));
        Self { doubling_cube_owner, on_roll, to_decide, score: [second, first], ..self }
    }

    /// Returns the points of a win with the present doubling cube. With the Jacoby rule, a gammon counts 1 point if no
    /// player has doubled.
    pub fn points(&self, win: Win) -> u16 {
        let centered = self.doubling_cube_owner == DoublingCubeOwner::Centered;
        let jacoby = self.length == 0 && !self.without_jacoby && centered;
        let points = if jacoby { 1 } else { win.points() as u32 };
        (points * self.doubling_cube()).min(u16::MAX.into()) as u16
    }

    /// Returns the state before the next game after `winner` (0 or 1) has scored `points`, with a centered doubling cube.
    /// Scores saturate at 65,535 points. The game after the first one that leaves a player 1 point away is the Crawford game.
    pub fn after_game(self, winner: u8, points: u16) -> Self {
        let mut score = self.score;
        let won = &mut score[usize::from(winner & 1)];
        *won = won.saturating_add(points);
        let crawford = is_one_away(self.length, score) && !is_one_away(self.length, self.score);
        let Self { length, without_jacoby, .. } = self;
        Self { score, crawford, length, without_jacoby, ..Self::MONEY }
    }

    /// Returns the player (0 or 1) who has won the match; `None` before its end and in a money session.
    pub fn winner(&self) -> Option<u8> {
        let won = |player: &u8| self.length > 0 && self.score[usize::from(*player)] >= self.length;
        (0..2).find(won)
    }
}

/// Returns whether a player needs one more point to win a match to `length` points.
pub(super) fn is_one_away(length: u16, score: [u16; 2]) -> bool {
    score.iter().any(|points| points.checked_add(1) == Some(length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::{Position, Xgid};
    use proptest::prelude::*;

    #[test]
    fn the_crawford_game_is_the_first_after_a_player_is_one_away() {
        let start = Match::start(5, false);
        assert!(!start.crawford && start.may_double());
        let four = start.after_game(0, 4);
        assert!(four.crawford && !four.may_double() && four.score == [4, 0]);
        let after = four.after_game(1, 2);
        assert!(!after.crawford && after.may_double());
        // The trailing player is one away too, after the Crawford game.
        let both = after.after_game(1, 2);
        assert!(!both.crawford && both.score == [4, 4] && both.winner().is_none());
        assert_eq!(both.after_game(1, 2).winner(), Some(1));
        assert!(Match::start(1, false).crawford, "a match to 1 point has no doubling cube");
    }

    #[test]
    fn a_take_gives_the_doubling_cube_to_the_taker() {
        let mut state = Match::start(0, true);
        for (player, value) in [(0, 2), (1, 4), (0, 8)] {
            state = state.turn_of(player);
            assert!(state.may_double(), "{player}");
            let doubled = state.double();
            assert!(!doubled.may_double() && doubled.to_decide == 1 - player);
            assert_eq!(doubled.points(Win::Single), value / 2, "a pass costs the value before the double");
            state = doubled.take();
            assert!(!state.may_double(), "the opponent owns the doubling cube");
            assert_eq!((state.points(Win::Single), state.points(Win::Backgammon)), (value, 3 * value));
        }
    }

    #[test]
    fn exchanged_players_have_the_opposite_score() {
        let state =
            Match { on_roll: 1, ..Match::start(7, false).after_game(1, 3).turn_of(0).double().take() };
        let swapped = state.swapped();
        assert_eq!((swapped.score, swapped.on_roll, swapped.to_decide), ([3, 0], 0, 1));
        assert_eq!(swapped.doubling_cube_owner, DoublingCubeOwner::Player(0));
        assert_eq!(swapped.swapped(), state);
    }

    proptest::proptest! {
        #[test]
        fn a_game_of_any_number_of_points_is_scored(
            length in prop_oneof![Just(0), 1..10u16, Just(u16::MAX), any::<u16>()],
            score in [points(), points()],
            winner in 0..2u8,
            won in points(),
        ) {
            let before = Match { score, ..Match::start(length, false) };
            let after = before.after_game(winner, won);
            let scored = u32::from(score[usize::from(winner)]) + u32::from(won);
            prop_assert_eq!(u32::from(after.score[usize::from(winner)]), scored.min(u16::MAX.into()));
            prop_assert_eq!(after.score[usize::from(1 - winner)], score[usize::from(1 - winner)]);
            // IDs have limits.
            let money = Match { length: 0, crawford: false, ..after };
            let stored = after.score.map(|points| points.min(32_767));
            prop_assert_eq!(Match::from_id(&money.id()).map(|state| state.score), Ok(stored));
            let xgid = Xgid::new(Position::START, money).to_string();
            prop_assert_eq!(Xgid::parse(&xgid).map(|xgid| xgid.state.score), Ok(stored));
        }
    }

    /// Number of points: few, or near the largest one.
    fn points() -> impl Strategy<Value = u16> {
        prop_oneof![0..10u16, u16::MAX - 3..=u16::MAX, any::<u16>()]
    }

    #[test]
    fn the_jacoby_rule_counts_gammons_only_after_a_double() {
        let money = Match::start(0, true);
        assert_eq!([money.points(Win::Gammon), money.double().take().points(Win::Gammon)], [1, 4]);
        assert_eq!(Match::start(0, false).points(Win::Gammon), 2);
        assert_eq!(Match::start(5, true).points(Win::Gammon), 2, "a match has no Jacoby rule");
        assert_eq!(money.after_game(1, 4).score, [0, 4]);
        assert!(!money.after_game(1, 4).without_jacoby);
    }
}
