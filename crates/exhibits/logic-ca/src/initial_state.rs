//! Initial states of boards outside of training: sandbox, generalization tests and exports.

use vivarium_kernels::rng;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::hard::Boards;
use vivarium_logic_ca::{Grid, LogicConfig};

/// Side length in cells of the board if the training boards are single 3×3 neighborhoods, which are too small to
/// display.
const SIDE_FOR_NEIGHBORHOODS: usize = 64;

/// Returns the geometry of a single board with the border and size of the training boards. If these are single 3×3
/// neighborhoods, the board has 64×64 cells.
pub(super) fn grid(config: &LogicConfig) -> Grid {
    let grid = Grid { boards: 1, ..config.grid() };
    match config.start {
        InitialState::Neighborhoods => {
            Grid { height: SIDE_FOR_NEIGHBORHOODS, width: SIDE_FOR_NEIGHBORHOODS, ..grid }
        }
        InitialState::Random | InitialState::Seed | InitialState::Zeros => grid,
    }
}

/// Sets all cells of `boards` to 0 and then the first board to the initial state `start`. For `Random` and
/// `Neighborhoods` the bits are random and depend on `seed`.
pub(super) fn set_initial_state(boards: &mut Boards, start: InitialState, seed: u64) {
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

/// Returns the random bits of 64 cells of a channel that are neighbors in a row, one bit per cell. `number` is the
/// index of these 64 cells, counted row by row over the board.
fn noise(seed: u64, channel: usize, number: u32) -> u64 {
    let [low, high] = rng::block(seed, channel as u32, number);
    u64::from(high) << 32 | u64::from(low)
}

/// Returns the random bit that [`set_initial_state`] sets for `seed` in channel `channel` of the cell with index
/// `lane`, counted row by row.
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
    fn noise_is_unbiased_consistent_and_depends_on_the_seed() {
        let grid = Grid { boards: 1, height: 10, width: 100, border: Border::Periodic };
        let mut boards = Boards::new(grid, 3).unwrap();
        set_initial_state(&mut boards, InitialState::Random, 5);
        let ones = boards.count(2);
        assert!((430..570).contains(&ones), "{ones}");
        assert!((0..grid.lanes()).all(|lane| boards.get(2, lane) == noise_at(5, &grid, 2, lane)));
        let pattern_accuracy = |seed, channel| {
            (0..grid.lanes())
                .filter(|&lane| boards.get(2, lane) == noise_at(seed, &grid, channel, lane))
                .count()
        };
        for other in [pattern_accuracy(6, 2), pattern_accuracy(5, 1)] {
            assert!((430..570).contains(&other), "{other}");
        }
    }

    #[test]
    fn boards_have_the_requested_initial_state() {
        let grid = Grid { boards: 1, height: 5, width: 4, border: Border::Fixed };
        let mut boards = Boards::new(grid, 2).unwrap();
        for (start, ones) in [(InitialState::Random, 10), (InitialState::Seed, 1), (InitialState::Zeros, 0)] {
            set_initial_state(&mut boards, start, 3);
            for channel in 0..2 {
                assert!(boards.count(channel).abs_diff(ones) <= if ones == 10 { 7 } else { 0 });
            }
        }
        set_initial_state(&mut boards, InitialState::Seed, 3);
        assert!(boards.get(0, 10) && boards.get(1, 10));
    }
}
