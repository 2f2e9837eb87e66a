//! The 2×2×2 and the 3×3×3 cube as puzzles: scrambles, quarter turns and sticker colors.

use super::rules::{EpisodeKey, GameRules, GameSettings, PlayResult};
use vivarium_envs::cube::{
    Backtracking, Cube2, Cube3, CubePuzzle, CubeSize, Face, FaceTurn, RandomWalk, TurnMetric,
};
use vivarium_kernels::rng::Stream;

/// Cube that the agent has to solve; a solved cube ends the episode.
#[derive(Clone, Copy)]
pub(crate) struct ScrambledCube<C>(C);

/// Cube size with the constants and the observation of its environment.
pub(crate) trait CubeTask: CubePuzzle {
    const NAME: &'static str;
    const STICKERS: usize;
    const STEP_LIMIT: u32;
    /// Default number of turns of a scramble: the largest distance of any state from the solved state, in quarter
    /// turns.
    const FARTHEST: u32;
    /// Writes the color of each sticker to `row`, `[stickers]`: the index of a face, 0 to 5.
    fn write_colors(self, row: &mut [u8]);
}

impl CubeTask for Cube2 {
    const NAME: &'static str = "cube2";
    const STICKERS: usize = Self::STICKERS;
    const STEP_LIMIT: u32 = 50;
    const FARTHEST: u32 = 14;

    fn write_colors(self, row: &mut [u8]) {
        copy_colors(&self.stickers(), row);
    }
}

impl CubeTask for Cube3 {
    const NAME: &'static str = "cube3";
    const STICKERS: usize = Self::STICKERS;
    const STEP_LIMIT: u32 = 100;
    const FARTHEST: u32 = 26;

    fn write_colors(self, row: &mut [u8]) {
        copy_colors(&self.stickers(), row);
    }
}

fn copy_colors(stickers: &[Face], row: &mut [u8]) {
    for (color, &sticker) in row.iter_mut().zip(stickers) {
        *color = sticker as u8;
    }
}

/// Returns the quarter turns of a cube; an action is an index into this slice.
const fn turns(size: CubeSize) -> &'static [FaceTurn] {
    TurnMetric::Quarter.turns(size)
}

impl<C: CubeTask> GameRules for ScrambledCube<C> {
    const NAME: &'static str = <C as CubeTask>::NAME;
    const ACTIONS: usize = turns(C::SIZE).len();
    const PLAYERS: u8 = 1;
    const STEP_LIMIT: Option<u32> = Some(<C as CubeTask>::STEP_LIMIT);
    const SCRAMBLE_LENGTH: Option<u32> = Some(C::FARTHEST);
    const LARGEST_REWARD: f32 = 0.0;

    fn observation_space(settings: &GameSettings) -> (Vec<usize>, u8) {
        let colors = Face::ALL.len();
        if settings.one_hot { (vec![C::STICKERS, colors], 1) } else { (vec![C::STICKERS], colors as u8 - 1) }
    }

    fn begin(settings: &GameSettings, key: EpisodeKey) -> Self {
        let mut random = Stream::new(key.seed, key.episode);
        let mut walk = RandomWalk::new(C::SIZE, TurnMetric::Quarter, Backtracking::Never);
        loop {
            walk.restart();
            let turns = 0..settings.scramble_length;
            let cube = turns.fold(C::SOLVED, |cube, _| cube.after(walk.next(&mut random).1));
            // A random walk may end in the solved state; such a scramble is drawn again.
            if !cube.is_solved() {
                return Self(cube);
            }
        }
    }

    fn play(&mut self, action: usize) -> PlayResult {
        self.0 = self.0.after(turns(C::SIZE)[action]);
        let terminated = self.0.is_solved();
        PlayResult { reward: if terminated { 0.0 } else { -1.0 }, terminated }
    }

    fn action_names() -> Vec<String> {
        turns(C::SIZE).iter().map(FaceTurn::to_string).collect()
    }

    fn write_observation(&self, settings: &GameSettings, _: u8, row: &mut [u8]) {
        if !settings.one_hot {
            return self.0.write_colors(row);
        }
        let mut colors = [0; Cube3::STICKERS];
        self.0.write_colors(&mut colors[..C::STICKERS]);
        row.fill(0);
        for (row, &color) in row.chunks_exact_mut(Face::ALL.len()).zip(&colors) {
            row[usize::from(color)] = 1;
        }
    }
}
