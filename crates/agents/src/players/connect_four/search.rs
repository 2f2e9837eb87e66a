//! Looking ahead for rows of four.

use super::board::{Board, cell};
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};

/// Columns from the middle outwards: those in the middle are in the most rows.
pub const ORDER: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// The value of boards as far as it was found, each in the one place that it may have; a later one takes it.
pub struct Known {
    /// 16 · key + 4 · (least value + 1) + greatest value + 1; 0 for none.
    places: Vec<u64>,
}

impl Known {
    /// Room for so many boards, eight bytes each.
    pub fn new(places: usize) -> Self {
        Self { places: vec![0; places.max(1)] }
    }

    /// The bounds of a value, −1 and 1 where nothing is known.
    fn bounds(&self, key: u64) -> [i8; 2] {
        let found = self.places[self.place(key)];
        if found >> 4 == key { [(found >> 2 & 3) as i8 - 1, (found & 3) as i8 - 1] } else { [-1, 1] }
    }

    fn learn(&mut self, key: u64, [least, most]: [i8; 2]) {
        let place = self.place(key);
        self.places[place] = key << 4 | ((least + 1) as u64) << 2 | (most + 1) as u64;
    }

    fn place(&self, key: u64) -> usize {
        (key % self.places.len() as u64) as usize
    }
}

/// What a game is worth to the player to move if nobody looks further than so many plies, stones of both, ahead: 1 is a win,
/// −1 a loss, 0 neither. With as many as there are empty cells that is the value of perfect play, and those alone may be
/// `known` from one search to the next.
pub fn value(game: &ConnectFour, plies: u32, known: Option<&mut Known>) -> i8 {
    match game.value() {
        Some(value) => value as i8,
        None => negamax(Board::new(game), plies, -1, 1, known),
    }
}

/// The value by alpha-beta: exact from `low` to `high`, a bound of it beyond.
fn negamax(board: Board, plies: u32, low: i8, high: i8, mut known: Option<&mut Known>) -> i8 {
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
    let [least, most] = known.as_ref().map_or([-1, 1], |known| known.bounds(key));
    let (mut low, high) = (low.max(least), high.min(most));
    if low >= high {
        // Known to be at least `high`, or at most `low`.
        return if least >= high { least } else { most };
    }
    let (cells, count) = ordered(board, safe);
    let (from, mut best) = (low, -1);
    for &cell in &cells[..count] {
        best = best.max(-negamax(board.after(cell), plies - 1, -high, -low, known.as_deref_mut()));
        low = low.max(best);
        if low >= high {
            break;
        }
    }
    if let Some(known) = known {
        let least = if best > from { best } else { least };
        let most = if best < high { best } else { most };
        known.learn(key, [least, most]);
    }
    best
}

/// Cells to try, those that make the most threats first, and among equals those nearer the middle.
fn ordered(board: Board, safe: u64) -> ([u64; COLUMNS], usize) {
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

/// How good a column is to a player who looks so many plies ahead, at least one: the sum of what it is worth to those who
/// look one ply ahead, two and so on. An early win is more than a late one, and a late loss more than an early one.
pub fn prospect(game: &ConnectFour, column: usize, plies: u32) -> i32 {
    let after = game.after(column);
    (0..plies.max(1)).map(|plies| -i32::from(value(&after, plies, None))).sum()
}
