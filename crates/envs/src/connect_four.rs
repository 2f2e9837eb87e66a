//! Connect Four: two players drop stones into seven columns of six; four in a row win.

/// Columns of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;

/// Bits of a column: its cells from the bottom up, and one above them that stays empty, so that no row of
/// four runs on into the next column.
const COLUMN_BITS: usize = ROWS + 1;
/// How far apart the cells of a row of four lie: upwards, sideways, and on the two diagonals.
const DIRECTIONS: [usize; 4] = [1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1];
/// All cells of the first column.
const COLUMN: u64 = (1 << ROWS) - 1;

/// All cells.
const BOARD: u64 = {
    let (mut board, mut column) = (0, 0);
    while column < COLUMNS {
        board |= COLUMN << (column * COLUMN_BITS);
        column += 1;
    }
    board
};

/// A game at any moment, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    /// The stones of the player to move; bit 7 · column + row.
    mine: u64,
    /// The stones of the opponent.
    theirs: u64,
    /// Which of the two players is to move: 0 or 1.
    player: u8,
}

/// A text that is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectFourError {
    /// A character that is no column.
    #[error("move {at} is {character:?}; columns are written as 1 to {COLUMNS}")]
    Column {
        /// Which move, counted from 1.
        at: usize,
        /// What it is.
        character: char,
    },
    /// A stone in a full column.
    #[error("move {at} drops a stone into column {column}, which is full")]
    Full {
        /// Which move, counted from 1.
        at: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// A move after the end.
    #[error("move {at} comes after the end of the game")]
    Over {
        /// Which move, counted from 1.
        at: usize,
    },
}

impl ConnectFour {
    /// The empty board, player 0 to move.
    pub const START: Self = Self { mine: 0, theirs: 0, player: 0 };

    /// The game after these moves, written as columns from 1 to 7: `4433`.
    ///
    /// # Errors
    /// [`ConnectFourError`] if a move is no column, or cannot be made.
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

    /// Which player is to move: 0 or 1.
    pub fn player(&self) -> u8 {
        self.player
    }

    /// The stones of the player to move and of the opponent: bit 7 · column + row, rows from the bottom up.
    pub fn stones(&self) -> [u64; 2] {
        [self.mine, self.theirs]
    }

    /// What the game is worth to the player to move once it is over: −1 when the opponent has four in a row,
    /// 0 when the board is full.
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

    /// The empty cells, whether or not a stone can be dropped there yet, where one would make four in a row: one of
    /// the player to move, one of the opponent. Bits as in [`stones`](Self::stones).
    pub fn completions(&self) -> [u64; 2] {
        let empty = BOARD & !(self.mine | self.theirs);
        [self.mine, self.theirs].map(|stones| completions(stones) & empty)
    }

    /// Whether a column from 0 to 6 has room.
    #[inline]
    pub fn is_open(&self, column: usize) -> bool {
        let top = 1 << (column * COLUMN_BITS + ROWS - 1);
        (self.mine | self.theirs) & top == 0
    }

    /// The game after a stone dropped into an open column.
    #[inline]
    pub fn after(&self, column: usize) -> Self {
        debug_assert!(self.is_open(column));
        let cells = COLUMN << (column * COLUMN_BITS);
        let taken = self.mine | self.theirs;
        // The lowest empty cell: adding the bottom one carries through the stones.
        let dropped = (taken & cells).wrapping_add(1 << (column * COLUMN_BITS)) & cells & !taken;
        Self { mine: self.theirs, theirs: self.mine | dropped, player: 1 - self.player }
    }

    /// The same game with the two players called by each other's numbers.
    #[must_use]
    pub fn renamed(self) -> Self {
        Self { player: 1 - self.player, ..self }
    }

    /// A hash for tables of games: multilinear, as that of
    /// [`Position::hash`](crate::backgammon::Position::hash).
    #[inline]
    pub fn hash(&self) -> u64 {
        let [mine, theirs] = [self.mine, self.theirs].map(u128::from);
        let sum = mine.wrapping_mul(0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344);
        (sum.wrapping_add(theirs.wrapping_mul(0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89)) >> 64) as u64
    }
}

/// The cells, of the board and just beside it, that make four of three stones.
fn completions(stones: u64) -> u64 {
    DIRECTIONS.iter().fold(0, |cells, &step| {
        // The four cells of a row, all at the first one's place.
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|cell| stones >> (cell * step));
        cells
            | second & third & fourth
            | (first & third & fourth) << step
            | (first & second & fourth) << (2 * step)
            | (first & second & third) << (3 * step)
    })
}

/// Four stones stand in a row.
fn has_four(stones: u64) -> bool {
    DIRECTIONS.iter().any(|&step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}
