//! Estimates of bear-offs by Janowski's formula, with a cube life that is fitted to exact equities.

use super::cube_states::{CubeStates, Equities};
use crate::backgammon::bearoff::BearOff;
use crate::backgammon::doubling::model::Owner;
use crate::backgammon::position::Position;

/// Number of steps of the winning probability in a table of Janowski's formula.
const STEPS: usize = 1024;

/// Janowski's formula for all winning probabilities of the player on roll, and the one-sided bear-off table.
pub struct BearOffEstimate<const STATES: usize> {
    table: &'static BearOff,
    players: [PlayerEstimate<STATES>; 2],
}

/// Estimates of one player.
struct PlayerEstimate<const STATES: usize> {
    owners: [Owner; STATES],
    /// Equities with a dead and a live cube, by winning probability in units of 1 / `STEPS`.
    dead_and_live: Vec<[Equities<STATES>; 2]>,
}

impl<const STATES: usize> BearOffEstimate<STATES> {
    pub fn new(cube: &CubeStates<'_>) -> Self {
        let players = [0, 1].map(|player| {
            let at = |step| {
                let win = step as f64 / STEPS as f64;
                [0.0, 1.0].map(|cube_life| cube.janowski(player, win, cube_life))
            };
            PlayerEstimate { owners: cube.owners(player), dead_and_live: (0..=STEPS).map(at).collect() }
        });
        Self { table: BearOff::without_gammons(), players }
    }

    /// Returns the equities of a player on roll, without a double; `None` if the table does not contain the position.
    pub fn equities(&self, player: usize, position: &Position) -> Option<Equities<STATES>> {
        let win = self.table.win_probability(position)? as f32;
        let rolls = self.table.mean_rolls(position.mine)? + self.table.mean_rolls(position.theirs)?;
        let PlayerEstimate { owners, dead_and_live } = &self.players[player];
        let step = win * STEPS as f32;
        let at = (step as usize).min(STEPS - 1);
        let part = step - at as f32;
        let [start, end] = [&dead_and_live[at], &dead_and_live[at + 1]];
        let interpolated = |kind: usize, state| {
            let [start, end]: [f32; 2] = [start[kind][state], end[kind][state]];
            start + part * (end - start)
        };
        Some(std::array::from_fn(|state| {
            let [dead, live] = [interpolated(0, state), interpolated(1, state)];
            dead + cube_life(owners[state], win, 0.5 * rolls as f32) * (live - dead)
        }))
    }
}

/// Returns Janowski's x of a bear-off, from the winning probability of the player on roll and the mean number of rolls that a
/// player needs.
///
/// Least squares over the exact equities of 310 random positions of 5 to 10 checkers a player for money.
fn cube_life(owner: Owner, win: f32, rolls: f32) -> f32 {
    let life = match owner {
        Owner::Center => 0.77 - 0.37 * win + 0.05 * rolls,
        Owner::Mine => -0.04 + 0.5 * win + 0.08 * rolls,
        Owner::Theirs => 1.03 - 0.83 * win,
        // Dead and live values are equal.
        Owner::Disabled => 0.0,
    };
    life.clamp(0.0, 1.0)
}
