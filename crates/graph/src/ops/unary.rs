//! Builder methods and gradients of unary element-wise functions.

use crate::call::{StepCall, StepOutputs};
use crate::elementwise::{DerivativeInput, number, unary_functions};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::node::OnnxNode;
use crate::op::{Unary, UnaryGradientOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::step::{EpiloguePart, PlanStep};
use crate::tape::GradientTape;

macro_rules! builders {
    ($($(#[$doc:meta])* $variant:ident $(($($number:ident),+))? $name:ident, slope: $from:ident $(($slope:expr))?,
        onnx: $onnx:expr, epilogue: $epilogue:expr,
        f64: |$x:ident| $f64:expr,
        simd: |$s:ident, $v:ident| $simd:expr,
        dx: |$ds:ident, $saved:ident, $dy:ident| $dx:expr,
        wgsl: $wgsl:literal, $wgsl_dx:literal;)*) => {
        /// Unary element-wise functions.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, x: Value $($(, $number: number!($number))+)?) -> Value {
                self.append(Unary::$variant $(($($number),+))?, &[x], self.shape(x))
            })*

            /// Negation −x.
            pub fn neg(&mut self, x: Value) -> Value {
                self.scale(x, -1.0)
            }
        }
    };
}

unary_functions!(builders);

/// x \[…, n\] → \[…, n\]: the function of each element.
impl Operation for Unary {
    const NAME: &'static str = "unary";
    const READS_PARAMETERS: bool = false;

    fn name(&self) -> &'static str {
        Unary::name(*self)
    }

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (x, y) = (node.operands[0], node.results[0]);
        match self.slope() {
            DerivativeInput::OfX => tape.add_op(x, UnaryGradientOp(*self), &[x, dy]),
            DerivativeInput::OfY => tape.add_op(x, UnaryGradientOp(*self), &[y, dy]),
            DerivativeInput::Constant(1.0) => tape.add(x, |_| dy),
            DerivativeInput::Constant(slope) => tape.add(x, |g| g.scale(dy, slope)),
        }
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.operands[0].numbers.iter().map(|&x| Unary::reference(*self, x)).collect()
    }

    fn onnx(&self) -> Option<OnnxNode> {
        self.onnx_operator().map(OnnxNode::new)
    }

    fn join(&self, _: &Graph, earlier: &PlanStep, _: &[Value], _: usize) -> Option<PlanStep> {
        earlier.with(EpiloguePart::Activation(self.activation()?))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        Unary::run(*self, call.level(), call.operand(0), target.result());
    }
}

impl GradientOperation for UnaryGradientOp {
    const NAME: &'static str = "unary_gradient";
    const ACCUMULATES: bool = false;

    fn join(&self, _: &Graph, earlier: &PlanStep, operands: &[Value], position: usize) -> Option<PlanStep> {
        if position != 1 || operands[0] == operands[1] {
            return None;
        }
        earlier.with(EpiloguePart::Slope(self.0.activation()?, operands[0]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        self.0.run_gradient(call.level(), call.operand(0), call.operand(1), target.result());
    }
}
