//! How a board begins, apart from training.

use vivarium_kernels::rng;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::hard::Boards;
use vivarium_logic_ca::{Grid, LogicConfig};

/// Where boards are trained on single neighborhoods, there is nothing to see on such a small one.
const SIDE_FOR_NEIGHBORHOODS: usize = 64;

/// One board to look at: of the size that is trained.
pub(super) fn grid(config: &LogicConfig) -> Grid {
    let grid = Grid { boards: 1, ..config.grid() };
    match config.start {
        InitialState::Neighborhoods => {
            Grid { height: SIDE_FOR_NEIGHBORHOODS, width: SIDE_FOR_NEIGHBORHOODS, ..grid }
        }
        _ => grid,
    }
}

/// Lets the first board begin; noise, also where neighborhoods are trained, is drawn from `seed`.
pub(super) fn begin(boards: &mut Boards, start: InitialState, seed: u64) {
    boards.clear();
    let grid = boards.grid();
    let middle = grid.height / 2 * grid.width + grid.width / 2;
    for channel in 0..boards.channels() {
        match start {
            InitialState::Zeros => {}
            InitialState::Seed => boards.set(channel, middle, true),
            InitialState::Random | InitialState::Neighborhoods => {
                boards.set_channel_words(channel, (0..).map(|number| noise(seed, channel, number)));
            }
        }
    }
}

/// 64 fair bits; words are numbered row by row.
fn noise(seed: u64, channel: usize, number: u32) -> u64 {
    let [low, high] = rng::block(seed, channel as u32, number);
    u64::from(high) << 32 | u64::from(low)
}

/// The bit of such noise for a single cell of a board.
pub(super) fn noise_at(seed: u64, grid: &Grid, channel: usize, lane: usize) -> bool {
    let (row, column) = (lane / grid.width, lane % grid.width);
    let number = row * grid.width.div_ceil(64) + column / 64;
    noise(seed, channel, number as u32) >> (column % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_logic_ca::Border;

    #[test]
    fn noise_is_fair_alike_both_ways_and_other_for_another_seed() {
        let grid = Grid { boards: 1, height: 10, width: 100, border: Border::Periodic };
        let mut boards = Boards::new(grid, 3).unwrap();
        begin(&mut boards, InitialState::Random, 5);
        let ones = boards.count(2);
        assert!((430..570).contains(&ones), "{ones}");
        assert!((0..grid.lanes()).all(|lane| boards.get(2, lane) == noise_at(5, &grid, 2, lane)));
        let alike = |seed, channel| {
            (0..grid.lanes())
                .filter(|&lane| boards.get(2, lane) == noise_at(seed, &grid, channel, lane))
                .count()
        };
        for other in [alike(6, 2), alike(5, 1)] {
            assert!((430..570).contains(&other), "{other}");
        }
    }

    #[test]
    fn boards_begin_as_they_are_asked_to() {
        let grid = Grid { boards: 1, height: 5, width: 4, border: Border::Fixed };
        let mut boards = Boards::new(grid, 2).unwrap();
        for (start, ones) in [(InitialState::Random, 10), (InitialState::Seed, 1), (InitialState::Zeros, 0)] {
            begin(&mut boards, start, 3);
            for channel in 0..2 {
                assert!(boards.count(channel).abs_diff(ones) <= if ones == 10 { 7 } else { 0 });
            }
        }
        begin(&mut boards, InitialState::Seed, 3);
        assert!(boards.get(0, 10) && boards.get(1, 10));
    }
}
