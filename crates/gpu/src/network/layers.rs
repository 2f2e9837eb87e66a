//! Layers with parameters, and their gradients, through the kernels that everybody uses.

use vivarium_graph::{Activation, Kernel, Norm, Op, ParameterId};

use super::Network;
use super::values::{Id, Node, Work};
use crate::error::GpuError;
use crate::kernels::{
    self, ColumnSums, InputGradient, LayerNorm, LayerNormGradient, Linear, ParameterGradient,
};
use crate::kernels::{Slices, Slope};
use crate::memory::Buffer;
use crate::program::Recorder;

/// Records layers, one after the other.
pub(crate) struct Layers<'a> {
    network: &'a Network,
    parameters: &'a Buffer,
    gradients: Option<Slices<'a>>,
    /// Which parameters have got a gradient: what comes next is added to it.
    has_gradient: Vec<bool>,
}

impl<'a> Layers<'a> {
    pub(crate) fn new(network: &'a Network, parameters: &'a Buffer, gradients: Option<Slices<'a>>) -> Self {
        Self { network, parameters, gradients, has_gradient: vec![false; network.parameters.len()] }
    }

    /// Where a value lies in the arena.
    fn value(&self, id: Id) -> usize {
        self.network.layout.offsets[id].expect("operands and results of layers lie in memory")
    }

    /// The width of a value's lines.
    fn width(&self, id: Id) -> usize {
        self.network.values.shape(id).width()
    }

    /// Where a parameter starts.
    fn parameter(&self, id: ParameterId) -> usize {
        self.network.parameters[id.0].start
    }

    fn norm(&self, norm: Norm) -> kernels::Norm {
        kernels::Norm { scale: self.parameter(norm.scale), shift: self.parameter(norm.shift) }
    }

    fn slices(&self) -> &Slices<'a> {
        self.gradients.as_ref().expect("a plan with gradients is recorded with slices")
    }

    /// Records the kernels of a node.
    pub(crate) fn record(&mut self, recorder: &mut Recorder, node: &Node) -> Result<(), GpuError> {
        let shape = self.network.values.shape(node.operands[0]);
        let rows = self.network.rows * shape.lines();
        match node.work {
            Work::Step(Kernel::Linear { weight, bias, norm, activation }) => {
                let norm = norm.map(|norm| self.norm(norm));
                self.linear(recorder, node, rows, weight, bias, norm, activation)
            }
            Work::Step(Kernel::LayerNorm { norm, activation }) => {
                let layer = LayerNorm {
                    rows,
                    width: shape.width(),
                    x: self.value(node.operands[0]),
                    y: self.result(node),
                    norm: self.norm(norm),
                    residual: node.operands.get(1).map(|&id| self.value(id)),
                    activation,
                };
                kernels::layer_norm(recorder, self.network.arena(), self.parameters, &layer)
            }
            Work::InputGradient { weight, added, through } => {
                self.input_gradient(recorder, node, rows, weight, added, through)
            }
            Work::Step(Kernel::Op(Op::LinearInputGradient { weight })) => {
                self.input_gradient(recorder, node, rows, weight, false, None)
            }
            Work::Step(Kernel::Op(op)) => self.parameter_gradient(recorder, node, rows, op),
            Work::Step(Kernel::CrossEntropyGradient | Kernel::Copy) => {
                unreachable!("only layers have kernels of their own")
            }
        }
    }

    fn result(&self, node: &Node) -> usize {
        self.value(node.result.expect("this layer has a result"))
    }

    fn linear(
        &self,
        recorder: &mut Recorder,
        node: &Node,
        rows: usize,
        weight: ParameterId,
        bias: Option<ParameterId>,
        norm: Option<kernels::Norm>,
        activation: Activation,
    ) -> Result<(), GpuError> {
        let layer = Linear {
            rows,
            inputs: self.width(node.operands[0]),
            outputs: node.result.map_or(0, |id| self.width(id)),
            x: self.value(node.operands[0]),
            y: self.result(node),
            weight: self.parameter(weight),
            bias: bias.map(|id| self.parameter(id)),
            norm,
            residual: node.operands.get(1).map(|&id| self.value(id)),
            activation,
        };
        kernels::linear(recorder, self.network.arena(), self.parameters, &layer)
    }

    fn input_gradient(
        &self,
        recorder: &mut Recorder,
        node: &Node,
        rows: usize,
        weight: ParameterId,
        added: bool,
        through: Option<Activation>,
    ) -> Result<(), GpuError> {
        let after = 1 + usize::from(added);
        let layer = InputGradient {
            rows,
            inputs: node.result.map_or(0, |id| self.width(id)),
            outputs: self.width(node.operands[0]),
            dy: self.value(node.operands[0]),
            dx: self.result(node),
            weight: self.parameter(weight),
            added: added.then(|| self.value(node.operands[1])),
            slope: through.map(|activation| Slope { activation, of: self.value(node.operands[after]) }),
        };
        kernels::linear_input_gradient(recorder, self.network.arena(), self.parameters, &layer)
    }

    /// Whether a gradient is to be added to what these parameters, those of one layer, have got.
    fn accumulates(&mut self, recorder: &mut Recorder, ids: &[ParameterId]) -> bool {
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

    fn parameter_gradient(
        &mut self,
        recorder: &mut Recorder,
        node: &Node,
        rows: usize,
        op: Op,
    ) -> Result<(), GpuError> {
        let arena = self.network.arena();
        let first = self.value(node.operands[0]);
        let width = self.width(node.operands[0]);
        match op {
            Op::LinearParameterGradient { weight, bias } => {
                let ids: Vec<ParameterId> = [Some(weight), bias].into_iter().flatten().collect();
                let accumulate = self.accumulates(recorder, &ids);
                let layer = ParameterGradient {
                    rows,
                    inputs: width,
                    outputs: self.width(node.operands[1]),
                    x: first,
                    dy: self.value(node.operands[1]),
                    weight: self.parameter(weight),
                    bias: bias.map(|id| self.parameter(id)),
                    accumulate,
                };
                kernels::linear_parameter_gradient(recorder, arena, self.slices(), &layer)
            }
            Op::ParameterGradient(id) => {
                let accumulate = self.accumulates(recorder, &[id]);
                let columns =
                    ColumnSums { rows, width, dy: first, parameter: self.parameter(id), accumulate };
                kernels::column_sums(recorder, arena, self.slices(), &columns)
            }
            Op::LayerNormGradient { scale, shift } => {
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
            _ => unreachable!("{} is not a layer", op.name()),
        }
    }
}
