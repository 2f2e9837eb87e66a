//! Causal self-attention and its gradient, in blocks of queries by blocks of keys, so that the matrix of attention
//! weights is never materialized (FlashAttention: Dao et al. 2022, <https://arxiv.org/abs/2205.14135>).
//!
//! The scores of a block are \[keys, queries\] with one query for each SIMD lane, so that maxima and sums over the keys
//! need no horizontal reductions. The products use the register tiles of [`mod@crate::gemm`].

mod backward;
mod block;
mod decode;
mod forward;

pub use backward::{AttentionOutput, attention_backward};
pub use decode::decode_attention;
pub use forward::attention;

/// Number of keys in a block. The scores, keys and values of a block then fit the L1 cache.
const KEYS: usize = 64;

/// Sizes of multi-head attention over one sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionSizes {
    /// Number of tokens of the sequence.
    pub tokens: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Number of elements in a query, key or value of one head.
    pub head_width: usize,
}

impl AttentionSizes {
    /// Returns the model width: number of heads times head width.
    #[must_use]
    pub fn width(&self) -> usize {
        self.heads * self.head_width
    }

    /// Returns the length in f32 values of the scratch memory for [`attention`] and [`attention_backward`], sufficient
    /// at any SIMD level.
    #[must_use]
    pub fn scratch_len(&self) -> usize {
        const MOST_LANES: usize = 16;
        let (queries, padded) = (2 * MOST_LANES, self.head_width.next_multiple_of(MOST_LANES));
        let per_head = 4 * self.tokens * padded;
        let per_block = 2 * self.head_width * queries + 3 * queries * padded + 2 * KEYS * queries;
        per_head + per_block
    }

    /// Returns the block sizes of attention at SIMD levels whose vectors have `lanes` lanes.
    fn blocks(&self, lanes: usize) -> BlockSizes {
        BlockSizes { queries: 2 * lanes, padded: self.head_width.next_multiple_of(lanes) }
    }
}

/// Sizes of the blocks into which the attention of one head is divided.
#[derive(Clone, Copy)]
struct BlockSizes {
    /// Number of queries in a block: one for each lane of two SIMD vectors.
    queries: usize,
    /// Head width (elements in a query, key or value of one head), rounded up to whole SIMD vectors.
    padded: usize,
}

/// Removes the first `len` elements from `scratch`, the free scratch memory, and returns these elements.
fn split_scratch<'a>(scratch: &mut &'a mut [f32], len: usize) -> &'a mut [f32] {
    let (taken, rest) = std::mem::take(scratch).split_at_mut(len);
    *scratch = rest;
    taken
}
