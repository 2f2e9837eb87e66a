//! Training batch of an epoch: initial states, update masks and targets.
//!
//! A batch depends only on the seed and the epoch number, so a run can be resumed at any epoch.

use crate::circuit::rng_stream;
use crate::config::{InitialState, LogicConfig};
use crate::grid::Grid;
use crate::hard::{Boards, UpdateMask};
use crate::target::{self, TargetPattern};
use vivarium_kernels::rng;

/// Number of 3×3 neighborhoods of cells with one bit: 2⁹.
pub(crate) const NEIGHBORHOODS: usize = 512;

/// Boards on which the automaton is trained in one epoch: initial states, update masks and target bits. Later epochs
/// reuse the memory.
#[derive(Clone, Debug)]
pub(crate) struct EpochBatch {
    pub grid: Grid,
    pub steps: usize,
    start_kind: InitialState,
    fire_rate: f32,
    seed: u64,
    /// Initial states of all boards, `[channel][lane]`; a lane is a cell of a board.
    pub start: Vec<Vec<bool>>,
    /// Desired bits of the target channels (the channels that the loss compares with the target) after the last step,
    /// `[target channel][lane]`; a lane is a cell of a board.
    pub target_bits: Vec<Vec<bool>>,
    /// Random mask of the cells that are updated in each step; `None` if all cells are updated.
    pub update_mask: Option<UpdateMask>,
    scratch: Vec<bool>,
}

impl EpochBatch {
    /// Allocates a batch for the number and size of boards in `grid`. The number of boards may differ from the batch
    /// size of the config, as in an evaluation.
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
            target_bits: Vec::new(),
            update_mask: None,
            scratch: vec![false; lanes],
        }
    }

    /// Samples the batch of an epoch. If `target` is `None`, the target bits are computed by the Game of Life from the
    /// first channel of the initial state.
    pub fn draw(&mut self, epoch: u64, target: Option<&TargetPattern>) {
        self.draw_start(epoch);
        self.update_mask =
            (self.fire_rate < 1.0).then(|| UpdateMask::of_epoch(self.fire_rate, self.seed, epoch));
        self.set_target(target);
    }

    /// Fills the boards with all 512 neighborhoods if the initial state is
    /// [`Neighborhoods`](InitialState::Neighborhoods); otherwise samples a batch like [`draw`](Self::draw).
    pub fn list_neighborhoods(&mut self, epoch: u64, target: Option<&TargetPattern>) {
        self.draw(epoch, target);
        if self.start_kind == InitialState::Neighborhoods {
            let cells = self.grid.cells();
            for (lane, bit) in self.start[0].iter_mut().enumerate() {
                *bit = (lane / cells) >> (lane % cells) & 1 == 1;
            }
            self.set_target(target);
        }
    }

    fn draw_start(&mut self, epoch: u64) {
        let seed = rng::derive(rng::derive(self.seed, rng_stream::INITIAL_STATE), (epoch >> 32) as u32);
        let (cells, grid) = (self.grid.cells(), self.grid);
        let middle = grid.height / 2 * grid.width + grid.width / 2;
        for (channel, bits) in self.start.iter_mut().enumerate() {
            let lanes = bits.len();
            let mut word = 0;
            for (lane, bit) in bits.iter_mut().enumerate() {
                *bit = match self.start_kind {
                    InitialState::Zeros => false,
                    InitialState::Seed => lane % cells == middle,
                    InitialState::Random => {
                        // Each channel has its own range of 64-bit blocks in the random stream.
                        if lane % 64 == 0 {
                            let step = channel * lanes.div_ceil(64) + lane / 64;
                            let [low, high] = rng::block(seed, epoch as u32, step as u32);
                            word = u64::from(high) << 32 | u64::from(low);
                        }
                        word >> (lane % 64) & 1 == 1
                    }
                    InitialState::Neighborhoods => {
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

    /// Copies the initial states of the batch to `boards`, on which the hard automaton (discrete gates) runs.
    pub fn begin(&self, boards: &mut Boards) {
        for (channel, bits) in self.start.iter().enumerate() {
            boards.set_channel(channel, bits.iter().copied());
        }
    }

    fn set_target(&mut self, target: Option<&TargetPattern>) {
        let lanes = self.grid.lanes();
        self.target_bits.resize_with(target.map_or(1, |target| target.channels), Vec::new);
        for target_bits in &mut self.target_bits {
            target_bits.resize(lanes, false);
        }
        match target {
            Some(target) => {
                for (channel, target_bits) in self.target_bits.iter_mut().enumerate() {
                    for (lane, bit) in target_bits.iter_mut().enumerate() {
                        *bit = target.on(&self.grid, channel, lane);
                    }
                }
            }
            None => {
                let [target_bits, ..] = &mut self.target_bits[..] else { return };
                target_bits.copy_from_slice(&self.start[0]);
                for _ in 0..self.steps {
                    target::life(&self.grid, target_bits, &mut self.scratch);
                    target_bits.copy_from_slice(&self.scratch);
                }
            }
        }
    }
}

/// Comparison of the last state of a rollout with hard (discrete) gates with the target bits: number of wrong bits, and
/// accuracy (fraction of cells whose compared channels are all correct).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoardScore {
    pub wrong_bits: u64,
    pub accuracy: f64,
}

impl BoardScore {
    pub fn of(boards: &Boards, batch: &EpochBatch) -> Self {
        let (mut wrong_bits, mut right_cells) = (0, 0u64);
        for lane in 0..batch.grid.lanes() {
            let wrong = |(channel, target_bits): &(usize, &Vec<bool>)| {
                boards.get(*channel, lane) != target_bits[lane]
            };
            let wrong = batch.target_bits.iter().enumerate().filter(wrong).count();
            wrong_bits += wrong as u64;
            right_cells += u64::from(wrong == 0);
        }
        Self { wrong_bits, accuracy: right_cells as f64 / batch.grid.lanes() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::LogicPreset;

    fn drawn(preset: LogicPreset, seed: u64, epoch: u64) -> EpochBatch {
        let config = LogicConfig::of(preset);
        let mut task = EpochBatch::new(&config, config.grid(), seed);
        task.draw(epoch, config.target().as_ref());
        task
    }

    fn share(bits: &[Vec<bool>]) -> f64 {
        let ones = bits.iter().flatten().filter(|&&bit| bit).count();
        ones as f64 / bits.iter().map(Vec::len).sum::<usize>() as f64
    }

    #[test]
    fn random_states_are_unbiased_and_differ_between_epochs() {
        let task = drawn(LogicPreset::Checkerboard, 1, 5);
        assert!((share(&task.start) - 0.5).abs() < 0.05);
        assert_eq!(task.start, drawn(LogicPreset::Checkerboard, 1, 5).start);
        assert_ne!(task.start, drawn(LogicPreset::Checkerboard, 1, 6).start);
        assert_ne!(task.start, drawn(LogicPreset::Checkerboard, 2, 5).start);
        assert_ne!(task.start[0], task.start[1]);
        assert_ne!(task.start[0][..256], task.start[0][256..]);
        assert_eq!(task.update_mask, None);
    }

    #[test]
    fn update_masks_differ_between_epochs() {
        let update_mask =
            |seed, epoch| drawn(LogicPreset::CheckerboardAsync, seed, epoch).update_mask.unwrap();
        assert_eq!(update_mask(1, 0).rate, 0.6);
        assert_eq!(update_mask(1, 5), update_mask(1, 5));
        for other in [update_mask(1, 6), update_mask(1, 5 + (1 << 32)), update_mask(2, 5)] {
            assert_ne!(update_mask(1, 5).seed, other.seed);
        }
    }

    #[test]
    fn seed_state_is_one_cell_in_all_channels() {
        let task = drawn(LogicPreset::Lizard, 1, 0);
        for channel in &task.start {
            let ones: Vec<_> = (0..400).filter(|&lane| channel[lane]).collect();
            assert_eq!(ones, [10 * 20 + 10]);
        }
        assert!(drawn(LogicPreset::Letter, 1, 0).start.iter().flatten().all(|&bit| !bit));
    }

    #[test]
    fn all_neighborhoods_are_listed_once_with_their_targets() {
        let config = LogicConfig::of(LogicPreset::Life);
        let grid = Grid { boards: NEIGHBORHOODS, ..config.grid() };
        let mut task = EpochBatch::new(&config, grid, 1);
        task.list_neighborhoods(0, None);
        let boards: std::collections::BTreeSet<_> = task.start[0].chunks(9).collect();
        assert_eq!(boards.len(), 512);
        for (board, target_bits) in task.start[0].chunks(9).zip(task.target_bits[0].chunks(9)) {
            let around = board.iter().enumerate().filter(|&(place, &bit)| place != 4 && bit).count();
            assert_eq!(target_bits[4], around == 3 || around == 2 && board[4]);
        }
    }
}
