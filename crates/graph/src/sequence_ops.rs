//! Operations of the feature `sequences`: attention, and the output head of a language model with its loss. Comments
//! state shapes as in [`op`](crate::op).

use crate::ids::ParameterId;

/// Causal multi-head self-attention: qkv \[tokens, 3·width\] → \[tokens, width\] and \[tokens, heads\]. The second
/// result is the log-sum-exp of each token's attention scores in each head, which the gradient reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttentionOp {
    /// Number of attention heads.
    pub heads: usize,
}

/// Gradient of an [`AttentionOp`] with the results y and log-sum-exp: (qkv, y, log-sum-exp, dy) → dqkv.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttentionGradientOp {
    /// Number of attention heads.
    pub heads: usize,
}

/// Output head with cross-entropy loss: −ln softmax(x·Wᵀ)\[target\]. (x \[…, n\], target \[…, 1\]) → \[…, 1\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadLossOp {
    /// Weight W of the output head, row-major \[k, n\], for a vocabulary of k entries.
    pub weight: ParameterId,
}

/// Gradient of a [`HeadLossOp`], where d is the gradient of the losses: (x \[…, n\], target \[…, 1\], d \[…, 1\]) → dx
/// \[…, n\] and the losses \[…, 1\]. Also adds to the gradient of the head's weight W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadLossGradientOp {
    /// Weight W of the output head, row-major \[k, n\], for a vocabulary of k entries.
    pub weight: ParameterId,
}

/// Adds the operations of the feature `sequences` to the list of [`for_each_op!`](crate::for_each_op).
#[doc(hidden)]
#[macro_export]
macro_rules! with_sequence_ops {
    ($with:ident { $($rows:tt)+ }) => {
        $with! {
            $($rows)+
            attention: Attention(AttentionOp), AttentionGradient(AttentionGradientOp);
            head_loss: HeadLoss(HeadLossOp), HeadLossGradient(HeadLossGradientOp);
        }
    };
}
