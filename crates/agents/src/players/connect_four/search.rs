//! Alpha-beta search for Connect Four with a transposition table.

use super::board::{Bitboard, cell};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// Move order: columns from the center outwards, because center columns are part of more rows.
pub const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// Transposition table: bounds of the value of each board. A new entry always replaces the previous entry in the same
/// slot.
pub struct TranspositionTable {
    /// Entry of each slot: 16 · key + 4 · (lower bound + 1) + upper bound + 1; 0 for an empty slot.
    slots: Vec<u64>,
}

impl TranspositionTable {
    /// Allocates a transposition table of `slots` slots of eight bytes.
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![0; slots.max(1)] }
    }

    /// Returns the stored bounds of the value of the board with this key, or [−1, 1] if the table does not contain the
    /// key.
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

/// Returns the value of a game for the player to move, by a search to depth `plies`: 1 for a win, −1 for a loss, 0
/// otherwise. If `plies` is at least the number of empty cells, the value is exact. A transposition table may be shared
/// only between exact searches.
pub fn value(game: &ConnectFour, plies: u32, table: Option<&mut TranspositionTable>) -> i8 {
    match game.value() {
        Some(value) => value as i8,
        None => negamax(Bitboard::new(game), plies, -1, 1, table),
    }
}

/// Alpha-beta search in negamax form, with the window `low..=high`. Returns the exact value if the window contains it,
/// otherwise a bound of the value.
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

/// Returns the moves in `safe`, one cell mask per move, and their number. Moves are ordered by the number of threats
/// that they create, highest first; ties are ordered from the center outwards.
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

/// Returns the score of a move in `column`: the sum of its search values at all depths from 1 to `plies`. Early wins
/// score higher than late wins, and late losses score higher than early losses.
pub fn lookahead_score(game: &ConnectFour, column: usize, plies: u32) -> i32 {
    let after = game.after(column);
    (0..plies.max(1)).map(|plies| -i32::from(value(&after, plies, None))).sum()
}
