//! Operations on sequences and vocabularies, through their kernels.

use std::ops::Range;

use vivarium_graph::{Op, ParameterId};

use super::layers::Layers;
use super::values::{Node, Values};
use crate::error::GpuError;
use crate::kernels::{self, Attention, AttentionGradient, EmbeddingGradient, Head, HeadGradient};
use crate::program::Recorder;

/// How much working memory a node needs in the arena.
pub(super) fn room(values: &Values, parameters: &[Range<usize>], rows: usize, node: &Node, op: Op) -> usize {
    let (Op::HeadLoss { weight } | Op::HeadLossGradient { weight }) = op else { return 0 };
    let shape = values.shape(node.operands[0]);
    let (lines, width) = (rows * shape.lines(), shape.width());
    let entries = parameters[weight.0].len() / width;
    match op {
        Op::HeadLoss { .. } => Head::room(lines, entries),
        _ => HeadGradient::room(lines, width, entries),
    }
}

impl Layers<'_> {
    /// Records an operation on sequences, or on a vocabulary.
    pub(super) fn sequences(&mut self, recorder: &mut Recorder, node: &Node, op: Op) -> Result<(), GpuError> {
        let arena = self.network.arena();
        match op {
            Op::EmbeddingGradient { table } => {
                let accumulate = self.accumulates(recorder, &[table]);
                let gradient = self.embedding_gradient(node, table, accumulate);
                kernels::embedding_gradient(recorder, arena, self.slices(), &gradient)
            }
            Op::Attention { heads } => {
                let attention = self.attention(node, heads, self.result(node));
                kernels::attention(recorder, arena, &attention)
            }
            Op::AttentionGradient { heads } => {
                let of = self.attention(node, heads, self.value(node.operands[1]));
                let dy = self.value(node.operands[2]);
                let gradient = AttentionGradient { of, dy, dqkv: self.result(node) };
                kernels::attention_gradient(recorder, arena, &gradient)
            }
            Op::HeadLoss { weight } => {
                let head = self.head(node, weight);
                kernels::head_loss(recorder, arena, self.parameters, &head, self.result(node))
            }
            Op::HeadLossGradient { weight } => {
                let accumulate = self.accumulates(recorder, &[weight]);
                let dloss = self.value(node.operands[2]);
                let of = self.head(node, weight);
                let gradient = HeadGradient { of, dloss, y: self.result(node), accumulate };
                kernels::head_gradient(recorder, arena, self.parameters, self.slices(), &gradient)
            }
            _ => unreachable!("{} is no layer by itself", op.name()),
        }
    }

    fn embedding_gradient(&self, node: &Node, table: ParameterId, accumulate: bool) -> EmbeddingGradient {
        let [index, dy] = [0, 1].map(|operand| node.operands[operand]);
        let width = self.width(dy);
        EmbeddingGradient {
            rows: self.rows(node),
            each: self.width(index),
            entries: self.network.parameters[table.0].len() / width,
            width,
            index: self.value(index),
            dy: self.value(dy),
            table: self.parameter(table),
            accumulate,
        }
    }

    fn attention(&self, node: &Node, heads: usize, y: usize) -> Attention {
        let qkv = node.operands[0];
        Attention {
            rows: self.network.rows,
            tokens: self.network.values.shape(qkv).lines(),
            heads,
            head_width: self.width(qkv) / 3 / heads,
            qkv: self.value(qkv),
            y,
        }
    }

    fn head(&self, node: &Node, weight: ParameterId) -> Head {
        let [x, target] = [0, 1].map(|operand| node.operands[operand]);
        let width = self.width(x);
        let room = node.result.and_then(|result| self.network.layout.rooms[result]);
        Head {
            rows: self.rows(node),
            width,
            entries: self.network.parameters[weight.0].len() / width,
            x: self.value(x),
            target: self.value(target),
            weight: self.parameter(weight),
            room: room.expect("a head has been given room"),
        }
    }
}
