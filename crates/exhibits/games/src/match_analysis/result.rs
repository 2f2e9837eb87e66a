//! Luck-adjusted result of a recorded match: the result without the luck of the rolls.

use super::rating::{RatedAction, RatedKind};
use vivarium_envs::backgammon::doubling::MatchEquityTable;
use vivarium_envs::backgammon::record::{MatchRecord, RecordedGame};

/// Result of the finished games for a player. For money, points; in a match, the match winning probability after the games, 0 to 1,
/// as in the command `show matchresult` of GNU Backgammon 1.07.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchResult {
    /// Result as played.
    pub actual: f64,
    /// Result minus the luck of the player plus the luck of the opponent: an unbiased estimate of the mean result with other rolls,
    /// whose variance is lower. As an estimate, it can be less than 0 or greater than 1 in a match.
    pub luck_adjusted: f64,
    /// Sum of the results of both players: 0 points, or the probability 1.
    sum: f64,
}

impl MatchResult {
    /// Computes the result of player 0 from the luck of its rated actions; `None` if no game is finished.
    pub fn new(
        record: &MatchRecord,
        games: &[Vec<RatedAction>],
        equity_table: &MatchEquityTable,
    ) -> Option<Self> {
        let finished = record.games.iter().zip(games).filter_map(|(game, actions)| {
            let result = game.result?;
            let value = |points| value_of_points(record.length, game, equity_table, points);
            let actual = value(of_player_0(result.winner, i32::from(result.points))) - value(0);
            let luck = |action: &RatedAction| match action.kind {
                RatedKind::Play { luck, .. } => {
                    let cube = action.position.state.doubling_cube() as i32;
                    of_player_0(action.player, luck) * 0.5 * (value(cube) - value(-cube))
                }
                RatedKind::Double | RatedKind::NoDouble | RatedKind::Take | RatedKind::Pass => 0.0,
            };
            let luck: f64 = actions.iter().map(luck).sum();
            Some((actual, actual - luck))
        });
        let (actual, luck_adjusted) = finished.reduce(|sum, game| (sum.0 + game.0, sum.1 + game.1))?;
        let first = record.games.first()?;
        let before = value_of_points(record.length, first, equity_table, 0);
        Some(Self {
            actual: before + actual,
            luck_adjusted: before + luck_adjusted,
            sum: if record.length == 0 { 0.0 } else { 1.0 },
        })
    }

    /// Returns the result of the other player.
    pub fn opposite(self) -> Self {
        let Self { actual, luck_adjusted, sum } = self;
        Self { actual: sum - actual, luck_adjusted: sum - luck_adjusted, sum }
    }
}

/// Negates a value of player 1.
fn of_player_0<T: std::ops::Neg<Output = T>>(player: u8, value: T) -> T {
    if player == 0 { value } else { -value }
}

/// Returns the value of a game in which player 0 wins `points`; negative points are lost, 0 is the score before the game.
fn value_of_points(length: u16, game: &RecordedGame, equity_table: &MatchEquityTable, points: i32) -> f64 {
    if length == 0 {
        return points.into();
    }
    let [mine, theirs] = game.score.map(|score| i32::from(length) - i32::from(score));
    // With one player 1 point away, this is the Crawford game or a later one.
    let post_crawford = [mine, theirs].contains(&1) && !(game.crawford && points == 0);
    equity_table.probability([mine - points.max(0), theirs + points.min(0)], post_crawford)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::record::RecordedResult;
    use vivarium_envs::backgammon::{Match, Position, Roll, Xgid};

    /// Returns the play of a player with `luck` points of luck at a value of the doubling cube.
    fn play(player: u8, luck: f64, doubling_cube_exponent: u8) -> RatedAction {
        let state = Match { doubling_cube_exponent, ..Match::MONEY };
        RatedAction {
            player,
            position: Xgid::new(Position::START, state),
            kind: RatedKind::Play { roll: Roll::ALL[0], play: String::new(), luck, forced: false },
            error: 0.0,
            best: None,
            candidates: Vec::new(),
            doubling: None,
            rechecked: false,
        }
    }

    fn game(score: [u16; 2], crawford: bool, result: Option<(u8, u16)>) -> RecordedGame {
        let result = result.map(|(winner, points)| RecordedResult { winner, points });
        RecordedGame { score, crawford, setup: None, actions: Vec::new(), result }
    }

    fn result(length: u16, games: Vec<RecordedGame>, actions: &[Vec<RatedAction>]) -> Option<MatchResult> {
        let players = ["Ann", "Bob"].map(str::to_owned);
        let record = MatchRecord { players, length, jacoby: false, tags: Vec::new(), games };
        MatchResult::new(&record, actions, MatchEquityTable::computed())
    }

    #[test]
    fn the_luck_of_both_players_is_removed_per_value_of_the_cube() {
        let games = vec![
            game([0, 0], false, Some((0, 1))),
            game([1, 0], false, Some((1, 4))),
            game([1, 4], false, None),
        ];
        let actions = [
            vec![play(0, 0.7, 0), play(1, 0.1, 0)],
            vec![play(1, 0.5, 0), play(0, -0.2, 1)],
            vec![play(0, 0.3, 0)],
        ];
        let MatchResult { actual, luck_adjusted, .. } = result(0, games, &actions).unwrap();
        assert_eq!(actual, -3.0);
        // The unfinished game does not count.
        assert!((luck_adjusted - (-3.0 - 0.7 + 0.1 + 0.5 + 2.0 * 0.2)).abs() < 1e-9, "{luck_adjusted}");
        assert_eq!(result(0, vec![game([0, 0], false, None)], &[Vec::new()]), None);
    }

    #[test]
    fn match_results_are_winning_probabilities() {
        let found =
            result(1, vec![game([0, 0], false, Some((1, 1)))], &[vec![play(0, 0.7, 0), play(1, 0.1, 0)]]);
        let MatchResult { actual, luck_adjusted, .. } = found.unwrap();
        assert_eq!(actual, 0.0);
        // A point of equity is half a match. The estimate is not limited to 0 and 1.
        assert!((luck_adjusted + 0.5 * (0.7 - 0.1)).abs() < 1e-9, "{luck_adjusted}");
        let opposite = found.unwrap().opposite();
        assert_eq!((opposite.actual, opposite.luck_adjusted), (1.0, 1.0 - luck_adjusted));
        // A record that begins during a match, and ends before its end.
        let during = result(3, vec![game([2, 0], true, Some((1, 1)))], &[Vec::new()]).unwrap();
        let expected = MatchEquityTable::computed().probability([1, 2], true);
        assert!((during.actual - expected).abs() < 1e-9, "{during:?} {expected}");
    }

    #[test]
    fn the_values_of_a_game_depend_on_the_crawford_game() {
        let table = MatchEquityTable::computed();
        let value = |score, crawford, points| value_of_points(3, &game(score, crawford, None), table, points);
        let expected = |away, post_crawford| table.probability(away, post_crawford);
        assert_eq!(
            [value([0, 0], false, 0), value([0, 0], false, 4), value([0, 0], false, -3)],
            [0.5, 1.0, 0.0]
        );
        // After 2 points, the Crawford game is next; after the Crawford game, the trailing player may double.
        assert_eq!(value([0, 0], false, 2), expected([1, 3], false));
        assert_eq!(value([2, 0], true, 0), expected([1, 3], false));
        assert_eq!(value([2, 0], true, -1), expected([1, 2], true));
        assert_eq!(value([2, 1], false, 0), expected([1, 2], true));
    }
}
