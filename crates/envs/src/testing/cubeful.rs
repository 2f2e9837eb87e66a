//! Bear-offs with a doubling cube: exact values of a match score or money game, by recursion.

use crate::backgammon::doubling::MatchEquityTable;
use crate::backgammon::{CHECKERS, OFF, Plays, Position, Roll};
use std::collections::HashMap;

/// Values of bear-offs under optimal play and optimal doubles: match winning probabilities, or points for money.
pub struct CubefulBearOff {
    /// Points that players 0 and 1 need, and whether the next game comes after the Crawford game; `None` for money.
    score: Option<([i32; 2], bool)>,
    table: MatchEquityTable,
    known: HashMap<(Position, usize, DoublingCube), f64>,
}

/// Doubling cube: value, and the player who owns it.
type DoublingCube = (i32, Option<usize>);

impl CubefulBearOff {
    /// Creates a recursion for a match.
    pub fn of_match(away: [i32; 2], post_crawford: bool) -> Self {
        let table = MatchEquityTable::new(away[0].max(away[1]) as usize);
        Self { score: Some((away, post_crawford)), table, known: HashMap::new() }
    }

    /// Creates a recursion for money without the Jacoby rule. The doubling cube is worth 64 points at most, so that equities are
    /// approximate.
    pub fn of_money() -> Self {
        Self { score: None, table: MatchEquityTable::new(1), known: HashMap::new() }
    }

    /// Returns the value for player 0 of `points` won by player 0, which are negative if lost.
    pub fn value_of_points(&self, points: i32) -> f64 {
        match self.score {
            Some(([mine, theirs], post_crawford)) => {
                self.table.probability([mine - points.max(0), theirs + points.min(0)], post_crawford)
            }
            None => points.into(),
        }
    }

    /// Returns the value for player 0 of `position`, in which `player` is on roll and does not double.
    pub fn held(&mut self, position: &Position, player: usize, cube: DoublingCube) -> f64 {
        if let Some(&known) = self.known.get(&(*position, player, cube)) {
            return known;
        }
        let mut mean = 0.0;
        for roll in Roll::ALL {
            let mut plays = Plays::new();
            plays.generate(position, roll);
            let values = plays.iter().map(|play| self.after_play(&play.after, player, cube));
            mean += f64::from(roll.permutations()) / 36.0 * best(player, values);
        }
        self.known.insert((*position, player, cube), mean);
        mean
    }

    fn after_play(&mut self, after: &Position, player: usize, cube: DoublingCube) -> f64 {
        if after.mine().count(OFF) == CHECKERS {
            let points = if after.theirs().count(OFF) == 0 { 2 * cube.0 } else { cube.0 };
            return self.value_of_points(if player == 0 { points } else { -points });
        }
        let (position, opponent) = (after.mirrored(), 1 - player);
        let held = self.held(&position, opponent, cube);
        if !self.may_double(opponent, cube) {
            return held;
        }
        best(opponent, [held, self.doubled(&position, opponent, cube)].into_iter())
    }

    /// Returns the value for player 0 after a double of `player`, who is on roll; the opponent replies best.
    fn doubled(&mut self, position: &Position, player: usize, cube: DoublingCube) -> f64 {
        let take = self.held(position, player, (2 * cube.0, Some(1 - player)));
        let pass = self.value_of_points(if player == 0 { cube.0 } else { -cube.0 });
        best(1 - player, [take, pass].into_iter())
    }

    fn may_double(&self, player: usize, (value, owner): DoublingCube) -> bool {
        let is_useful = match self.score {
            Some((away, _)) => value < away[player],
            None => value < 64,
        };
        is_useful && owner.is_none_or(|owner| owner == player)
    }
}

/// Returns the best of several values of player 0 for `player`.
fn best(player: usize, values: impl Iterator<Item = f64>) -> f64 {
    match player {
        0 => values.fold(f64::NEG_INFINITY, f64::max),
        _ => values.fold(f64::INFINITY, f64::min),
    }
}
