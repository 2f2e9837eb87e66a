//! Parameters as values.

use vivarium_kernels::reduce;

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::onnx::form::{OnnxForm, integer_attribute};
use crate::op::{ParameterGradientOp, ParameterOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// Appends the parameter `name` \[width\] as a value that is the same in each row, such as the log standard
    /// deviation of a Gaussian policy.
    pub fn parameter(&mut self, name: &str, width: usize, initializer: Initializer) -> Value {
        self.parameter_shaped(name, &[width], initializer)
    }

    /// Appends the parameter `name` of any shape as a value that is the same in each row, such as the position
    /// embeddings of a transformer.
    pub fn parameter_shaped(&mut self, name: &str, dims: &[usize], initializer: Initializer) -> Value {
        let id = self.declare_table(name, dims, initializer);
        self.append(ParameterOp(id), &[], Shape::new(dims).unwrap_or(Shape::SCALAR))
    }
}

impl Operation for ParameterOp {
    const NAME: &'static str = "parameter";
    const READS_PARAMETERS: bool = true;

    fn gradient(&self, _: &GraphNode, dy: Value, tape: &mut GradientTape) {
        tape.sink(ParameterGradientOp(self.0), &[dy]);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.parameter(self.0).repeat(call.rows)
    }

    /// Repeats the parameter for each row of the batch. A parameter with one row for each position of a sequence, such
    /// as position embeddings, is cut to the length of the sequences.
    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (mut parameter, batch) = (form.parameter(self.0), form.batch()?);
        let (shape, axis) = (form.result_shape(), [integer_attribute("axis", 0)]);
        let width = form.integers(&[shape.width() as i64]);
        let shape = if shape.dims().len() == 2 {
            let (start, time) = (form.integers(&[0]), form.time()?);
            parameter = form.node("Slice", &[&parameter, &start, &time, &start], &[]);
            form.node("Concat", &[&batch, &time, &width], &axis)
        } else {
            form.node("Concat", &[&batch, &width], &axis)
        };
        Some(form.node("Expand", &[&parameter, &shape], &[]))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let parameter = call.parameter(self.0);
        target.result().chunks_exact_mut(parameter.len()).for_each(|row| row.copy_from_slice(parameter));
    }
}

impl GradientOperation for ParameterGradientOp {
    const NAME: &'static str = "parameter_gradient";
    const ACCUMULATES: bool = true;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let n = call.shape(0).size();
        let gradient = &mut target.gradients[call.range(self.0)];
        reduce::add_columns(call.level(), call.rows(), n, call.operand(0), n, gradient);
    }
}
