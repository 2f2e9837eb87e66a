//! Connect Four board as bit masks, for alpha-beta search.

use vivarium_envs::connect_four::{COLUMNS, ConnectFour, ROWS};

/// Number of bits per column in a bit mask of the board, one more than the column has cells, as in
/// [`ConnectFour::stones`].
const HEIGHT: usize = ROWS + 1;
/// Bit mask of the bottom cells of all columns.
const BOTTOM: u64 = {
    let (mut mask, mut column) = (0, 0);
    while column < COLUMNS {
        mask |= 1 << (column * HEIGHT);
        column += 1;
    }
    mask
};
/// Bit mask of all cells of the board.
const ALL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// Connect Four board of an unfinished game, as bit masks of stones.
#[derive(Clone, Copy)]
pub struct Bitboard {
    /// Bit mask of the stones of the player to move.
    mine: u64,
    /// Bit mask of the stones of both players.
    taken: u64,
}

impl Bitboard {
    pub fn new(game: &ConnectFour) -> Self {
        let [mine, theirs] = game.stones();
        Self { mine, taken: mine | theirs }
    }

    /// Returns the key of the board in the transposition table, a number below 2⁵⁰. Different boards have different
    /// keys.
    pub fn key(self) -> u64 {
        // The sum sets the bit above the stones of each column, which encodes its height.
        self.mine + self.taken + BOTTOM
    }

    /// Returns the number of empty cells of the board.
    pub fn empty(self) -> u32 {
        (ALL & !self.taken).count_ones()
    }

    /// Returns the bit mask of the cells in which the next stone can land, one per column that is not full.
    pub fn open(self) -> u64 {
        (self.taken + BOTTOM) & ALL
    }

    /// Returns whether the player to move can win at once: complete four in a row with the next stone.
    pub fn wins(self) -> bool {
        completing(self.mine, self.taken) & self.open() != 0
    }

    /// Returns the bit mask of the safe moves. A move is safe if the opponent cannot complete four in a row with the
    /// next stone. Precondition: [`wins`](Self::wins) is false.
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

    /// Returns the number of threats of the player to move after a stone in `cell`, a mask of one bit. A threat is an
    /// empty cell that would complete four in a row.
    pub fn threats_after(self, cell: u64) -> u32 {
        completing(self.mine | cell, self.taken | cell).count_ones()
    }

    /// Returns the board after the player to move has put a stone in `cell`, a mask of one bit. The opponent is then
    /// the player to move.
    pub fn after(self, cell: u64) -> Self {
        Self { mine: self.mine ^ self.taken, taken: self.taken | cell }
    }
}

/// Returns the bit mask of the cell in which a stone dropped into `column` lands, or 0 if the column is full. `open`
/// is the mask of all such cells, as returned by [`Bitboard::open`].
pub fn cell(open: u64, column: usize) -> u64 {
    open & (((1 << ROWS) - 1) << (column * HEIGHT))
}

/// Returns the bit mask of the empty cells that complete four in a row together with `stones`. `taken` is the mask of
/// the stones of both players.
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
