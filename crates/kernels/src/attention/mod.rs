//! Causal self-attention over a sequence, and its gradient, in blocks of queries by blocks of keys: the matrix of all
//! weights never exists (Dao et al. 2022, "FlashAttention").
//!
//! Of a block, the scores lie as \[keys, queries\]: each lane is a query, so that maxima and sums over the keys need no
//! sums across lanes, and all products are the register tiles of [`mod@crate::gemm`].

mod backward;
mod block;
mod decode;
mod forward;

pub use backward::{Attended, attention_backward};
pub use decode::attend;
pub use forward::attention;

/// Keys of a block: its scores for two vectors of queries, and the keys and values, fit the first-level cache.
const KEYS: usize = 64;

/// The shape of an attention over one sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// How many tokens it has.
    pub tokens: usize,
    /// How many heads look at it.
    pub heads: usize,
    /// How many numbers of a query, a key or a value belong to one head.
    pub head_width: usize,
}

impl Sequence {
    /// How many numbers a token has in all heads.
    #[must_use]
    pub fn width(&self) -> usize {
        self.heads * self.head_width
    }

    /// How many numbers of working memory [`attention`] and [`attention_backward`] need, at any level.
    #[must_use]
    pub fn scratch_len(&self) -> usize {
        const MOST_LANES: usize = 16;
        let (queries, padded) = (2 * MOST_LANES, self.head_width.next_multiple_of(MOST_LANES));
        let per_head = 4 * self.tokens * padded;
        let per_block = 2 * self.head_width * queries + 3 * queries * padded + 2 * KEYS * queries;
        per_head + per_block
    }

    /// The lengths of blocks, where vectors have so many lanes.
    fn blocks(&self, lanes: usize) -> Blocks {
        Blocks { queries: 2 * lanes, padded: self.head_width.next_multiple_of(lanes) }
    }
}

/// How long blocks are.
#[derive(Clone, Copy)]
struct Blocks {
    /// Queries of a block: two vectors of them.
    queries: usize,
    /// The width of a head in whole vectors.
    padded: usize,
}

/// Takes the first `len` numbers off a slice.
fn take<'a>(scratch: &mut &'a mut [f32], len: usize) -> &'a mut [f32] {
    let (taken, rest) = std::mem::take(scratch).split_at_mut(len);
    *scratch = rest;
    taken
}
