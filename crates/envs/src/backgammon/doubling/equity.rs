//! Equity of a position at a match score, or in a money game, with a doubling cube.

use super::CUBE_LIFE;
use super::match_equity::{MAX_MATCH_LENGTH, MatchEquityTable};
use super::model::{DoublingModel, Owner, Stake};
use crate::backgammon::match_id::{DoublingCubeOwner, Match};
use crate::backgammon::outcome::{Outcome, Win};
use crate::backgammon::position::Position;
use std::cmp::Ordering;

/// Score and doubling cube from the view of one player: conversion of cubeless outcome probabilities to values and equities.
///
/// A *value* is the mean number of points in a money game, and the match winning probability in a match. Values of one player with
/// different doubling cubes are comparable. An *equity* is a value normalized to the present doubling cube: 1 and −1 are the values
/// of winning and losing a single game (equivalent to money game, EMG, in GNU Backgammon).
#[derive(Clone, Copy, Debug)]
pub struct EquityContext<'a> {
    pub(super) stake: Stake<'a>,
    /// Value of the doubling cube.
    pub(super) cube: i32,
    pub(super) owner: Owner,
}

/// Reason why a score has no match equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// The match is too long.
    #[error("the match is longer than {MAX_MATCH_LENGTH} points")]
    Length,
    /// A player needs more points than the match equity table has.
    #[error("a player needs {away} points, but the match equity table has only {length}")]
    Table {
        /// Points that the player needs.
        away: u16,
        /// Length of the table in points.
        length: u16,
    },
}

impl EquityContext<'static> {
    /// Money game without a doubling cube, in which gammons count: the equity is the cubeless one.
    pub const CUBELESS_MONEY: Self =
        Self { stake: Stake::Money { jacoby: false }, cube: 1, owner: Owner::Disabled };
}

impl<'a> EquityContext<'a> {
    /// Returns the context of the player on roll. An offered double does not count: the doubling cube has its present value.
    ///
    /// # Errors
    /// [`ScoreError`] if the match is too long, or the table is too short.
    pub fn new(state: &Match, table: &'a MatchEquityTable) -> Result<Self, ScoreError> {
        if state.length > MAX_MATCH_LENGTH {
            return Err(ScoreError::Length);
        }
        let [mine, theirs] = away(state);
        let longest = mine.max(theirs);
        if state.length > 0 && longest > table.length().into() {
            return Err(ScoreError::Table { away: longest as u16, length: table.length() });
        }
        Ok(Self::of_known_score(state, table))
    }

    /// Returns the context of the player on roll at a score that the table has.
    pub(super) fn of_known_score(state: &Match, table: &'a MatchEquityTable) -> Self {
        let stake = match state.length {
            0 => Stake::Money { jacoby: !state.without_jacoby },
            _ => Stake::Match { away: away(state), post_crawford: away(state).contains(&1), table },
        };
        let owner = match state.doubling_cube_owner {
            _ if state.length > 0 && state.crawford => Owner::Disabled,
            DoublingCubeOwner::Centered => Owner::Center,
            DoublingCubeOwner::Player(player) if player == state.on_roll => Owner::Mine,
            DoublingCubeOwner::Player(_) => Owner::Theirs,
        };
        Self { stake, cube: 1 << state.doubling_cube_exponent, owner }
    }

    /// Returns the same context from the view of the opponent.
    pub fn opponent(self) -> Self {
        Self { stake: self.stake.flipped(), owner: self.owner.flipped(), ..self }
    }

    /// Returns the context after a double and a take: the opponent owns the doubling cube.
    pub fn doubled(self) -> Self {
        Self { cube: 2 * self.cube, owner: Owner::Theirs, ..self }
    }

    /// Returns whether the player may double, and gains from a higher doubling cube.
    pub fn may_double(self) -> bool {
        self.owner.may_double() && self.stake.gains_from_doubling(self.cube)
    }

    /// Returns the value of a position before the roll of the player, from cubeless probabilities in the order of
    /// [`Outcome::probabilities`](crate::backgammon::Outcome::probabilities). Includes the best doubling action of both players,
    /// by Janowski's formula.
    pub fn value(self, position: &Position, probabilities: [f32; 5]) -> f64 {
        if position.outcome().is_some() {
            return self.value_without_double(probabilities, 0.0);
        }
        self.with_double(self.value_without_double(probabilities, CUBE_LIFE), || {
            self.doubled().value_without_double(probabilities, CUBE_LIFE)
        })
    }

    /// Returns the value of the best doubling action of both players, from the value `no_double` and, if the player may double,
    /// the value `double_take`.
    pub fn with_double(self, no_double: f64, double_take: impl FnOnce() -> f64) -> f64 {
        if self.may_double() { no_double.max(double_take().min(self.won())) } else { no_double }
    }

    /// Returns the value before the roll without a double. `cube_life` is Janowski's x, from 0 for a dead cube to 1 for a live
    /// cube.
    pub fn value_without_double(self, probabilities: [f32; 5], cube_life: f64) -> f64 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
            probabilities.map(|probability| f64::from(probability).clamp(0.0, 1.0));
        let shares = [shares(win, gammon, backgammon), shares(1.0 - win, lost_gammon, lost_backgammon)];
        DoublingModel { stake: self.stake, win, shares, cube_life }.value(self.cube, self.owner)
    }

    /// Returns the equity of a play, from the outcome probabilities of the player who makes the play. `after` is the position
    /// after the play. The equity includes the best doubling action of the opponent, who is on roll.
    ///
    /// Janowski's formula is applied to the position after the play at every search depth: a search returns the mean of the
    /// probabilities at the leaves. The cube life of the formula stands for the doubles of later turns. GNU Backgammon applies
    /// the formula to the leaves and returns the mean of their equities (`EvaluatePositionCubeful4` in `eval.c` of version 1.07).
    pub fn equity_after_play(self, after: &Position, probabilities: [f32; 5]) -> f64 {
        self.equity(self.value_after_play(after, probabilities))
    }

    /// Returns the value of a play, as [`equity_after_play`](Self::equity_after_play) its equity.
    pub fn value_after_play(self, after: &Position, probabilities: [f32; 5]) -> f64 {
        self.opposite(self.opponent().value(after, Outcome::opposite(probabilities)))
    }

    /// Returns the value of the opponent, from a value of the player; also the reverse.
    pub fn opposite(self, value: f64) -> f64 {
        if self.is_match() { 1.0 - value } else { -value }
    }

    /// Converts a value to an equity.
    pub fn equity(self, value: f64) -> f64 {
        let lost = self.stake.value_of_points(-self.cube);
        2.0 * (value - lost) / (self.won() - lost) - 1.0
    }

    /// Returns the match winning probability of an equity; `None` in a money game.
    pub fn match_winning_probability(self, equity: f64) -> Option<f64> {
        let lost = self.stake.value_of_points(-self.cube);
        self.is_match().then(|| lost + 0.5 * (equity + 1.0) * (self.won() - lost))
    }

    /// Returns the equity of a game won.
    pub fn equity_of_win(self, win: Win) -> f64 {
        let points = if self.stake.is_single(self.owner) { 1 } else { win.points() };
        self.equity(self.stake.value_of_points(points * self.cube))
    }

    /// Returns the equity before the first roll of a game, in which both players are equal.
    pub fn equity_before_game(self) -> f64 {
        match self.stake {
            Stake::Money { .. } => 0.0,
            Stake::Match { away, post_crawford, table } => {
                self.equity(table.probability(away, post_crawford && self.owner != Owner::Disabled))
            }
        }
    }

    /// Returns the value of winning a single game with the present doubling cube, as if the opponent passes a double.
    pub fn won(self) -> f64 {
        self.stake.value_of_points(self.cube)
    }

    fn is_match(self) -> bool {
        matches!(self.stake, Stake::Match { .. })
    }
}

/// Compares two plays, the better one first: by equity, and equal equities by cubeless equity. All plays after which the opponent
/// doubles and the player passes have the equity −1. A play is its equity and the outcome probabilities of the player.
pub fn better_first(
    (equity, probabilities): (f64, [f32; 5]),
    (other_equity, other_probabilities): (f64, [f32; 5]),
) -> Ordering {
    let cubeless = |probabilities| Outcome::equity(probabilities);
    other_equity.total_cmp(&equity).then(cubeless(other_probabilities).total_cmp(&cubeless(probabilities)))
}

/// Returns the points that the player on roll and the opponent need to win the match.
pub(super) fn away(state: &Match) -> [i32; 2] {
    let away =
        |player: u8| (i32::from(state.length) - i32::from(state.score[usize::from(player & 1)])).max(1);
    [away(state.on_roll), away(1 - (state.on_roll & 1))]
}

/// Returns the shares of single games, gammons and backgammons among wins with the given probabilities, where `gammon`
/// includes backgammons. Without wins, all are single games.
fn shares(win: f64, gammon: f64, backgammon: f64) -> [f64; 3] {
    if win <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let gammon = (gammon / win).min(1.0);
    let backgammon = (backgammon / win).min(gammon);
    [1.0 - gammon, gammon - backgammon, backgammon]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More games won, and more gammons won.
    const SAFE: [f32; 5] = [0.56, 0.10, 0.0, 0.12, 0.0];
    const GAMMONISH: [f32; 5] = [0.53, 0.22, 0.0, 0.12, 0.0];

    fn at_score(length: u16, score: [u16; 2], crawford: bool) -> Match {
        Match { length, score, crawford, ..Match::MONEY }
    }

    /// Equity of a play with the outcome `probabilities`, for the player who makes the play, in the state before the play.
    fn after_play(state: Match, probabilities: [f32; 5]) -> f64 {
        let table = MatchEquityTable::new(9);
        EquityContext::new(&state, &table).unwrap().equity_after_play(&Position::START, probabilities)
    }

    fn gain_from_gammons(state: Match) -> f64 {
        after_play(state, GAMMONISH) - after_play(state, SAFE)
    }

    #[test]
    fn the_equity_is_cubeless_without_a_doubling_cube() {
        for probabilities in [SAFE, GAMMONISH, [0.9, 0.5, 0.2, 0.05, 0.01], [0.0, 0.0, 0.0, 1.0, 0.2]] {
            let context = EquityContext::CUBELESS_MONEY;
            let found = context.equity(context.value(&Position::START, probabilities));
            assert!((found - f64::from(Outcome::equity(probabilities))).abs() < 1e-6, "{found}");
            let dead = Match { without_jacoby: true, ..Match::MONEY };
            let table = MatchEquityTable::new(1);
            let found = EquityContext::new(&dead, &table).unwrap().value_without_double(probabilities, 0.0);
            assert!((found - f64::from(Outcome::equity(probabilities))).abs() < 1e-6, "{found}");
        }
    }

    #[test]
    fn gammons_count_by_the_score() {
        // In money play, the gammons are worth more than the games.
        assert!(gain_from_gammons(Match { without_jacoby: true, ..Match::MONEY }) > 0.02);
        // One point away each, only games count: the equity is the winning probability.
        let last_game = at_score(5, [4, 4], false);
        assert!((gain_from_gammons(last_game) + 2.0 * 0.03).abs() < 1e-6);
        // In the Crawford game a gammon wins the match of the player who needs two points, and costs the leader nothing to lose …
        let trailing = at_score(5, [3, 4], true);
        assert!(gain_from_gammons(trailing) > 0.1);
        // … and the leader needs no gammon.
        assert!(gain_from_gammons(at_score(5, [4, 3], true)) < -0.03);
        // After the Crawford game, a gammon with a doubling cube of 2 wins a match of four more points.
        let redoubled = Match {
            doubling_cube_exponent: 1,
            doubling_cube_owner: DoublingCubeOwner::Player(1),
            ..at_score(5, [1, 4], false)
        };
        assert!(gain_from_gammons(redoubled) > 0.05);
    }

    #[test]
    fn a_dead_doubling_cube_of_the_opponent_is_harmless() {
        // The player needs 4 points. The doubling cube is worth 4 for an opponent who needs 4: no redouble.
        let owned = Match {
            doubling_cube_exponent: 2,
            doubling_cube_owner: DoublingCubeOwner::Player(1),
            ..at_score(7, [3, 3], false)
        };
        assert!((after_play(owned, [0.6, 0.3, 0.0, 0.1, 0.0]) - 0.2).abs() < 1e-6);
        // In a money game, the doubling cube of the opponent costs equity, and gammons are worth more.
        let owned = Match { doubling_cube_owner: DoublingCubeOwner::Player(1), ..Match::MONEY };
        let owned = Match { doubling_cube_exponent: 1, ..owned };
        assert!(after_play(owned, SAFE) < f64::from(Outcome::equity(SAFE)));
        assert!(gain_from_gammons(owned) > 0.02);
    }

    #[test]
    fn plays_before_a_pass_are_ordered_by_cubeless_equity() {
        let state = Match { without_jacoby: true, ..Match::MONEY };
        let [worse, better, best] = [0.12, 0.15, 0.4]
            .map(|win| (after_play(state, [win, 0.0, 0.0, 0.0, 0.0]), [win, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!([worse.0, better.0], [-1.0; 2], "the opponent doubles, the player passes");
        let mut plays = [worse, best, better];
        plays.sort_by(|a, b| better_first(*a, *b));
        assert_eq!(plays, [best, better, worse]);
    }

    #[test]
    fn gammons_do_not_count_by_the_jacoby_rule() {
        let table = MatchEquityTable::new(1);
        let centered = EquityContext::new(&Match::MONEY, &table).unwrap();
        let dead = |probabilities| centered.value_without_double(probabilities, 0.0);
        assert!((dead(GAMMONISH) - 0.06).abs() < 1e-6 && (dead(SAFE) - 0.12).abs() < 1e-6);
        assert_eq!([Win::Single, Win::Gammon].map(|win| centered.equity_of_win(win)), [1.0, 1.0]);
        // Too good to double without the rule: the gammons are lost.
        let too_good = [0.95, 0.7, 0.0, 0.0, 0.0];
        let value = |without_jacoby| {
            let state = Match { without_jacoby, ..Match::MONEY };
            EquityContext::new(&state, &table).unwrap().value(&Position::START, too_good)
        };
        assert!((value(false) - 1.0).abs() < 1e-6 && value(true) > 1.2, "{} {}", value(false), value(true));
    }

    #[test]
    fn a_game_that_is_over_has_the_value_of_its_points() {
        // The player has borne off all checkers, the opponent none; the opponent is on roll.
        let mut side = [0; crate::backgammon::PLACES];
        side[crate::backgammon::OFF] = crate::backgammon::CHECKERS;
        let mut other = [0; crate::backgammon::PLACES];
        other[6] = crate::backgammon::CHECKERS;
        let over = Position::new(other, side).unwrap();
        let lost = [0.0, 0.0, 0.0, 1.0, 0.0];
        let table = MatchEquityTable::new(9);
        for (state, value) in [
            (Match { without_jacoby: true, ..Match::MONEY }, -2.0),
            (Match::MONEY, -1.0),
            // The player who loses the game needs 3, the opponent 5 points. The other score is one at which the opponent would
            // double at the next turn.
            (at_score(7, [4, 2], false), table.probability([3, 3], false)),
            (at_score(7, [6, 2], false), table.probability([1, 3], true)),
        ] {
            let context = EquityContext::new(&state, &table).unwrap();
            assert!((context.value(&over, lost) - value).abs() < 1e-9, "{state:?}");
        }
    }

    #[test]
    fn both_players_have_opposite_values() {
        let table = MatchEquityTable::new(9);
        for state in
            [Match::MONEY, at_score(7, [3, 5], false), at_score(7, [6, 5], true), at_score(7, [6, 5], false)]
        {
            let context = EquityContext::new(&state, &table).unwrap();
            let mirrored = EquityContext::new(&Match { on_roll: 1, ..state.swapped() }, &table).unwrap();
            let value = context.value(&Position::START, GAMMONISH);
            assert_eq!(value.to_bits(), mirrored.value(&Position::START, GAMMONISH).to_bits());
            assert_eq!(
                context.opponent().opponent().value(&Position::START, GAMMONISH).to_bits(),
                value.to_bits()
            );
            let sum = context.equity(value) + context.opponent().equity(context.opposite(value));
            assert!(sum.abs() < 1e-9, "{state:?}: {sum}");
            let back = context.match_winning_probability(context.equity(value));
            assert!(back.is_none_or(|probability| (probability - value).abs() < 1e-12));
            assert_eq!(back.is_some(), state.length > 0);
        }
    }

    #[test]
    fn the_equity_before_a_game_is_that_of_the_score() {
        let table = MatchEquityTable::new(9);
        let before = |state: Match| {
            let context = EquityContext::new(&state, &table).unwrap();
            context.match_winning_probability(context.equity_before_game()).unwrap()
        };
        assert!((before(at_score(7, [3, 5], false)) - table.probability([4, 2], false)).abs() < 1e-12);
        assert!((before(at_score(7, [5, 6], true)) - table.probability([2, 1], false)).abs() < 1e-12);
        assert!((before(at_score(7, [5, 6], false)) - table.probability([2, 1], true)).abs() < 1e-12);
        assert_eq!(EquityContext::CUBELESS_MONEY.equity_before_game(), 0.0);
    }

    #[test]
    fn scores_beyond_the_table_are_refused() {
        let table = MatchEquityTable::new(5);
        let refused = |length| EquityContext::new(&at_score(length, [0, 0], false), &table).unwrap_err();
        assert_eq!(refused(7), ScoreError::Table { away: 7, length: 5 });
        assert_eq!(refused(65), ScoreError::Length);
    }
}
