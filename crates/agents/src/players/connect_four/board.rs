//! Connect Four as a search for wins sees it: which cells complete a row.

use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Bits of a column, as in [`ConnectFour::stones`].
const HEIGHT: usize = ROWS + 1;
/// The lowest cell of every column.
const BOTTOM: u64 = {
    let (mut mask, mut column) = (0, 0);
    while column < COLUMNS {
        mask |= 1 << (column * HEIGHT);
        column += 1;
    }
    mask
};
/// All cells.
const ALL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The stones of a game that is not over.
#[derive(Clone, Copy)]
pub struct Board {
    /// Those of the player to move.
    mine: u64,
    /// All of them.
    taken: u64,
}

impl Board {
    pub fn new(game: &ConnectFour) -> Self {
        let [mine, theirs] = game.stones();
        Self { mine, taken: mine | theirs }
    }

    /// A number that no other board has, below 2⁵⁰.
    pub fn key(self) -> u64 {
        // The bits above a column's stones tell how many there are.
        self.mine + self.taken + BOTTOM
    }

    /// Cells without a stone.
    pub fn empty(self) -> u32 {
        (ALL & !self.taken).count_ones()
    }

    /// Where a stone can be dropped.
    pub fn open(self) -> u64 {
        (self.taken + BOTTOM) & ALL
    }

    /// The player to move can complete a row.
    pub fn wins(self) -> bool {
        completing(self.mine, self.taken) & self.open() != 0
    }

    /// Where a stone can be dropped without losing to the opponent's next one. Only where [`wins`](Self::wins) is false.
    pub fn safe(self) -> u64 {
        let threats = completing(self.mine ^ self.taken, self.taken);
        let forced = threats & self.open();
        let open = match forced {
            0 => self.open(),
            // One threat can be stopped, and has to be.
            one if one & (one - 1) == 0 => one,
            _ => return 0,
        };
        // Not right below a cell that completes a row of the opponent's.
        open & !(threats >> 1)
    }

    /// How many rows the player to move would threaten to complete after a stone in this cell.
    pub fn threats_after(self, cell: u64) -> u32 {
        completing(self.mine | cell, self.taken | cell).count_ones()
    }

    /// The board after a stone in this cell, seen by the opponent.
    pub fn after(self, cell: u64) -> Self {
        Self { mine: self.mine ^ self.taken, taken: self.taken | cell }
    }
}

/// The cell where a stone in an open column comes to lie.
pub fn cell(open: u64, column: usize) -> u64 {
    open & (((1 << ROWS) - 1) << (column * HEIGHT))
}

/// The empty cells that complete a row of these stones.
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
