//! Builder methods and gradients of binary element-wise functions.

use crate::call::{StepCall, StepOutputs};
use crate::elementwise::binary_functions;
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::{OnnxForm, integer_attribute};
use crate::op::Binary;
use crate::ops::operation::Operation;
use crate::reference_call::ReferenceCall;
use crate::step::{EpiloguePart, Fusion, PlanStep};
use crate::tape::GradientTape;

macro_rules! builders {
    ($($(#[$doc:meta])* $variant:ident $name:ident $row:tt)*) => {
        /// Builder methods of the binary element-wise functions. An operand whose last dimension is 1 is broadcast.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, a: Value, b: Value) -> Value {
                self.binary(Binary::$variant, a, b)
            })*
        }
    };
}

binary_functions!(builders);

impl Graph {
    fn binary(&mut self, function: Binary, a: Value, b: Value) -> Value {
        let [left, right] = [a, b].map(|operand| self.shape(operand));
        let (m, n) = (left.width(), right.width());
        let fits = left.same_lines(&right) && (m == n || m == 1 || n == 1);
        let shape = fits.then_some(left.with_width(m.max(n)));
        let allowed = "equal shapes, or one of them with a last dimension of 1";
        self.push(function, &[a, b], shape.ok_or(allowed))
    }
}

/// Binary element-wise function: (a \[…, n\], b \[…, n\]) → \[…, n\]. The last dimension of a or b may be 1.
impl Operation for Binary {
    const NAME: &'static str = "binary";
    const READS_PARAMETERS: bool = false;

    fn name(&self) -> &'static str {
        Binary::name(*self)
    }

    fn passes_gradient(&self) -> bool {
        !matches!(self, Binary::Less | Binary::LessEqual)
    }

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (a, b, y) = (node.operands[0], node.operands[1], node.results[0]);
        // dy where the comparison holds, else 0.
        let chosen = |g: &mut Graph, holds: Value| g.mul(dy, holds);
        match self {
            Binary::Add => {
                tape.add(a, |_| dy);
                tape.add(b, |_| dy);
            }
            Binary::Sub => {
                tape.add(a, |_| dy);
                tape.add(b, |g| g.neg(dy));
            }
            Binary::Mul => {
                tape.add(a, |g| g.mul(dy, b));
                tape.add(b, |g| g.mul(dy, a));
            }
            Binary::Div => {
                tape.add(a, |g| g.div(dy, b));
                tape.add(b, |g| {
                    let slope = g.div(y, b);
                    let change = g.mul(dy, slope);
                    g.neg(change)
                });
            }
            Binary::Min | Binary::Max => {
                let (low, high) = if *self == Binary::Min { (a, b) } else { (b, a) };
                let at_a = |g: &mut Graph| g.less_equal(low, high);
                tape.add(a, |g| {
                    let holds = at_a(g);
                    chosen(g, holds)
                });
                tape.add(b, |g| {
                    let holds = g.less(high, low);
                    chosen(g, holds)
                });
            }
            Binary::Less | Binary::LessEqual => {}
        }
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let pair = |i: usize| {
            let (line, column) = (i / call.width(), i % call.width());
            Binary::reference(*self, call.operands[0].at(line, column), call.operands[1].at(line, column))
        };
        (0..call.len()).map(pair).collect()
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (a, b) = (form.operand(0), form.operand(1));
        let result = form.node(self.onnx_operator(), &[&a, &b], &[]);
        // A comparison returns truth values, which are converted to f32 (data type 1).
        Some(match self.passes_gradient() {
            true => result,
            false => form.node("Cast", &[&result], &[integer_attribute("to", 1)]),
        })
    }

    /// Fuses an addition of two values of equal shape into the step of one summand; the other summand becomes the
    /// residual in the epilogue of that step.
    fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
        let Fusion { graph, earlier, operands, position } = *fusion;
        let (this, other) = (operands[position], operands[1 - position]);
        if *self != Binary::Add || this == other || graph.shape(this) != graph.shape(other) {
            return None;
        }
        earlier.with(EpiloguePart::Residual(other))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (operands, widths) = ([0, 1].map(|i| call.operand(i)), [0, 1].map(|i| call.width(i)));
        Binary::run(*self, call.level(), operands, widths, target.result());
    }
}
