//! Product y = x·Wᵀ, with a fused epilogue: output head of a language model, and input gradient of a linear layer.

use vivarium_kernels::{Matrix, MatrixMut, activation, gemm, reduce};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::{ParameterId, Value};
use crate::init::Initializer;
use crate::op::{GradientOp, Op};
use crate::reference_call::ReferenceCall;
use crate::spec::ParameterRole;
use crate::tape::GradientTape;

impl Graph {
    /// Appends x·Wᵀ without bias, with the parameter `NAME.weight` \[width, n\]. The parameter may be the table of an
    /// [`embedding`](Self::embedding) (weight tying).
    pub fn linear_transposed(
        &mut self,
        name: &str,
        x: Value,
        width: usize,
        initializer: Initializer,
    ) -> Value {
        let weight =
            self.declare_weight(name, [width, self.shape(x).width()], initializer, ParameterRole::Head);
        self.append(Op::LinearTransposed { weight }, &[x], self.shape(x).with_width(width))
    }
}

pub(super) fn gradient(weight: ParameterId, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    let x = node.operands[0];
    // The weight gradient of y = x·Wᵀ is dyᵀ·x: that of a linear layer with input dy and output gradient x.
    tape.sink(GradientOp::Linear { weight, bias: None }, &[dy, x]);
    tape.add(x, |g| g.append(Op::Linear { weight, bias: None }, &[dy], g.shape(x)));
}

pub(super) fn reference(weight: ParameterId, call: &ReferenceCall<'_>) -> Vec<f64> {
    call.per_line(|x| {
        let dot = |row: &[f64]| row.iter().zip(x).map(|(w, x)| w * x).sum();
        call.parameter(weight).chunks_exact(x.len()).map(dot).collect()
    })
}

pub(super) fn run(weight: ParameterId, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let (level, lines, n) = (call.level(), call.lines(), call.width(0));
    let result = target.result();
    let k = result.len() / lines;
    let mut first = 0;
    for chunk in call.packed_transposed(weight) {
        gemm::gemm(
            level,
            lines,
            Matrix::new(call.operand(0), n),
            chunk,
            MatrixMut::strided(&mut result[first..], chunk.n(), k),
            0.0,
        );
        first += chunk.n();
    }
    if let Some(added) = call.added() {
        reduce::add(level, added, result);
    }
    if let Some(activation) = call.step.epilogue.slope {
        let saved = call.operand(call.step.operands.len() - 1);
        activation::backward(level, activation, saved, result);
    }
}
