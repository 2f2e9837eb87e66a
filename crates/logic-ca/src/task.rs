//! What an epoch learns from: how its boards start, which cells fire, and what they are to become.
//!
//! All of it is drawn from (seed, number of the epoch) alone, so that a run can be taken up at any epoch.

use crate::circuit::purpose;
use crate::config::{LogicConfig, Start};
use crate::grid::Grid;
use crate::hard::{Boards, Fire};
use crate::target::{self, Target};
use vivarium_kernels::rng;

/// Neighborhoods of a cell that is on or off.
pub(crate) const NEIGHBORHOODS: usize = 512;

/// The boards of one epoch. Memory is used again for the next.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub grid: Grid,
    pub steps: usize,
    start_kind: Start,
    fire_rate: f32,
    seed: u64,
    /// `[channel][lane]`.
    pub start: Vec<Vec<bool>>,
    /// `[target channel][lane]`.
    pub wanted: Vec<Vec<bool>>,
    /// Which cells fire; `None` where all do.
    pub fire: Option<Fire>,
    scratch: Vec<bool>,
}

impl Task {
    /// Room for the boards of `grid`, which may be more or fewer than those of the config.
    pub fn new(config: &LogicConfig, grid: Grid, seed: u64) -> Self {
        let lanes = grid.lanes();
        let steps = config.steps as usize;
        Self {
            grid,
            steps,
            start_kind: config.start,
            fire_rate: config.fire_rate,
            seed,
            start: vec![vec![false; lanes]; config.channels as usize],
            wanted: Vec::new(),
            fire: None,
            scratch: vec![false; lanes],
        }
    }

    /// Draws everything for an epoch. Without a pattern the target is what Life makes of the first channel.
    pub fn draw(&mut self, epoch: u64, target: Option<&Target>) {
        self.draw_start(epoch);
        self.fire = (self.fire_rate < 1.0).then(|| Fire::of_epoch(self.fire_rate, self.seed, epoch));
        self.set_target(target);
    }

    /// Every neighborhood once, on as many boards.
    pub fn list_neighborhoods(&mut self, epoch: u64, target: Option<&Target>) {
        self.draw(epoch, target);
        if self.start_kind == Start::Neighborhoods {
            let cells = self.grid.cells();
            for (lane, bit) in self.start[0].iter_mut().enumerate() {
                *bit = (lane / cells) >> (lane % cells) & 1 == 1;
            }
            self.set_target(target);
        }
    }

    fn draw_start(&mut self, epoch: u64) {
        let seed = rng::derive(rng::derive(self.seed, purpose::START), (epoch >> 32) as u32);
        let (cells, grid) = (self.grid.cells(), self.grid);
        let middle = grid.height / 2 * grid.width + grid.width / 2;
        for (channel, bits) in self.start.iter_mut().enumerate() {
            let lanes = bits.len();
            let mut word = 0;
            for (lane, bit) in bits.iter_mut().enumerate() {
                *bit = match self.start_kind {
                    Start::Zeros => false,
                    Start::Seed => lane % cells == middle,
                    Start::Random => {
                        // Every channel starts a block of its own.
                        if lane % 64 == 0 {
                            let step = channel * lanes.div_ceil(64) + lane / 64;
                            let [low, high] = rng::block(seed, epoch as u32, step as u32);
                            word = u64::from(high) << 32 | u64::from(low);
                        }
                        word >> (lane % 64) & 1 == 1
                    }
                    Start::Neighborhoods => {
                        if lane % cells == 0 {
                            let [low, _] = rng::block(seed, epoch as u32, (lane / cells) as u32);
                            word = u64::from(low) % NEIGHBORHOODS as u64;
                        }
                        word >> (lane % cells) & 1 == 1
                    }
                };
            }
        }
    }

    /// Puts boards where the epoch starts.
    pub fn begin(&self, boards: &mut Boards) {
        for (channel, bits) in self.start.iter().enumerate() {
            boards.set_channel(channel, bits.iter().copied());
        }
    }

    fn set_target(&mut self, target: Option<&Target>) {
        let lanes = self.grid.lanes();
        self.wanted.resize_with(target.map_or(1, |target| target.channels), Vec::new);
        for wanted in &mut self.wanted {
            wanted.resize(lanes, false);
        }
        match target {
            Some(target) => {
                for (channel, wanted) in self.wanted.iter_mut().enumerate() {
                    for (lane, bit) in wanted.iter_mut().enumerate() {
                        *bit = target.on(&self.grid, channel, lane);
                    }
                }
            }
            None => {
                let [wanted, ..] = &mut self.wanted[..] else { return };
                wanted.copy_from_slice(&self.start[0]);
                for _ in 0..self.steps {
                    target::life(&self.grid, wanted, &mut self.scratch);
                    wanted.copy_from_slice(&self.scratch);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;

    fn drawn(preset: Preset, seed: u64, epoch: u64) -> Task {
        let config = LogicConfig::of(preset);
        let mut task = Task::new(&config, config.grid(), seed);
        task.draw(epoch, config.target().as_ref());
        task
    }

    fn share(bits: &[Vec<bool>]) -> f64 {
        let ones = bits.iter().flatten().filter(|&&bit| bit).count();
        ones as f64 / bits.iter().map(Vec::len).sum::<usize>() as f64
    }

    #[test]
    fn noise_is_fair_and_new_in_every_epoch() {
        let task = drawn(Preset::Checkerboard, 1, 5);
        assert!((share(&task.start) - 0.5).abs() < 0.05);
        assert_eq!(task.start, drawn(Preset::Checkerboard, 1, 5).start);
        assert_ne!(task.start, drawn(Preset::Checkerboard, 1, 6).start);
        assert_ne!(task.start, drawn(Preset::Checkerboard, 2, 5).start);
        assert_ne!(task.start[0], task.start[1]);
        assert_ne!(task.start[0][..256], task.start[0][256..]);
        assert_eq!(task.fire, None);
    }

    #[test]
    fn cells_fire_anew_in_every_epoch() {
        let fire = |seed, epoch| drawn(Preset::CheckerboardAsync, seed, epoch).fire.unwrap();
        assert_eq!(fire(1, 0).rate, 0.6);
        assert_eq!(fire(1, 5), fire(1, 5));
        for other in [fire(1, 6), fire(1, 5 + (1 << 32)), fire(2, 5)] {
            assert_ne!(fire(1, 5).seed, other.seed);
        }
    }

    #[test]
    fn a_seed_is_one_cell_in_all_channels() {
        let task = drawn(Preset::Lizard, 1, 0);
        for channel in &task.start {
            let ones: Vec<_> = (0..400).filter(|&lane| channel[lane]).collect();
            assert_eq!(ones, [10 * 20 + 10]);
        }
        assert!(drawn(Preset::Letter, 1, 0).start.iter().flatten().all(|&bit| !bit));
    }

    #[test]
    fn all_neighborhoods_are_listed_once_with_what_becomes_of_them() {
        let config = LogicConfig::of(Preset::Life);
        let grid = Grid { boards: NEIGHBORHOODS, ..config.grid() };
        let mut task = Task::new(&config, grid, 1);
        task.list_neighborhoods(0, None);
        let boards: std::collections::BTreeSet<_> = task.start[0].chunks(9).collect();
        assert_eq!(boards.len(), 512);
        for (board, wanted) in task.start[0].chunks(9).zip(task.wanted[0].chunks(9)) {
            let around = board.iter().enumerate().filter(|&(place, &bit)| place != 4 && bit).count();
            assert_eq!(wanted[4], around == 3 || around == 2 && board[4]);
        }
    }
}
