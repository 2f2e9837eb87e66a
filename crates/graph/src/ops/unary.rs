//! Builder methods and gradients of unary element-wise functions.

use crate::elementwise::{DerivativeInput, Unary, number, unary_functions};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::op::{GradientOp, Op};
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;

macro_rules! builders {
    ($($(#[$doc:meta])* $variant:ident $(($($number:ident),+))? $name:ident, slope: $from:ident $(($slope:expr))?,
        f64: |$x:ident| $f64:expr,
        simd: |$s:ident, $v:ident| $simd:expr,
        dx: |$ds:ident, $saved:ident, $dy:ident| $dx:expr,
        wgsl: $wgsl:literal, $wgsl_dx:literal;)*) => {
        /// Unary element-wise functions.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, x: Value $($(, $number: number!($number))+)?) -> Value {
                self.append(Op::Unary(Unary::$variant $(($($number),+))?), &[x], self.shape(x))
            })*

            /// Negation −x.
            pub fn neg(&mut self, x: Value) -> Value {
                self.scale(x, -1.0)
            }
        }
    };
}

unary_functions!(builders);

pub(super) fn gradient(function: Unary, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
    let (x, y) = (node.operands[0], node.results[0]);
    match function.slope() {
        DerivativeInput::OfX => tape.add_op(x, GradientOp::Unary(function), &[x, dy]),
        DerivativeInput::OfY => tape.add_op(x, GradientOp::Unary(function), &[y, dy]),
        DerivativeInput::Constant(1.0) => tape.add(x, |_| dy),
        DerivativeInput::Constant(slope) => tape.add(x, |g| g.scale(dy, slope)),
    }
}

pub(super) fn reference(function: Unary, call: &ReferenceCall<'_>) -> Vec<f64> {
    call.operands[0].numbers.iter().map(|&x| function.reference(x)).collect()
}
