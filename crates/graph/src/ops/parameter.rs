//! Parameters as values.

use vivarium_kernels::reduce;

use crate::call::{StepCall, StepOutputs};
use crate::graph::Graph;
use crate::ids::{ParameterId, Value};
use crate::init::Initializer;
use crate::op::{GradientOp, Op};
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// Returns a parameter \[width\] as a value that is the same in each row, such as the log standard deviation of a
    /// Gaussian policy.
    pub fn parameter(&mut self, name: &str, width: usize, initializer: Initializer) -> Value {
        self.parameter_shaped(name, &[width], initializer)
    }

    /// Returns a parameter of any shape as a value that is the same in each row, such as the position embeddings of a
    /// transformer.
    pub fn parameter_shaped(&mut self, name: &str, dims: &[usize], initializer: Initializer) -> Value {
        let id = self.declare_table(name, dims, initializer);
        self.append(Op::Parameter(id), &[], Shape::new(dims).unwrap_or(Shape::SCALAR))
    }
}

pub(super) fn gradient(id: ParameterId, dy: Value, tape: &mut GradientTape) {
    tape.sink(GradientOp::Parameter(id), &[dy]);
}

pub(super) fn reference(id: ParameterId, call: &ReferenceCall<'_>) -> Vec<f64> {
    call.parameter(id).repeat(call.rows)
}

pub(super) fn run(id: ParameterId, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let parameter = call.parameter(id);
    target.result().chunks_exact_mut(parameter.len()).for_each(|row| row.copy_from_slice(parameter));
}

/// Adds the sum of dy over the rows to the parameter's gradient.
pub(super) fn run_gradient(id: ParameterId, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    let n = call.shape(0).size();
    let gradient = &mut target.gradients[call.range(id)];
    reduce::add_columns(call.level(), call.rows(), n, call.operand(0), n, gradient);
}
