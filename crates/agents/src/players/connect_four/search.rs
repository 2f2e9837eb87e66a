//! Alpha-beta search for Connect Four with a transposition table.

use super::board::{Bitboard, cell};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// Columns from the center outwards, the order in which moves are searched. Center columns are part of more rows of
/// four.
pub const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// Transposition table: lower and upper bound of the value of each board. A new entry replaces the previous entry in
/// the same slot.
pub struct TranspositionTable {
    /// One entry per slot, packed as 16 · key + 4 · (lower bound + 1) + upper bound + 1. Bounds are −1, 0 or 1. An
    /// empty slot is 0.
    slots: Vec<u64>,
}

impl TranspositionTable {
    /// Allocates an empty transposition table with `slots` slots of eight bytes.
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![0; slots.max(1)] }
    }

    /// Returns the stored lower and upper bound of the value of the board with this key. Returns [−1, 1] if the table
    /// does not contain the key.
    fn bounds(&self, key: u64) -> [i8; 2] {
        let found = self.slots[self.slot(key)];
        if found >> 4 == key { [(found >> 2 & 3) as i8 - 1, (found & 3) as i8 - 1] } else { [-1, 1] }
    }

    fn store(&mut self, key: u64, [least, most]: [i8; 2]) {
        let slot = self.slot(key);
        self.slots[slot] = key << 4 | ((least + 1) as u64) << 2 | (most + 1) as u64;
    }

    fn slot(&self, key: u64) -> usize {
        (key % self.slots.len() as u64) as usize
    }
}

/// Searches a game to a depth of `plies` moves. Returns the value of the game for the player to move: 1 for a win, −1
/// for a loss, 0 for a draw or if neither player can force a win within `plies`. If `plies` is at least the number of
/// empty cells, the value is exact. Only such exact searches may share a transposition table.
pub fn value(game: &ConnectFour, plies: u32, table: Option<&mut TranspositionTable>) -> i8 {
    match game.value() {
        Some(value) => value as i8,
        None => negamax(Bitboard::new(game), plies, -1, 1, table),
    }
}

/// Searches `board` to a depth of `plies` moves by alpha-beta search in negamax form, with the window `low..=high`.
/// Returns the value for the player to move if the window contains it, otherwise a bound of the value.
fn negamax(board: Bitboard, plies: u32, low: i8, high: i8, mut table: Option<&mut TranspositionTable>) -> i8 {
    if plies == 0 {
        return 0;
    }
    if board.wins() {
        return 1;
    }
    if plies == 1 {
        return 0;
    }
    let safe = board.safe();
    if safe == 0 {
        return -1;
    }
    if plies == 2 || board.empty() <= 2 {
        return 0;
    }
    let key = board.key();
    let [least, most] = table.as_ref().map_or([-1, 1], |table| table.bounds(key));
    let (mut low, high) = (low.max(least), high.min(most));
    if low >= high {
        // The stored bounds lie outside the window.
        return if least >= high { least } else { most };
    }
    let (cells, count) = ordered(board, safe);
    let (from, mut best) = (low, -1);
    for &cell in &cells[..count] {
        best = best.max(-negamax(board.after(cell), plies - 1, -high, -low, table.as_deref_mut()));
        low = low.max(best);
        if low >= high {
            break;
        }
    }
    if let Some(table) = table {
        let least = if best > from { best } else { least };
        let most = if best < high { best } else { most };
        table.store(key, [least, most]);
    }
    best
}

/// Returns the moves in `safe`, one cell mask per move, in the order of search, and the number of moves. Moves that
/// create more threats come first; ties are ordered from the center outwards.
fn ordered(board: Bitboard, safe: u64) -> ([u64; COLUMNS], usize) {
    let (mut cells, mut threats, mut count) = ([0; COLUMNS], [0; COLUMNS], 0);
    for cell in ORDER.map(|column| cell(safe, column)).into_iter().filter(|&cell| cell != 0) {
        let makes = board.threats_after(cell);
        let mut at = count;
        while at > 0 && threats[at - 1] < makes {
            (cells[at], threats[at]) = (cells[at - 1], threats[at - 1]);
            at -= 1;
        }
        (cells[at], threats[at]) = (cell, makes);
        count += 1;
    }
    (cells, count)
}

/// Returns the score of a move in `column` for the player who makes the move: the sum of the move's values (1 win, 0
/// draw or unknown, −1 loss) at all search depths from 1 to `plies`. Early wins score higher than late wins, and late
/// losses score higher than early losses.
pub fn lookahead_score(game: &ConnectFour, column: usize, plies: u32) -> i32 {
    let after = game.after(column);
    (0..plies.max(1)).map(|plies| -i32::from(value(&after, plies, None))).sum()
}
