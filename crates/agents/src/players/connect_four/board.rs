//! Bitboard of Connect Four for alpha-beta search.

use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Number of bits per column, as in [`ConnectFour::stones`].
const HEIGHT: usize = ROWS + 1;
/// Mask of the bottom cell of each column.
const BOTTOM: u64 = {
    let (mut mask, mut column) = (0, 0);
    while column < COLUMNS {
        mask |= 1 << (column * HEIGHT);
        column += 1;
    }
    mask
};
/// Mask of all cells.
const ALL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// Stones of an unfinished Connect Four game, as bit masks.
#[derive(Clone, Copy)]
pub struct Bitboard {
    /// Stones of the player to move.
    mine: u64,
    /// Stones of both players.
    taken: u64,
}

impl Bitboard {
    pub fn new(game: &ConnectFour) -> Self {
        let [mine, theirs] = game.stones();
        Self { mine, taken: mine | theirs }
    }

    /// Returns a unique key of the board, below 2⁵⁰.
    pub fn key(self) -> u64 {
        // The sum sets the bit above the stones of each column, which encodes its height.
        self.mine + self.taken + BOTTOM
    }

    /// Returns the number of empty cells.
    pub fn empty(self) -> u32 {
        (ALL & !self.taken).count_ones()
    }

    /// Returns the mask of cells where a stone can be dropped.
    pub fn open(self) -> u64 {
        (self.taken + BOTTOM) & ALL
    }

    /// Returns whether the player to move can complete four in a row with one stone.
    pub fn wins(self) -> bool {
        completing(self.mine, self.taken) & self.open() != 0
    }

    /// Returns the mask of the safe cells: after a stone in a safe cell, the opponent cannot win with the next stone.
    /// Precondition: [`wins`](Self::wins) is false.
    pub fn safe(self) -> u64 {
        let threats = completing(self.mine ^ self.taken, self.taken);
        let forced = threats & self.open();
        let open = match forced {
            0 => self.open(),
            // A single threat has to be blocked.
            one if one & (one - 1) == 0 => one,
            _ => return 0,
        };
        // A stone directly below a threat lets the opponent complete the row.
        open & !(threats >> 1)
    }

    /// Returns the number of cells that complete four in a row for the player to move, after that player puts a stone
    /// in `cell`.
    pub fn threats_after(self, cell: u64) -> u32 {
        completing(self.mine | cell, self.taken | cell).count_ones()
    }

    /// Returns the board after a stone in `cell`, from the opponent's view.
    pub fn after(self, cell: u64) -> Self {
        Self { mine: self.mine ^ self.taken, taken: self.taken | cell }
    }
}

/// Returns the mask of the cell where a stone dropped into `column` lands, or 0 if the column is full. `open` is the
/// result of [`open`](Self::open).
pub fn cell(open: u64, column: usize) -> u64 {
    open & (((1 << ROWS) - 1) << (column * HEIGHT))
}

/// Returns the mask of empty cells that complete four in a row together with `stones`.
fn completing(stones: u64, taken: u64) -> u64 {
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for step in [HEIGHT - 1, HEIGHT, HEIGHT + 1] {
        let above = stones << step & stones << (2 * step);
        cells |= above & (stones << (3 * step) | stones >> step);
        let below = stones >> step & stones >> (2 * step);
        cells |= below & (stones >> (3 * step) | stones << step);
    }
    cells & ALL & !taken
}
