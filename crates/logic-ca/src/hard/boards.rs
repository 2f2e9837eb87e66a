//! Bit-sliced boards: one bit plane per channel.
//!
//! Rows follow each other at a constant *stride* of bits, which leaves at least two bits between them; each board has
//! an additional row above and below. These *margins* hold the cells beyond the edges: zeros (fixed border) or copies
//! of the opposite edge (periodic border). Therefore the neighbor at a given neighborhood position is at a constant bit
//! distance, and the neighbors of 64 successive bits are 64 successive bits for any board width.

use crate::grid::{Border, Grid};
use std::ops::Range;
use vivarium_graph::Cpu;

/// Maximum memory of a [`Boards`], in bytes: 1 GiB.
pub const MAX_BYTES: usize = 1 << 30;

/// Number of 64-bit words (one bit per cell) per block of cells, for which each gate is evaluated at once. A block is
/// large enough to amortize the decoding of a gate's operands, and small enough that the values of about 300 gates fit
/// 48 KiB of L1 cache.
pub(super) const BLOCK: usize = 16;

const BITS: usize = 64;

/// State of a batch of boards whose cells are bits, for the hard automaton (discrete gates).
#[derive(Clone, Debug)]
pub struct Boards {
    grid: Grid,
    channels: usize,
    pub(super) layout: PlaneLayout,
    /// Current state of the boards as bit planes, `[channel][words]`, 64 bits per word.
    pub(super) planes: Vec<u64>,
    /// Next state of the boards, the output of the automaton step in progress, `[channel][words]`.
    pub(super) next: Vec<u64>,
    /// Bit mask of one plane: 1 for bits that are cells of a board, 0 for bits of the margins between rows and boards.
    pub(super) cells: Vec<u64>,
    /// Update mask of the automaton step in progress, as one bit plane: 1 for cells that are updated. Empty until the
    /// first asynchronous step.
    pub(super) mask_words: Vec<u64>,
}

/// Error of [`Boards::new`]: a size is 0 or the boards are too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardsError {
    /// The number of columns, rows, boards or channels is 0. The field is the name of this number.
    #[error("{0} is 0; it must be at least 1")]
    Empty(&'static str),
    /// The boards would need more memory than [`MAX_BYTES`].
    #[error(
        "{boards} boards of {width} × {height} cells with {channels} channels need more than {} MiB of memory; reduce \
         the number or size of the boards",
        MAX_BYTES >> 20
    )]
    TooLarge {
        /// Number of requested boards.
        boards: usize,
        /// Number of columns of a board.
        width: usize,
        /// Number of rows of a board.
        height: usize,
        /// Number of channels of a cell.
        channels: usize,
    },
}

/// Layout of a bit plane: the rows of all boards with the margins between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaneLayout {
    /// Distance in bits between successive rows of a board.
    pub stride: usize,
    /// Index, in a bit plane, of the 64-bit word that contains the first cell of the first board; a multiple of
    /// [`BLOCK`].
    pub first_word: usize,
    /// Number of blocks of [`BLOCK`] words that contain cells. The first of these blocks begins at word `first_word`.
    pub blocks: usize,
    /// Number of 64-bit words per bit plane (one channel of all boards).
    pub words: usize,
}

impl PlaneLayout {
    /// Computes the bit layout of a plane for the boards of a grid. Returns `None` if a size overflows the address
    /// space.
    fn new(grid: Grid) -> Option<Self> {
        let narrow = grid.width.checked_add(2)?;
        // Word-aligned rows can be written by several threads independently. For wide rows the padding is negligible.
        let stride = if narrow >= 16 * BITS { narrow.checked_next_multiple_of(BITS)? } else { narrow };
        let rows = grid.boards.checked_mul(grid.height.checked_add(2)?)?;
        // Before the first board there are its margin row above and one more word, which neighbor loads read.
        let first_word = stride.div_ceil(BITS).checked_add(1)?.checked_next_multiple_of(BLOCK)?;
        let blocks = rows.checked_mul(stride)?.div_ceil(BITS * BLOCK);
        let words = blocks.checked_mul(BLOCK)?.checked_add(first_word.checked_mul(2)?)?;
        words.checked_mul(BITS)?;
        Some(Self { stride, first_word, blocks, words })
    }
}

impl Boards {
    /// Creates boards whose cells are 0 in all channels.
    ///
    /// # Errors
    /// [`BoardsError`] if a size is 0 or the boards are too large.
    pub fn new(grid: Grid, channels: usize) -> Result<Self, BoardsError> {
        let Grid { boards, width, height, .. } = grid;
        let sides = [("boards", boards), ("height", height), ("width", width), ("channels", channels)];
        if let Some((name, _)) = sides.iter().find(|(_, side)| *side == 0) {
            return Err(BoardsError::Empty(name));
        }
        // Two states, the cell mask, and the update mask.
        let planes = channels.saturating_mul(2).saturating_add(2);
        let layout = PlaneLayout::new(grid)
            .filter(|layout| layout.words.saturating_mul(planes).saturating_mul(8) <= MAX_BYTES)
            .ok_or(BoardsError::TooLarge { boards, width, height, channels })?;
        let mut made = Self {
            grid,
            channels,
            layout,
            planes: vec![0; channels * layout.words],
            next: vec![0; channels * layout.words],
            cells: vec![0; layout.words],
            mask_words: Vec::new(),
        };
        for row in 0..boards * height {
            fill_ones(&mut made.cells, row_start(grid, layout, row), width);
        }
        Ok(made)
    }

    /// Returns the number, height, width and boundary condition of the boards.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the number of channels of a cell.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of blocks of cells into which an automaton step is divided. All blocks have
    /// [`BLOCK_CELLS`](Self::BLOCK_CELLS) cells.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.layout.blocks
    }

    /// Number of bits per block of cells; bits of the margins between rows and boards are included.
    pub const BLOCK_CELLS: usize = BLOCK * BITS;

    /// Returns the range of the board rows that begin in the given blocks of cells; rows are numbered over all boards.
    pub(super) fn rows_in(&self, blocks: &Range<usize>) -> Range<usize> {
        let Grid { boards, height, .. } = self.grid;
        let from = |block: usize| {
            // In a plane, the `height` rows of a board are followed by two margin rows.
            let line = (block * Self::BLOCK_CELLS).div_ceil(self.layout.stride);
            (line / (height + 2) * height + (line % (height + 2)).min(height)).min(boards * height)
        };
        from(blocks.start)..from(blocks.end)
    }

    /// Returns the bit of a channel of the cell `lane`; [`Grid`] defines the numbering of cells.
    ///
    /// # Panics
    /// If `channel` or `lane` is out of range.
    #[inline]
    #[must_use]
    pub fn get(&self, channel: usize, lane: usize) -> bool {
        let bit = self.bit(channel, lane);
        self.planes[channel * self.layout.words + bit / BITS] >> (bit % BITS) & 1 == 1
    }

    /// Sets the bit of a channel of the cell `lane` in the current state, including its copies in the margins, and in
    /// the output of an automaton step in progress.
    ///
    /// # Panics
    /// If `channel` or `lane` is out of range.
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
        // Bit distances from a cell to itself and to its copies in the margins, along a column or a row.
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

    /// Sets a channel of all cells to `values`, one value per lane (cell).
    ///
    /// # Panics
    /// If `channel` is out of range or the number of values is not the number of lanes.
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

    /// Sets a channel of all cells from `words`, 64 cells per word, for all rows of all boards in order. Each row has
    /// the format of [`row_words`](Self::row_words). Bits beyond the end of a row are ignored.
    ///
    /// # Panics
    /// If `channel` is out of range or there are too few words.
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

    /// Returns an iterator over a channel of all cells, one value per lane (cell).
    ///
    /// # Panics
    /// If `channel` is out of range.
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = bool> + '_ {
        assert!(channel < self.channels, "channel {channel} of {}", self.channels);
        let plane = &self.planes[channel * self.layout.words..][..self.layout.words];
        (0..self.grid.boards * self.grid.height).flat_map(move |row| {
            let start = self.row_start(row);
            (start..start + self.grid.width).map(move |bit| plane[bit / BITS] >> (bit % BITS) & 1 == 1)
        })
    }

    /// Sets all channels of all cells to 0.
    pub fn clear(&mut self) {
        self.planes.fill(0);
    }

    /// Returns an iterator over the bits of a channel in a row, 64 cells per word, first cell in the least significant
    /// bit. Rows are numbered over all boards.
    pub fn row_words(&self, channel: usize, row: usize) -> impl Iterator<Item = u64> + '_ {
        let plane = &self.planes[channel * self.layout.words..][..self.layout.words];
        let (start, width) = (self.row_start(row), self.grid.width);
        (0..width).step_by(BITS).map(move |column| {
            let mask = if width - column < BITS { (1 << (width - column)) - 1 } else { u64::MAX };
            read_bits(plane, start + column) & mask
        })
    }

    /// Returns the number of cells, over all boards, whose bit in `channel` is 1.
    #[must_use]
    pub fn count(&self, channel: usize) -> usize {
        let plane = &self.planes[channel * self.layout.words..][..self.layout.words];
        let cells = plane.iter().zip(&self.cells);
        cells.map(|(word, cells)| (word & cells).count_ones() as usize).sum()
    }

    /// Completes an automaton step: swaps the current and the next state, and fills the margins of the new current
    /// state.
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

    /// Returns the bit index in a plane of the first cell of a row; rows are numbered over all boards.
    pub(super) fn row_start(&self, row: usize) -> usize {
        row_start(self.grid, self.layout, row)
    }

    fn bit(&self, channel: usize, lane: usize) -> usize {
        assert!(channel < self.channels, "channel {channel} of {}", self.channels);
        assert!(lane < self.grid.lanes(), "lane {lane} of {}", self.grid.lanes());
        self.row_start(lane / self.grid.width) + lane % self.grid.width
    }
}

fn row_start(grid: Grid, layout: PlaneLayout, row: usize) -> usize {
    let (board, row) = (row / grid.height, row % grid.height);
    // The margin bit before the first cell is in the previous word or at the end of the previous row.
    layout.first_word * BITS + (board * (grid.height + 2) + row) * layout.stride
}

/// Fills the margins (the bits around each board) of a bit plane with copies of the cells of the opposite edges, for
/// boards with a periodic border.
fn fill_margins(plane: &mut [u64], grid: Grid, layout: PlaneLayout) {
    if grid.border == Border::Fixed {
        return;
    }
    let PlaneLayout { stride, .. } = layout;
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

/// Returns 64 bits of a bit plane, beginning at bit index `bit`.
#[inline]
fn read_bits(plane: &[u64], bit: usize) -> u64 {
    let (word, shift) = (bit / BITS, bit % BITS);
    plane[word] >> shift | plane[word + 1] << 1 << (BITS - 1 - shift)
}

/// Writes the lowest `count` (at most 64) bits of `bits` to a bit plane, beginning at bit index `bit`.
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
