//! Tiles of a frozen lake, and its exact solution by dynamic programming.

use serde_json::Value;
use vivarium_config::FieldValue;

/// Tiles of a square lake with `N` × `N` tiles, one of which is the start. In configs, the rows are joined by slashes,
/// as in `SFFF/FHFH/FFFH/HFFG`: S start, F ice, H hole, G goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LakeMap<const N: usize> {
    start: u8,
    /// Bit mask of the holes: one bit per tile, row by row from the top.
    holes: u64,
    goals: u64,
}

impl<const N: usize> LakeMap<N> {
    /// Number of tiles of the map.
    pub const TILES: usize = N * N;

    /// Creates a map from its rows, at compile time.
    ///
    /// # Panics
    /// If the map is invalid; see [`parse`](Self::parse).
    pub(super) const fn standard(rows: [&str; N]) -> Self {
        let (mut map, mut starts, mut row) = (Self { start: 0, holes: 0, goals: 0 }, 0, 0);
        while row < N {
            let tiles = rows[row].as_bytes();
            assert!(tiles.len() == N, "a row has another length");
            let mut column = 0;
            while column < N {
                let Some(next) = map.with(row * N + column, tiles[column]) else { panic!("an unknown tile") };
                map = next;
                starts += (tiles[column] == b'S') as usize;
                column += 1;
            }
            row += 1;
        }
        assert!(starts == 1, "a map has one start");
        map
    }

    /// Returns the map with the tile `tile` set to the kind `letter` (S, F, H or G); `None` for any other letter.
    const fn with(self, tile: usize, letter: u8) -> Option<Self> {
        let bit = 1 << tile;
        Some(match letter {
            b'F' => self,
            b'S' => Self { start: tile as u8, ..self },
            b'H' => Self { holes: self.holes | bit, ..self },
            b'G' => Self { goals: self.goals | bit, ..self },
            _ => return None,
        })
    }

    /// Reads a map from its text. Returns `None` unless the text has `N` rows of `N` tiles with exactly one start.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
        if rows.len() != N || rows.iter().any(|row| row.len() != N) {
            return None;
        }
        let letters = rows.concat();
        if letters.iter().filter(|&&letter| letter == b'S').count() != 1 {
            return None;
        }
        let empty = Self { start: 0, holes: 0, goals: 0 };
        letters.iter().enumerate().try_fold(empty, |map, (tile, &letter)| map.with(tile, letter))
    }

    /// Returns the index of the start tile. Tiles are numbered row by row from the top.
    #[must_use]
    pub fn start(&self) -> usize {
        self.start.into()
    }

    /// Returns the bit mask of the holes: one bit per tile, row by row from the top.
    #[must_use]
    pub fn holes(&self) -> u64 {
        self.holes
    }

    /// Returns the bit mask of the goals: one bit per tile, row by row from the top.
    #[must_use]
    pub fn goals(&self) -> u64 {
        self.goals
    }

    fn letter(&self, tile: usize) -> char {
        let is_in = |tiles: u64| tiles >> tile & 1 != 0;
        match () {
            () if is_in(self.holes) => 'H',
            () if is_in(self.goals) => 'G',
            () if tile == self.start() => 'S',
            () => 'F',
        }
    }
}

impl<const N: usize> FieldValue for LakeMap<N> {
    const ALLOWED: Option<&'static str> = Some(
        "it must be rows of letters S, F, H and G joined by slashes, in the size of the default map, with one S",
    );

    fn to_value(&self) -> Value {
        let row = |row: usize| (0..N).map(|column| self.letter(row * N + column)).collect::<String>();
        (0..N).map(row).collect::<Vec<_>>().join("/").into()
    }

    fn from_value(value: &Value) -> Option<Self> {
        Self::parse(value.as_str()?)
    }
}

/// One possible result of an action: probability, index of the next tile, reward, and whether the episode terminates.
pub type LakeMove = (f64, usize, f64, bool);

/// Transition probabilities of a frozen lake, as in Gymnasium's table `P`, and its solution by dynamic programming.
#[derive(Debug, Clone)]
pub struct LakeModel {
    /// `[tile][action]`: the three possible results of an action, for the intended direction and the directions to its
    /// left and right.
    moves: Vec<[[LakeMove; 3]; 4]>,
    start: usize,
}

/// Solution of a lake by value iteration (Bellman 1957): optimal discounted return and an optimal action of each tile.
#[derive(Debug, Clone, PartialEq)]
pub struct LakeOptimum {
    /// Optimal discounted return from each tile; 0 in a hole and at a goal.
    pub values: Vec<f64>,
    /// Optimal action on each tile; if several actions are optimal, the one with the lowest index.
    pub actions: Vec<usize>,
}

impl LakeModel {
    /// Creates the transition model of a map: next tiles, their probabilities, and rewards.
    #[must_use]
    pub fn new<const N: usize>(map: &LakeMap<N>, success_rate: f32) -> Self {
        let success = f64::from(success_rate);
        let failure = (1.0 - success) / 2.0;
        let is_in = |tiles: u64, tile: usize| tiles >> tile & 1 != 0;
        let of = |tile: usize, action: usize| {
            [(action + 3) % 4, action, (action + 1) % 4].map(|direction| {
                let probability = if direction == action { success } else { failure };
                if is_in(map.holes() | map.goals(), tile) {
                    return (probability, tile, 0.0, true);
                }
                let (row, column) = (tile / N, tile % N);
                let next = match direction {
                    0 => row * N + column.saturating_sub(1),
                    1 => (row + 1).min(N - 1) * N + column,
                    2 => row * N + (column + 1).min(N - 1),
                    _ => row.saturating_sub(1) * N + column,
                };
                let goal = is_in(map.goals(), next);
                (probability, next, f64::from(u8::from(goal)), goal || is_in(map.holes(), next))
            })
        };
        let moves = (0..N * N).map(|tile| [0, 1, 2, 3].map(|action| of(tile, action))).collect();
        Self { moves, start: map.start() }
    }

    /// Returns the three possible results of an action on a tile.
    #[must_use]
    pub fn moves(&self, tile: usize, action: usize) -> &[LakeMove; 3] {
        &self.moves[tile][action]
    }

    /// Returns the expected discounted return of an action on a tile. `values` holds the expected discounted return
    /// from each tile.
    fn action_value(&self, tile: usize, action: usize, discount: f64, values: &[f64]) -> f64 {
        let of = |&(probability, next, reward, over): &LakeMove| {
            probability * (reward + if over { 0.0 } else { discount * values[next] })
        };
        self.moves(tile, action).iter().map(of).sum()
    }

    /// Solves the lake by value iteration until no value changes by 10⁻¹² or more. The values are for episodes without
    /// a time limit.
    #[must_use]
    pub fn optimum(&self, discount: f64) -> LakeOptimum {
        /// Maximum number of value iterations. With a discount of 1 the values also converge, because the probability
        /// that the agent is still on the ice vanishes.
        const MOST_ITERATIONS: usize = 100_000;
        let mut values = vec![0.0; self.moves.len()];
        let best = |values: &[f64], tile: usize| {
            let worth = |action| self.action_value(tile, action, discount, values);
            (1..4).fold((0, worth(0)), |best, action| {
                if worth(action) > best.1 + 1e-12 { (action, worth(action)) } else { best }
            })
        };
        for _ in 0..MOST_ITERATIONS {
            let next: Vec<f64> = (0..values.len()).map(|tile| best(&values, tile).1).collect();
            let change = next.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            values = next;
            if change < 1e-12 {
                break;
            }
        }
        let actions = (0..values.len()).map(|tile| best(&values, tile).0).collect();
        LakeOptimum { values, actions }
    }

    /// Returns the expected undiscounted return from the start within `steps` steps, under the policy that takes action
    /// `actions[tile]` on each tile.
    #[must_use]
    pub fn policy_return(&self, actions: &[usize], steps: u32) -> f64 {
        let mut values = vec![0.0; self.moves.len()];
        for _ in 0..steps {
            let next = actions.iter().enumerate();
            values = next.map(|(tile, &action)| self.action_value(tile, action, 1.0, &values)).collect();
        }
        values[self.start]
    }
}
