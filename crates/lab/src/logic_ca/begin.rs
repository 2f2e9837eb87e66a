//! How a board begins, apart from training.

use vivarium_kernels::rng;
use vivarium_logic_ca::config::Start;
use vivarium_logic_ca::hard::Boards;
use vivarium_logic_ca::{Grid, LogicConfig};

/// Where boards are trained on single neighbourhoods, there is nothing to see on such a small one.
const SIDE_FOR_NEIGHBOURHOODS: usize = 64;

/// One board to look at: of the size that is trained.
pub(super) fn grid(config: &LogicConfig) -> Grid {
    let grid = Grid { boards: 1, ..config.grid() };
    match config.start {
        Start::Neighbourhoods => {
            Grid { height: SIDE_FOR_NEIGHBOURHOODS, width: SIDE_FOR_NEIGHBOURHOODS, ..grid }
        }
        _ => grid,
    }
}

/// Lets the first board begin; noise, also where neighbourhoods are trained, is drawn from `seed`.
pub(super) fn begin(boards: &mut Boards, start: Start, seed: u64) {
    boards.clear();
    let grid = boards.grid();
    let middle = grid.height / 2 * grid.width + grid.width / 2;
    for channel in 0..boards.channels() {
        match start {
            Start::Zeros => {}
            Start::Seed => boards.set(channel, middle, true),
            Start::Random | Start::Neighbourhoods => {
                boards.set_channel(channel, noise(seed, channel).take(grid.lanes()));
            }
        }
    }
}

/// Fair bits for a channel, lane by lane.
fn noise(seed: u64, channel: usize) -> impl Iterator<Item = bool> {
    let words = (0..).flat_map(move |number| rng::block(seed, channel as u32, number));
    words.flat_map(|word| (0..32).map(move |place| word >> place & 1 == 1))
}

/// Fair bits for a few cells, each by itself.
pub(super) fn noise_at(seed: u64, channel: usize, lane: usize) -> bool {
    rng::block(seed, channel as u32, (lane / 64) as u32)[lane / 32 % 2] >> (lane % 32) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_logic_ca::Border;

    #[test]
    fn noise_is_fair_alike_both_ways_and_other_for_another_seed() {
        let bits: Vec<bool> = noise(5, 2).take(1000).collect();
        let ones = bits.iter().filter(|&&bit| bit).count();
        assert!((430..570).contains(&ones), "{ones}");
        assert!(bits.iter().enumerate().all(|(lane, &bit)| bit == noise_at(5, 2, lane)));
        assert!(!noise(6, 2).take(1000).eq(bits.iter().copied()));
        assert!(!noise(5, 3).take(1000).eq(bits));
    }

    #[test]
    fn boards_begin_as_they_are_asked_to() {
        let grid = Grid { boards: 1, height: 5, width: 4, border: Border::Fixed };
        let mut boards = Boards::new(grid, 2).unwrap();
        for (start, ones) in [(Start::Random, 10), (Start::Seed, 1), (Start::Zeros, 0)] {
            begin(&mut boards, start, 3);
            for channel in 0..2 {
                assert!(boards.count(channel).abs_diff(ones) <= if ones == 10 { 7 } else { 0 });
            }
        }
        begin(&mut boards, Start::Seed, 3);
        assert!(boards.get(0, 10) && boards.get(1, 10));
    }
}
