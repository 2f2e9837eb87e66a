//! Connect Four as an environment with discrete actions and observations of bytes.

use super::rules::{EpisodeKey, GameRules, GameSettings, PlayResult};
use vivarium_envs::connect_four::{COLUMN_BITS, COLUMNS, ConnectFour, ROWS};

/// An action is the index of a column. An observation has the shape `[6, 7, 2]`, row 0 at the top: stones of the player,
/// stones of the opponent.
impl GameRules for ConnectFour {
    const NAME: &'static str = "connect-four";
    const ACTIONS: usize = COLUMNS;
    const PLAYERS: u8 = 2;
    const STEP_LIMIT: Option<u32> = None;
    const LARGEST_REWARD: f32 = 1.0;

    fn observation_space(_: &GameSettings) -> (Vec<usize>, u8) {
        (vec![ROWS, COLUMNS, 2], 1)
    }

    fn begin(_: &GameSettings, _: EpisodeKey) -> Self {
        Self::START
    }

    fn play(&mut self, action: usize) -> PlayResult {
        *self = self.after(action);
        // `value` is from the view of the opponent, who would move next.
        PlayResult {
            reward: self.value().map_or(0.0, |value| 0.0 - value),
            terminated: self.value().is_some(),
        }
    }

    fn player(&self) -> u8 {
        self.player()
    }

    fn write_legal(&self, mask: &mut [i8]) {
        for (column, legal) in mask.iter_mut().enumerate() {
            *legal = i8::from(self.is_open(column));
        }
    }

    fn write_observation(&self, _: &GameSettings, player: u8, row: &mut [u8]) {
        let [to_move, opponent] = self.stones();
        let stones = if player == self.player() { [to_move, opponent] } else { [opponent, to_move] };
        // Loops of constant length without branches are unrolled.
        let rows = row.as_chunks_mut::<{ 2 * COLUMNS }>().0;
        for (height, cells) in (0..ROWS).rev().zip(rows) {
            for (column, cell) in cells.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                *cell = stones.map(|bits| (bits >> (COLUMN_BITS * column + height)) as u8 & 1);
            }
        }
    }
}
