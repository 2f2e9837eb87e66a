//! Builder methods and gradients of unary element-wise functions.

use vivarium_kernels::activation::{GELU_CUBIC, GELU_SCALE, OnnxActivation};
use vivarium_kernels::{Activation, for_each_activation};

use crate::call::{StepCall, StepOutputs};
use crate::elementwise::{DerivativeInput, number, unary_functions};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::OnnxForm;
use crate::op::{Unary, UnaryGradientOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::step::{EpiloguePart, Fusion, PlanStep};
use crate::tape::GradientTape;

macro_rules! builders {
    ($($(#[$doc:meta])* $variant:ident $(($($number:ident),+))? $name:ident $row:tt)*) => {
        /// Builder methods of the unary element-wise functions.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, x: Value $($(, $number: number!($number))+)?) -> Value {
                self.append(Unary::$variant $(($($number),+))?, &[x], self.shape(x))
            })*

            /// Appends the negation −x.
            pub fn neg(&mut self, x: Value) -> Value {
                self.scale(x, -1.0)
            }
        }
    };
}

unary_functions!(builders);

macro_rules! activation_builders {
    ($($(#[$doc:meta])* $variant:ident $name:ident $row:tt)*) => {
        /// Builder methods of the activation functions.
        impl Graph {
            $($(#[$doc])*
            pub fn $name(&mut self, x: Value) -> Value {
                self.append(Unary::Activation(Activation::$variant), &[x], self.shape(x))
            })*
        }
    };
}

for_each_activation!(activation_builders);

macro_rules! onnx_forms {
    ($($(#[$doc:meta])* $variant:ident $(($($number:ident),+))? $name:ident {
        derivative: $from:ident $(($derivative:expr))?,
        onnx: |$form:ident, $x:ident| $onnx:expr,
        $($engines:tt)+
    })*) => {
        /// Appends the ONNX nodes of y = f(x) to `onnx`, and returns the ONNX name of y. `operand` is the ONNX name of x.
        fn append_onnx(function: Unary, onnx: &mut OnnxForm<'_, '_>, operand: &str) -> String {
            match function {
                Unary::Activation(function) => match function.onnx() {
                    OnnxActivation::Operator(operator) => onnx.node(operator, &[operand], &[]),
                    OnnxActivation::TanhGelu => append_gelu(onnx, operand),
                },
                $(Unary::$variant $(($($number),+))? => {
                    let ($form, $x) = (onnx, operand);
                    $onnx
                })*
            }
        }
    };
}

unary_functions!(onnx_forms);

/// Unary element-wise function: x \[…, n\] → \[…, n\].
impl Operation for Unary {
    const NAME: &'static str = "unary";
    const READS_PARAMETERS: bool = false;

    fn name(&self) -> &'static str {
        Unary::name(*self)
    }

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (x, y) = (node.operands[0], node.results[0]);
        match self.derivative_input() {
            DerivativeInput::OfX => tape.add_op(x, UnaryGradientOp(*self), &[x, dy]),
            DerivativeInput::OfY => tape.add_op(x, UnaryGradientOp(*self), &[y, dy]),
            DerivativeInput::Constant(1.0) => tape.add(x, |_| dy),
            DerivativeInput::Constant(slope) => tape.add(x, |g| g.scale(dy, slope)),
        }
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.operands[0].numbers.iter().map(|&x| Unary::reference(*self, x)).collect()
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let x = form.operand(0);
        Some(append_onnx(*self, form, &x))
    }

    fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
        let Unary::Activation(function) = *self else { return None };
        fusion.earlier.with(EpiloguePart::Activation(function))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        Unary::run(*self, call.level(), call.operand(0), target.result());
    }
}

/// Appends GELU with the tanh approximation, h + h·tanh(√(2/π)(x + 0.044715x³)) with h = x/2. Operator set 17 has no
/// operator for this function.
fn append_gelu(form: &mut OnnxForm<'_, '_>, x: &str) -> String {
    let (half, cubic, scale) = (form.number(0.5), form.number(GELU_CUBIC as f32), form.number(GELU_SCALE));
    let square = form.node("Mul", &[x, x], &[]);
    let cube = form.node("Mul", &[&square, x], &[]);
    let cube = form.node("Mul", &[&cube, &cubic], &[]);
    let sum = form.node("Add", &[x, &cube], &[]);
    let argument = form.node("Mul", &[&sum, &scale], &[]);
    let tanh = form.node("Tanh", &[&argument], &[]);
    let half = form.node("Mul", &[x, &half], &[]);
    let product = form.node("Mul", &[&half, &tanh], &[]);
    form.node("Add", &[&half, &product], &[])
}

impl GradientOperation for UnaryGradientOp {
    const NAME: &'static str = "unary_gradient";
    const ACCUMULATES: bool = false;

    fn join(&self, fusion: &Fusion<'_>) -> Option<PlanStep> {
        let (Unary::Activation(function), [saved, dy]) = (self.0, fusion.operands) else { return None };
        let is_dy = fusion.position == 1 && saved != dy;
        is_dy.then(|| fusion.earlier.with(EpiloguePart::ActivationGradient(function, *saved)))?
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        self.0.run_gradient(call.level(), call.operand(0), call.operand(1), target.result());
    }
}
