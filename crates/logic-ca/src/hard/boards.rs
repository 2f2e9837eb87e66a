//! Boards of bits: for every channel one plane in which all cells lie in a row.
//!
//! A row of cells is followed by the next one after a constant *stride* of bits that leaves one bit free on
//! either side; above and below each board lies a free row. These *margins* hold what lies beyond the edges:
//! zeros, or copies of the opposite edge. So every neighbor of a cell stands at a constant distance from it,
//! and the neighbors of 64 successive bits are 64 successive bits, whatever the width.

use crate::grid::{Border, Grid};
use std::ops::Range;
use vivarium_graph::Cpu;

/// The most memory that boards take.
pub const MAX_BYTES: usize = 1 << 30;

/// Words that are evaluated together: enough that finding a gate's operands costs less than its operation,
/// and few enough that the values of some 300 gates fit 48 KiB.
pub(super) const BLOCK: usize = 16;

const BITS: usize = 64;

/// Bits of cells, in all channels.
#[derive(Clone, Debug)]
pub struct Boards {
    grid: Grid,
    channels: usize,
    pub(super) layout: Layout,
    /// `[channel][words]`, and the same to be written by the next step.
    pub(super) planes: Vec<u64>,
    pub(super) next: Vec<u64>,
    /// 1 where there is a cell, 0 in margins.
    pub(super) cells: Vec<u64>,
    /// 1 where a cell fires in this step; empty as long as all do.
    pub(super) firing: Vec<u64>,
}

/// Why there cannot be such boards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardsError {
    /// A side, a number of boards or of channels is 0.
    #[error("{0} is 0; it must be at least 1")]
    Empty(&'static str),
    /// They would take more than [`MAX_BYTES`].
    #[error(
        "{boards} boards of {width} × {height} cells with {channels} channels would take more than {} MiB of memory; \
         make them smaller",
        MAX_BYTES >> 20
    )]
    TooLarge {
        /// How many boards.
        boards: usize,
        /// Columns of each.
        width: usize,
        /// Rows of each.
        height: usize,
        /// Bits of a cell.
        channels: usize,
    },
}

/// Where bits lie in a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Bits from a row to the next one.
    pub stride: usize,
    /// The word in which the first cell of all lies; a multiple of [`BLOCK`].
    pub first_word: usize,
    /// Blocks from that word on in which cells lie.
    pub blocks: usize,
    /// Words of a plane.
    pub words: usize,
}

impl Layout {
    /// `None` if it does not fit the memory of the machine's address space.
    fn new(grid: Grid) -> Option<Self> {
        let narrow = grid.width.checked_add(2)?;
        // Rows that begin with a word can be filled apart by several threads; for wide ones that is worth the
        // bits.
        let stride = if narrow >= 16 * BITS { narrow.checked_next_multiple_of(BITS)? } else { narrow };
        let rows = grid.boards.checked_mul(grid.height.checked_add(2)?)?;
        // The free row above the first board, and what its cells' neighbors need before it.
        let first_word = stride.div_ceil(BITS).checked_add(1)?.checked_next_multiple_of(BLOCK)?;
        let blocks = rows.checked_mul(stride)?.div_ceil(BITS * BLOCK);
        let words = blocks.checked_mul(BLOCK)?.checked_add(first_word.checked_mul(2)?)?;
        words.checked_mul(BITS)?;
        Some(Self { stride, first_word, blocks, words })
    }
}

impl Boards {
    /// Boards on which all bits are 0.
    ///
    /// # Errors
    /// [`BoardsError`] if a side is 0, or they would be too large.
    pub fn new(grid: Grid, channels: usize) -> Result<Self, BoardsError> {
        let Grid { boards, width, height, .. } = grid;
        let sides = [("boards", boards), ("height", height), ("width", width), ("channels", channels)];
        if let Some((name, _)) = sides.iter().find(|(_, side)| *side == 0) {
            return Err(BoardsError::Empty(name));
        }
        // Two states, which cells there are, and which fire.
        let planes = channels.saturating_mul(2).saturating_add(2);
        let layout = Layout::new(grid)
            .filter(|layout| layout.words.saturating_mul(planes).saturating_mul(8) <= MAX_BYTES)
            .ok_or(BoardsError::TooLarge { boards, width, height, channels })?;
        let mut made = Self {
            grid,
            channels,
            layout,
            planes: vec![0; channels * layout.words],
            next: vec![0; channels * layout.words],
            cells: vec![0; layout.words],
            firing: Vec::new(),
        };
        for row in 0..boards * height {
            fill_ones(&mut made.cells, row_start(grid, layout, row), width);
        }
        Ok(made)
    }

    /// The boards' sizes and border.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Bits of a cell.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// How many blocks of cells a step consists of: pieces of equal size.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.layout.blocks
    }

    /// Cells of a block, margins included.
    pub const BLOCK_CELLS: usize = BLOCK * BITS;

    /// The rows that begin in these blocks; rows of all boards are counted.
    pub(super) fn rows_in(&self, blocks: &Range<usize>) -> Range<usize> {
        let Grid { boards, height, .. } = self.grid;
        let from = |block: usize| {
            // Among a board's lines are two free ones, which follow its rows.
            let line = (block * Self::BLOCK_CELLS).div_ceil(self.layout.stride);
            (line / (height + 2) * height + (line % (height + 2)).min(height)).min(boards * height)
        };
        from(blocks.start)..from(blocks.end)
    }

    /// A bit of a cell; `lane` as in [`Grid`].
    ///
    /// # Panics
    /// If there is no such channel or lane.
    #[inline]
    #[must_use]
    pub fn get(&self, channel: usize, lane: usize) -> bool {
        let bit = self.bit(channel, lane);
        self.planes[channel * self.layout.words + bit / BITS] >> (bit % BITS) & 1 == 1
    }

    /// Sets a bit of a cell, and its copies beyond the edges; also in what the parts of a step have made so far.
    ///
    /// # Panics
    /// If there is no such channel or lane.
    pub fn set(&mut self, channel: usize, lane: usize, value: bool) {
        let plane_start = channel * self.layout.words;
        let bit = self.bit(channel, lane);
        let cell = lane % self.grid.cells();
        let (row, column) = (cell / self.grid.width, cell % self.grid.width);
        let Grid { height, width, .. } = self.grid;
        let plane = &mut self.planes[plane_start..][..self.layout.words];
        set_bit(plane, bit, value);
        set_bit(&mut self.next[plane_start..][..self.layout.words], bit, value);
        if self.grid.border == Border::Fixed {
            return;
        }
        // The distances of its copies along a column and along a row.
        let copies = |at: usize, len: usize, step: usize| {
            let up = (at == len - 1).then_some(-((len * step) as isize));
            let down = (at == 0).then_some((len * step) as isize);
            [Some(0), up, down].into_iter().flatten()
        };
        for vertical in copies(row, height, self.layout.stride) {
            for horizontal in copies(column, width, 1) {
                set_bit(plane, bit.wrapping_add_signed(vertical + horizontal), value);
            }
        }
    }

    /// Sets a channel of all cells, one value per lane.
    ///
    /// # Panics
    /// If there is no such channel or not one value for each lane.
    pub fn set_channel(&mut self, channel: usize, values: impl IntoIterator<Item = bool>) {
        let Grid { width, .. } = self.grid;
        let words = self.layout.words;
        let mut lanes = 0;
        for (lane, value) in values.into_iter().enumerate() {
            assert!(lane < self.grid.lanes(), "more values than cells");
            let bit = self.row_start(lane / width) + lane % width;
            set_bit(&mut self.planes[channel * words..][..words], bit, value);
            lanes = lane + 1;
        }
        assert_eq!(lanes, self.grid.lanes(), "one value for each cell");
        let plane = &mut self.planes[channel * words..][..words];
        fill_margins(plane, self.grid, self.layout);
    }

    /// Sets a channel of all cells, 64 a word: for each row of all boards what [`row_words`](Self::row_words) gives. Bits
    /// beyond the end of a row do not matter.
    ///
    /// # Panics
    /// If there is no such channel or there are too few words.
    pub fn set_channel_words(&mut self, channel: usize, words: impl IntoIterator<Item = u64>) {
        let (grid, layout) = (self.grid, self.layout);
        let plane = &mut self.planes[channel * layout.words..][..layout.words];
        let mut words = words.into_iter();
        for row in 0..grid.boards * grid.height {
            let start = row_start(grid, layout, row);
            for column in (0..grid.width).step_by(BITS) {
                let word = words.next().expect("a word for every 64 cells of a row");
                write_bits(plane, start + column, BITS.min(grid.width - column), word);
            }
        }
        fill_margins(plane, grid, layout);
    }

    /// A channel of all cells, one value per lane.
    ///
    /// # Panics
    /// If there is no such channel.
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = bool> + '_ {
        assert!(channel < self.channels, "channel {channel} of {}", self.channels);
        let plane = &self.planes[channel * self.layout.words..][..self.layout.words];
        (0..self.grid.boards * self.grid.height).flat_map(move |row| {
            let start = self.row_start(row);
            (start..start + self.grid.width).map(move |bit| plane[bit / BITS] >> (bit % BITS) & 1 == 1)
        })
    }

    /// Sets all bits to 0.
    pub fn clear(&mut self) {
        self.planes.fill(0);
    }

    /// The bits of a row's cells, 64 a word, the first cell in the lowest bit of the first word; `row` counts
    /// those of all boards.
    pub fn row_words(&self, channel: usize, row: usize) -> impl Iterator<Item = u64> + '_ {
        let plane = &self.planes[channel * self.layout.words..][..self.layout.words];
        let (start, width) = (self.row_start(row), self.grid.width);
        (0..width).step_by(BITS).map(move |column| {
            let mask = if width - column < BITS { (1 << (width - column)) - 1 } else { u64::MAX };
            read_bits(plane, start + column) & mask
        })
    }

    /// How many cells have a 1 in this channel.
    #[must_use]
    pub fn count(&self, channel: usize) -> usize {
        let plane = &self.planes[channel * self.layout.words..][..self.layout.words];
        let cells = plane.iter().zip(&self.cells);
        cells.map(|(word, cells)| (word & cells).count_ones() as usize).sum()
    }

    /// What was written is the state now; margins are filled.
    pub(super) fn advance(&mut self, cpu: &Cpu) {
        std::mem::swap(&mut self.planes, &mut self.next);
        if self.grid.border == Border::Periodic {
            let (grid, layout) = (self.grid, self.layout);
            if self.grid.lanes() < 1 << 14 || cpu.threads() == 1 {
                self.planes
                    .chunks_exact_mut(layout.words)
                    .for_each(|plane| fill_margins(plane, grid, layout));
            } else {
                let mut planes: Vec<_> = self.planes.chunks_exact_mut(layout.words).collect();
                cpu.for_each(&mut planes, |_, plane| fill_margins(plane, grid, layout));
            }
        }
    }

    /// Where a row's first cell lies; `row` counts those of all boards.
    pub(super) fn row_start(&self, row: usize) -> usize {
        row_start(self.grid, self.layout, row)
    }

    fn bit(&self, channel: usize, lane: usize) -> usize {
        assert!(channel < self.channels, "channel {channel} of {}", self.channels);
        assert!(lane < self.grid.lanes(), "lane {lane} of {}", self.grid.lanes());
        self.row_start(lane / self.grid.width) + lane % self.grid.width
    }
}

fn row_start(grid: Grid, layout: Layout, row: usize) -> usize {
    let (board, row) = (row / grid.height, row % grid.height);
    // The bit before the first cell is a margin's: for it there is room in the word before, or at the end of
    // the row before.
    layout.first_word * BITS + (board * (grid.height + 2) + row) * layout.stride
}

/// Copies the opposite edges into the margins of a periodic plane.
fn fill_margins(plane: &mut [u64], grid: Grid, layout: Layout) {
    if grid.border == Border::Fixed {
        return;
    }
    let Layout { stride, .. } = layout;
    for board in 0..grid.boards {
        let first = row_start(grid, layout, board * grid.height);
        for row in 0..grid.height {
            let start = first + row * stride;
            let (left, right) = (get_bit(plane, start), get_bit(plane, start + grid.width - 1));
            set_bit(plane, start - 1, right);
            set_bit(plane, start + grid.width, left);
        }
        let last = first + (grid.height - 1) * stride;
        copy_bits(plane, last - 1, first - stride - 1, grid.width + 2);
        copy_bits(plane, first - 1, last + stride - 1, grid.width + 2);
    }
}

#[inline]
fn get_bit(plane: &[u64], bit: usize) -> bool {
    plane[bit / BITS] >> (bit % BITS) & 1 == 1
}

#[inline]
pub(super) fn set_bit(plane: &mut [u64], bit: usize, value: bool) {
    let word = &mut plane[bit / BITS];
    *word = *word & !(1 << (bit % BITS)) | u64::from(value) << (bit % BITS);
}

/// 64 bits from any bit on.
#[inline]
fn read_bits(plane: &[u64], bit: usize) -> u64 {
    let (word, shift) = (bit / BITS, bit % BITS);
    plane[word] >> shift | plane[word + 1] << 1 << (BITS - 1 - shift)
}

/// Replaces `count` (at most 64) bits.
#[inline]
pub(super) fn write_bits(plane: &mut [u64], bit: usize, count: usize, bits: u64) {
    let mask = if count == BITS { u64::MAX } else { (1 << count) - 1 };
    let (word, shift) = (bit / BITS, bit % BITS);
    let bits = bits & mask;
    plane[word] = plane[word] & !(mask << shift) | bits << shift;
    if shift + count > BITS {
        let (mask, bits) = (mask >> (BITS - shift), bits >> (BITS - shift));
        plane[word + 1] = plane[word + 1] & !mask | bits;
    }
}

fn copy_bits(plane: &mut [u64], from: usize, to: usize, count: usize) {
    for at in (0..count).step_by(BITS) {
        let bits = read_bits(plane, from + at);
        write_bits(plane, to + at, BITS.min(count - at), bits);
    }
}

fn fill_ones(plane: &mut [u64], from: usize, count: usize) {
    for at in (0..count).step_by(BITS) {
        write_bits(plane, from + at, BITS.min(count - at), u64::MAX);
    }
}
