//! Layers with parameters, and their gradients, through the kernels that everybody uses.

use std::ops::Range;

use vivarium_graph::{Kernel, Norm, Op, ParameterId};

use super::Network;
use super::schedule::Group;
use super::values::{Id, Node, Values, Work};
use crate::error::GpuError;
use crate::kernels::{
    self, ColumnSums, InputGradient, LayerNorm, LayerNormGradient, Linear, ParameterGradient,
};
use crate::kernels::{Slices, Slope};
use crate::memory::Buffer;
use crate::program::Recorder;

/// Records layers, one after the other.
pub(crate) struct Layers<'a> {
    pub(super) network: &'a Network,
    pub(super) parameters: &'a Buffer,
    gradients: Option<Slices<'a>>,
    /// Which parameters have got a gradient: what comes next is added to it.
    has_gradient: Vec<bool>,
}

impl<'a> Layers<'a> {
    pub(crate) fn new(network: &'a Network, parameters: &'a Buffer, gradients: Option<Slices<'a>>) -> Self {
        Self { network, parameters, gradients, has_gradient: vec![false; network.parameters.len()] }
    }

    /// Where a value lies in the arena.
    pub(super) fn value(&self, id: Id) -> usize {
        self.network.layout.offsets[id].expect("operands and results of layers lie in memory")
    }

    /// The width of a value's lines.
    pub(super) fn width(&self, id: Id) -> usize {
        self.network.values.shape(id).width()
    }

    /// Where a parameter starts.
    pub(super) fn parameter(&self, id: ParameterId) -> usize {
        self.network.parameters[id.0].start
    }

    fn norm(&self, norm: Norm) -> kernels::Norm {
        kernels::Norm { scale: self.parameter(norm.scale), shift: self.parameter(norm.shift) }
    }

    pub(super) fn slices(&self) -> &Slices<'a> {
        self.gradients.as_ref().expect("a plan with gradients is recorded with slices")
    }

    pub(super) fn result(&self, node: &Node) -> usize {
        self.value(node.result.expect("this layer has a result"))
    }

    /// Rows of a layer's product: a row of the batch may hold several lines.
    pub(super) fn rows(&self, node: &Node) -> usize {
        self.network.rows * self.network.values.shape(node.operands[0]).lines()
    }

    /// Records the kernels of layers that are alike.
    pub(crate) fn record(&mut self, recorder: &mut Recorder, group: &Group) -> Result<(), GpuError> {
        let (arena, parameters) = (self.network.arena(), self.parameters);
        let nodes: Vec<&Node> = group.nodes.iter().map(|&node| &self.network.values.nodes[node]).collect();
        match nodes[0].work {
            Work::Step(Kernel::Linear { .. }) => {
                let layers: Vec<Linear> = nodes.iter().filter_map(|node| self.linear(node)).collect();
                kernels::linear(recorder, arena, parameters, &layers, None)
            }
            Work::InputGradient { .. } | Work::Step(Kernel::Op(Op::LinearTransposed { .. })) => {
                let layers: Vec<InputGradient> =
                    nodes.iter().filter_map(|node| self.input_gradient(node)).collect();
                kernels::linear_input_gradient(recorder, arena, parameters, &layers, None)
            }
            Work::Step(Kernel::Op(Op::LinearParameterGradient { .. })) => {
                let layers: Vec<ParameterGradient> =
                    nodes.iter().filter_map(|node| self.parameter_gradient(recorder, node)).collect();
                kernels::linear_parameter_gradient(recorder, arena, self.slices(), &layers, None)
            }
            _ => nodes.into_iter().try_for_each(|node| self.single(recorder, node)),
        }
    }

    fn linear(&self, node: &Node) -> Option<Linear> {
        let Work::Step(Kernel::Linear { weight, bias, norm, activation }) = node.work else { return None };
        Some(Linear {
            rows: self.rows(node),
            inputs: self.width(node.operands[0]),
            outputs: self.width(node.result?),
            x: self.value(node.operands[0]),
            y: self.result(node),
            weight: self.parameter(weight),
            bias: bias.map(|id| self.parameter(id)),
            norm: norm.map(|norm| self.norm(norm)),
            residual: node.operands.get(1).map(|&id| self.value(id)),
            activation,
        })
    }

    fn input_gradient(&self, node: &Node) -> Option<InputGradient> {
        let (weight, added, through) = match node.work {
            Work::InputGradient { weight, added, through } => (weight, added, through),
            Work::Step(Kernel::Op(Op::LinearTransposed { weight })) => (weight, false, None),
            _ => return None,
        };
        let after = 1 + usize::from(added);
        Some(InputGradient {
            rows: self.rows(node),
            inputs: self.width(node.result?),
            outputs: self.width(node.operands[0]),
            dy: self.value(node.operands[0]),
            dx: self.result(node),
            weight: self.parameter(weight),
            added: added.then(|| self.value(node.operands[1])),
            slope: through.map(|activation| Slope { activation, of: self.value(node.operands[after]) }),
        })
    }

    fn parameter_gradient(&mut self, recorder: &mut Recorder, node: &Node) -> Option<ParameterGradient> {
        let Some(Op::LinearParameterGradient { weight, bias }) = node.op() else { return None };
        let ids: Vec<ParameterId> = [Some(weight), bias].into_iter().flatten().collect();
        Some(ParameterGradient {
            rows: self.rows(node),
            inputs: self.width(node.operands[0]),
            outputs: self.width(node.operands[1]),
            x: self.value(node.operands[0]),
            dy: self.value(node.operands[1]),
            weight: self.parameter(weight),
            bias: bias.map(|id| self.parameter(id)),
            accumulate: self.accumulates(recorder, &ids),
        })
    }

    /// Whether a gradient is to be added to what these parameters, those of one layer, have got.
    pub(super) fn accumulates(&mut self, recorder: &mut Recorder, ids: &[ParameterId]) -> bool {
        let before = ids.iter().any(|id| self.has_gradient[id.0]);
        for id in ids {
            let range = &self.network.parameters[id.0];
            // One that layers share, with another that they do not: something to add to is needed for all of them.
            if before && !self.has_gradient[id.0] {
                let slices = self.slices();
                for start in (0..slices.count).map(|slice| slice * slices.stride) {
                    recorder.clear(slices.buffer, start + range.start..start + range.end);
                }
            }
            self.has_gradient[id.0] = true;
        }
        before
    }

    /// Records a layer that is done by itself.
    fn single(&mut self, recorder: &mut Recorder, node: &Node) -> Result<(), GpuError> {
        let arena = self.network.arena();
        let (rows, first, width) =
            (self.rows(node), self.value(node.operands[0]), self.width(node.operands[0]));
        match node.work {
            Work::Step(Kernel::LayerNorm { norm, activation }) => {
                let layer = LayerNorm {
                    rows,
                    width,
                    x: first,
                    y: self.result(node),
                    norm: self.norm(norm),
                    residual: node.operands.get(1).map(|&id| self.value(id)),
                    activation,
                };
                kernels::layer_norm(recorder, arena, self.parameters, &layer)
            }
            Work::Step(Kernel::Op(Op::ParameterGradient(id))) => {
                let accumulate = self.accumulates(recorder, &[id]);
                // All of its numbers are columns, however many lines it has.
                let (rows, width) = (self.network.rows, self.network.parameters[id.0].len());
                let columns =
                    ColumnSums { rows, width, dy: first, parameter: self.parameter(id), accumulate };
                kernels::column_sums(recorder, arena, self.slices(), &columns)
            }
            Work::Step(Kernel::Op(Op::LayerNormGradient { scale, shift })) => {
                let accumulate = self.accumulates(recorder, &[scale, shift]);
                let layer = LayerNormGradient {
                    rows,
                    width,
                    x: first,
                    dy: self.value(node.operands[1]),
                    dx: self.result(node),
                    norm: self.norm(Norm { scale, shift }),
                    accumulate,
                };
                kernels::layer_norm_gradient(recorder, arena, self.parameters, self.slices(), &layer)
            }
            #[cfg(feature = "sequences")]
            Work::Step(Kernel::Op(op)) => self.sequences(recorder, node, op),
            _ => unreachable!("no other step is a layer by itself"),
        }
    }
}

/// How much working memory a node needs in the arena.
pub(super) fn room(values: &Values, parameters: &[Range<usize>], rows: usize, node: &Node) -> usize {
    #[cfg(feature = "sequences")]
    if let Some(op) = node.op() {
        return super::sequences::room(values, parameters, rows, node, op);
    }
    let _ = (values, parameters, rows, node);
    0
}
