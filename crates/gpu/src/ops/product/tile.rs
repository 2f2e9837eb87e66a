//! How a matrix product is cut into tiles.

/// The tile of one workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// How deep one round goes.
    pub k: usize,
    /// Rows that one invocation holds in registers: 4 or 8.
    pub per_m: usize,
    /// Columns that one invocation holds in registers: 4 or 8.
    pub per_n: usize,
    /// Among how many groups of invocations the depth of a round is shared.
    pub split: usize,
}

/// The most invocations that every WebGPU adapter allows a workgroup.
const MOST_THREADS: usize = 256;

/// Numbers that fit the workgroup memory that every WebGPU adapter has (16 KiB).
const MEMORY: usize = 4096;

/// From how many workgroups on a large GPU is busy.
const ENOUGH_WORKGROUPS: usize = 96;

impl Tile {
    /// For large products: 8×8 values an invocation, so that four reads of workgroup memory feed 64 multiplications.
    pub const LARGE: Tile = Tile { m: 128, n: 128, k: 16, per_m: 8, per_n: 8, split: 1 };

    /// The tile for a product of this shape, of which `slices` parts of the depth are computed apart.
    pub fn choose(m: usize, n: usize, k: usize, slices: usize) -> Tile {
        let count = |tile_m: usize, tile_n: usize| m.div_ceil(tile_m) * n.div_ceil(tile_n) * slices;
        if m > 64 && n > 64 && count(128, 128) >= ENOUGH_WORKGROUPS {
            return Self::LARGE;
        }
        let side = |len: usize| len.next_power_of_two().clamp(4, 64);
        let (mut tile_m, mut tile_n) = (side(m), side(n));
        // Smaller tiles where the GPU would else stand idle. Below 32 × 32 reading costs more than is gained.
        while tile_m * tile_n > 32 * 32 && count(tile_m, tile_n) < ENOUGH_WORKGROUPS {
            if tile_m >= tile_n {
                tile_m /= 2;
            } else {
                tile_n /= 2;
            }
        }
        Self::of(tile_m, tile_n, k)
    }

    /// The tile for whole rows of `n` numbers, or `None` where they are too wide for a workgroup.
    pub fn whole_rows(n: usize, k: usize) -> Option<Tile> {
        let tile_n = n.next_power_of_two().max(8);
        let tile_m = (4 * MOST_THREADS * 4 / tile_n).min(64);
        (tile_m >= 16).then(|| Tile { split: 1, ..Self::of(tile_m, tile_n, k) }.shallow())
    }

    /// Sides given, 4×4 values an invocation, as deep and as shared as there is room for.
    fn of(m: usize, n: usize, k: usize) -> Tile {
        let depth = k.next_power_of_two().clamp(4, 64);
        let split = (MOST_THREADS * 16 / (m * n)).min(depth).max(1);
        Tile { m, n, k: depth, per_m: 4, per_n: 4, split }.shallow()
    }

    /// No deeper than the workgroup's memory holds and its invocations bring in one round.
    fn shallow(mut self) -> Tile {
        let limit = (MEMORY / (self.m + self.n)).min(16 * self.threads() / (self.m + self.n));
        while self.k > 4 && self.k > limit {
            self.k /= 2;
        }
        // Halving the shares frees invocations as well, so this ends where both fit.
        if self.split > self.k {
            self.split = self.k;
            return self.shallow();
        }
        self
    }

    /// Invocations along the columns.
    pub fn along_n(&self) -> usize {
        self.n / self.per_n
    }

    /// Invocations along the rows.
    pub fn along_m(&self) -> usize {
        self.m / self.per_m
    }

    /// Invocations of a workgroup.
    pub fn threads(&self) -> usize {
        self.along_m() * self.along_n() * self.split
    }

    /// Blocks of 4×4 numbers of A in a round.
    pub fn a_blocks(&self) -> usize {
        self.m * self.k / 16
    }

    /// Blocks of 4×4 numbers of B in a round.
    pub fn b_blocks(&self) -> usize {
        self.n * self.k / 16
    }

    /// Vectors of four that the workgroup's memory holds: a round of both operands, or half of the shares' sums.
    pub fn memory(&self) -> usize {
        let operands = self.k * (self.m + self.n) / 4;
        let shares = self.m * self.n / 4 * (self.split / 2);
        operands.max(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::Tile;

    fn fits(tile: Tile) {
        assert!(tile.threads() <= 256 && tile.memory() * 16 <= 16_384, "{tile:?}");
        assert!(tile.a_blocks() + tile.b_blocks() <= tile.threads(), "{tile:?}");
        assert!(
            tile.split <= tile.k && tile.k.is_multiple_of(tile.split) && tile.k.is_multiple_of(4),
            "{tile:?}"
        );
    }

    #[test]
    fn every_tile_fits_what_all_adapters_have() {
        let sizes = [1, 2, 3, 4, 5, 8, 13, 16, 31, 64, 100, 128, 257, 1000, 4096];
        for m in sizes {
            for n in sizes {
                for k in sizes {
                    fits(Tile::choose(m, n, k, 1));
                    fits(Tile::choose(m, n, k, 37));
                }
            }
        }
    }

    #[test]
    fn tiles_of_whole_rows_are_as_wide_as_the_row() {
        for n in 1..=256 {
            for k in [1, 3, 8, 64, 1000] {
                let tile = Tile::whole_rows(n, k).unwrap();
                fits(tile);
                assert!(tile.n >= n && tile.split == 1);
            }
        }
        assert_eq!(Tile::whole_rows(257, 64), None);
    }

    #[test]
    fn large_products_get_large_tiles_and_small_ones_small() {
        assert_eq!(Tile::choose(4096, 4096, 4096, 1), Tile::LARGE);
        assert_eq!(
            Tile::choose(64, 64, 65_536, 128),
            Tile { m: 64, n: 64, k: 32, per_m: 4, per_n: 4, split: 1 }
        );
        let head = Tile::choose(32_768, 3, 64, 1);
        assert_eq!((head.m, head.n, head.split), (64, 4, 16));
    }
}
