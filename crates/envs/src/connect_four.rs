//! Connect Four: two players drop stones into seven columns of six cells; four in a row win.
//!
//! ```
//! use vivarium_envs::connect_four::ConnectFour;
//!
//! let game = ConnectFour::from_moves("4453626")?;
//! assert_eq!((game.player(), game.value()), (1, None));
//! # Ok::<(), vivarium_envs::connect_four::ConnectFourError>(())
//! ```

/// Number of columns of the board.
pub const COLUMNS: usize = 7;
/// Number of rows of the board.
pub const ROWS: usize = 6;

/// Number of bits per column of a bit mask: one bit for each cell, from the bottom up, and an empty separator bit on
/// top.
pub const COLUMN_BITS: usize = ROWS + 1;
/// Bit distances of adjacent cells in a row of four: vertical, horizontal, both diagonals.
const DIRECTIONS: [usize; 4] = [1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1];
/// Bit mask of the cells of the first column.
const COLUMN: u64 = (1 << ROWS) - 1;

/// Bit mask of all cells of the board.
const BOARD: u64 = {
    let (mut board, mut column) = (0, 0);
    while column < COLUMNS {
        board |= COLUMN << (column * COLUMN_BITS);
        column += 1;
    }
    board
};

/// Game state, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    /// Bit mask of the stones of the player to move: bit [`COLUMN_BITS`] · column + row, rows from the bottom up.
    mine: u64,
    /// Bit mask of the stones of the opponent: bit [`COLUMN_BITS`] · column + row, rows from the bottom up.
    theirs: u64,
    /// Player to move: 0 or 1.
    player: u8,
}

/// Parse error of a move list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectFourError {
    /// A character of the move list is not a column.
    #[error("move {at} is {character:?}; columns are written as 1 to {COLUMNS}")]
    Column {
        /// Index of the invalid move in the move list, counted from 1.
        at: usize,
        /// The invalid character.
        character: char,
    },
    /// A move drops a stone into a full column.
    #[error("move {at} drops a stone into column {column}, which is full")]
    Full {
        /// Index of the invalid move in the move list, counted from 1.
        at: usize,
        /// The full column, counted from 1.
        column: usize,
    },
    /// The move list continues after the end of the game.
    #[error("move {at} comes after the end of the game")]
    Over {
        /// Index of the invalid move in the move list, counted from 1.
        at: usize,
    },
}

impl ConnectFour {
    /// The empty board, player 0 to move.
    pub const START: Self = Self { mine: 0, theirs: 0, player: 0 };

    /// Returns the game after a list of moves, written as columns from 1 to 7, for example `4433`.
    ///
    /// # Errors
    /// [`ConnectFourError`] if a move is not a column or is illegal.
    pub fn from_moves(moves: &str) -> Result<Self, ConnectFourError> {
        let mut game = Self::START;
        for (at, character) in (1..).zip(moves.chars()) {
            let column = character.to_digit(10).map(|column| column as usize);
            let Some(column @ 1..=COLUMNS) = column else {
                return Err(ConnectFourError::Column { at, character });
            };
            if game.value().is_some() {
                return Err(ConnectFourError::Over { at });
            }
            if !game.is_open(column - 1) {
                return Err(ConnectFourError::Full { at, column });
            }
            game = game.after(column - 1);
        }
        Ok(game)
    }

    /// Returns the player to move: 0 or 1.
    pub fn player(&self) -> u8 {
        self.player
    }

    /// Returns the bit masks of the stones of the player to move and of the opponent: bit [`COLUMN_BITS`] · column + row, rows from
    /// the bottom up.
    pub fn stones(&self) -> [u64; 2] {
        [self.mine, self.theirs]
    }

    /// Returns the player, 0 or 1, whose stone is in the cell in column `column`, 0 to 6, and row `row`, 0 (bottom) to
    /// 5; `None` if the cell is empty.
    #[inline]
    pub fn stone(&self, column: usize, row: usize) -> Option<u8> {
        let cell = 1 << (column * COLUMN_BITS + row);
        if self.mine & cell != 0 {
            Some(self.player)
        } else {
            (self.theirs & cell != 0).then_some(1 - self.player)
        }
    }

    /// Returns the game with the bit masks `stones` of [`stones`](Self::stones), in which `player`, 0 or 1, is to move.
    /// Returns `None` if a cell is not on the board or taken twice, or a stone has an empty cell below it.
    pub fn from_stones([mine, theirs]: [u64; 2], player: u8) -> Option<Self> {
        let taken = mine | theirs;
        let bottom = BOARD & !(BOARD << 1);
        let is_supported = taken & !(taken << 1) & !bottom == 0;
        let is_valid = mine & theirs == 0 && taken & !BOARD == 0 && is_supported && player <= 1;
        is_valid.then_some(Self { mine, theirs, player })
    }

    /// Returns the outcome for the player to move: −1 if the opponent has four in a row, 0 if the board is full,
    /// `None` if the game is not over.
    #[inline]
    pub fn value(&self) -> Option<f32> {
        if has_four(self.theirs) {
            Some(-1.0)
        } else if (self.mine | self.theirs).count_ones() == (COLUMNS * ROWS) as u32 {
            Some(0.0)
        } else {
            None
        }
    }

    /// Returns the bit masks of the empty cells that would complete four in a row, first for the player to move, then
    /// for the opponent. Includes cells that no stone can reach yet. Bits as in [`stones`](Self::stones).
    pub fn completions(&self) -> [u64; 2] {
        let empty = BOARD & !(self.mine | self.theirs);
        [self.mine, self.theirs].map(|stones| completions(stones) & empty)
    }

    /// Returns whether column `column`, 0 to 6, has an empty cell.
    #[inline]
    pub fn is_open(&self, column: usize) -> bool {
        let top = 1 << (column * COLUMN_BITS + ROWS - 1);
        (self.mine | self.theirs) & top == 0
    }

    /// Returns the game after the player to move has dropped a stone into column `column`, 0 to 6, which must not be
    /// full.
    #[inline]
    pub fn after(&self, column: usize) -> Self {
        debug_assert!(self.is_open(column));
        let cells = COLUMN << (column * COLUMN_BITS);
        let taken = self.mine | self.theirs;
        // Adding the bottom bit of the column carries through its stones to the lowest empty cell.
        let dropped = (taken & cells).wrapping_add(1 << (column * COLUMN_BITS)) & cells & !taken;
        Self { mine: self.theirs, theirs: self.mine | dropped, player: 1 - self.player }
    }

    /// Returns this state with the player numbers 0 and 1 swapped.
    #[must_use]
    pub fn renamed(self) -> Self {
        Self { player: 1 - self.player, ..self }
    }

    /// Returns a hash of the state: multilinear hashing, as in [`Position::hash`](crate::backgammon::Position::hash).
    #[inline]
    pub fn hash(&self) -> u64 {
        let [mine, theirs] = [self.mine, self.theirs].map(u128::from);
        let sum = mine.wrapping_mul(0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344);
        (sum.wrapping_add(theirs.wrapping_mul(0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89)) >> 64) as u64
    }
}

/// Returns the bit mask of cells that complete four in a row with three of `stones`. The result may contain occupied
/// cells and separator bits.
fn completions(stones: u64) -> u64 {
    DIRECTIONS.iter().fold(0, |cells, &step| {
        // Stones at the four cells of a row of four, each mask shifted to the position of the first cell.
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|cell| stones >> (cell * step));
        cells
            | second & third & fourth
            | (first & third & fourth) << step
            | (first & second & fourth) << (2 * step)
            | (first & second & third) << (3 * step)
    })
}

/// Returns whether the bit mask `stones` contains four in a row.
fn has_four(stones: u64) -> bool {
    DIRECTIONS.iter().any(|&step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}
