//! Tiling of matrix products: the part of the result that each workgroup computes.

/// Part of a matrix product that one workgroup computes (tile), and its division among the workgroup's invocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Number of rows of the result that a workgroup computes.
    pub m: usize,
    /// Number of columns of the result that a workgroup computes.
    pub n: usize,
    /// Number of elements along the inner dimension of the product that each iteration of the main loop loads into
    /// workgroup memory: the depth of the tile.
    pub k: usize,
    /// Number of rows of the result that an invocation computes in registers: 4 or 8.
    pub per_m: usize,
    /// Number of columns of the result that an invocation computes in registers: 4 or 8.
    pub per_n: usize,
    /// Number of groups of invocations among which the depth `k` of the tile is divided (split-K). The partial sums of
    /// the groups are added at the end.
    pub split: usize,
}

/// Maximum number of invocations in a workgroup that every WebGPU adapter supports.
const MOST_THREADS: usize = 256;

/// Number of f32 values that fit the workgroup memory of every WebGPU adapter (16 KiB).
const MEMORY: usize = 4096;

/// Number of workgroups in a dispatch that is enough to occupy a large GPU.
const ENOUGH_WORKGROUPS: usize = 96;

/// Number of large tiles in a dispatch from which on they are faster than smaller tiles (measured on an NVIDIA H200 with
/// 132 multiprocessors). With fewer, a multiprocessor has only one workgroup, whose barriers leave it idle.
const ENOUGH_LARGE_TILES: usize = 256;

impl Tile {
    /// Tile for large products. Each invocation computes 8×8 elements of the result, so that four reads of workgroup
    /// memory feed 64 multiplications.
    pub const LARGE: Tile = Tile { m: 128, n: 128, k: 8, per_m: 8, per_n: 8, split: 1 };

    /// Returns the tile for the product of an m×k matrix and a k×n matrix. The inner dimension k is divided into
    /// `slices` parts, each with its own result (gradient slices).
    pub fn choose(m: usize, n: usize, k: usize, slices: usize) -> Tile {
        let count = |tile_m: usize, tile_n: usize| m.div_ceil(tile_m) * n.div_ceil(tile_n) * slices;
        if m > 64 && n > 64 && count(128, 128) >= ENOUGH_LARGE_TILES {
            return Self::LARGE;
        }
        let side = |len: usize| len.next_power_of_two().clamp(4, 64);
        let (mut tile_m, mut tile_n) = (side(m), side(n));
        // Halves tiles that would not occupy the GPU. Below 32 × 32, the additional loads outweigh the gain.
        while tile_m * tile_n > 32 * 32 && count(tile_m, tile_n) < ENOUGH_WORKGROUPS {
            if tile_m >= tile_n {
                tile_m /= 2;
            } else {
                tile_n /= 2;
            }
        }
        Self::of(tile_m, tile_n, k)
    }

    /// Returns a tile that contains whole rows of a result with `n` columns, or `None` if the rows are too wide for a
    /// workgroup. `k` is the inner dimension of the product.
    pub fn whole_rows(n: usize, k: usize) -> Option<Tile> {
        let tile_n = n.next_power_of_two().max(8);
        let tile_m = (4 * MOST_THREADS * 4 / tile_n).min(64);
        (tile_m >= 16).then(|| Tile { split: 1, ..Self::of(tile_m, tile_n, k) }.shallow())
    }

    /// Returns a tile of `m` rows and `n` columns in which each invocation computes 4×4 elements. The depth and the
    /// split of the tile are the largest that fit a workgroup. `k` is the inner dimension of the product.
    fn of(m: usize, n: usize, k: usize) -> Tile {
        let depth = k.next_power_of_two().clamp(4, 64);
        let split = (MOST_THREADS * 16 / (m * n)).min(depth).max(1);
        Tile { m, n, k: depth, per_m: 4, per_n: 4, split }.shallow()
    }

    /// Reduces the tile's depth until two blocks of the operands fit the workgroup memory, and each invocation loads at
    /// most four vectors of four elements per iteration.
    fn shallow(mut self) -> Tile {
        let limit = (MEMORY / 2).min(16 * self.threads()) / (self.m + self.n);
        while self.k > 4 && self.k > limit {
            self.k /= 2;
        }
        // Reducing the split also reduces the invocations, so the recursion ends with a tile that fits.
        if self.split > self.k {
            self.split = self.k;
            return self.shallow();
        }
        self
    }

    /// Returns the number of invocations that cover one row of the tile side by side.
    pub fn along_n(&self) -> usize {
        self.n / self.per_n
    }

    /// Returns the number of invocations that cover one column of the tile, one below the other.
    pub fn along_m(&self) -> usize {
        self.m / self.per_m
    }

    /// Returns the number of invocations in the workgroup that computes the tile.
    pub fn threads(&self) -> usize {
        self.along_m() * self.along_n() * self.split
    }

    /// Returns the number of vectors of four elements of both factors that a workgroup loads in each iteration of the
    /// main loop.
    pub fn block_len(&self) -> usize {
        self.k * (self.m + self.n) / 4
    }

    /// Returns the size of the workgroup memory that the kernel of this tile needs, in vectors of four f32 values.
    /// Three uses share the memory: two blocks of the operands, half of the partial sums of the split, and one sum per
    /// invocation for a norm. The largest use determines the size.
    pub fn memory(&self) -> usize {
        let operands = 2 * self.block_len();
        let shares = self.m * self.n / 4 * (self.split / 2);
        let row_sums = self.along_m() * self.along_n();
        operands.max(shares).max(row_sums)
    }
}

#[cfg(test)]
mod tests {
    use super::Tile;

    fn fits(tile: Tile) {
        assert!(tile.threads() <= 256 && tile.memory() * 16 <= 16_384, "{tile:?}");
        assert!(tile.block_len() <= 4 * tile.threads(), "{tile:?}");
        assert!(
            tile.split <= tile.k && tile.k.is_multiple_of(tile.split) && tile.k.is_multiple_of(4),
            "{tile:?}"
        );
    }

    #[test]
    fn the_row_sums_of_a_layer_norm_fit_the_workgroup_memory() {
        for n in 1..=256 {
            for k in 1..=70 {
                let tile = Tile::whole_rows(n, k).unwrap();
                assert!(tile.memory() >= tile.along_m() * tile.along_n(), "{tile:?}");
            }
        }
    }

    #[test]
    fn every_tile_is_within_the_limits_of_all_adapters() {
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
            Tile { m: 64, n: 64, k: 16, per_m: 4, per_n: 4, split: 1 }
        );
        let head = Tile::choose(32_768, 3, 64, 1);
        assert_eq!((head.m, head.n, head.split), (64, 4, 16));
    }
}
