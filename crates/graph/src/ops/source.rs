//! Values without operands: inputs, settings and constants.

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::onnx::form::{OnnxForm, integer_attribute};
use crate::op::{ConstantOp, InputOp, SeedOp, SettingOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;
use crate::tape::GradientTape;

impl Graph {
    /// Declares an input with the shape `dims` for one row of the batch. [`BatchInputs`](crate::BatchInputs) lists the
    /// inputs in the order of declaration.
    pub fn input(&mut self, name: &str, dims: &[usize]) -> Value {
        let (id, shape) = self.declare_input(name, dims, true);
        self.append(InputOp(id), &[], shape)
    }

    /// Declares an [`input`](Self::input) whose elements are mostly zero, such as one-hot codes. Linear layers skip the
    /// zeros if all weights are finite (0·∞ is NaN). Results equal the results of a dense input.
    pub fn sparse_input(&mut self, name: &str, dims: &[usize]) -> Value {
        let value = self.input(name, dims);
        if let Some(input) = self.inputs.last_mut() {
            input.sparse = true;
        }
        value
    }

    /// Declares a scalar input \[1\] that all rows share, such as a loss coefficient that changes during training.
    pub fn setting(&mut self, name: &str) -> Value {
        let (id, shape) = self.declare_input(name, &[1], false);
        self.append(SettingOp(id), &[], shape)
    }

    /// Appends a constant scalar, \[1\].
    pub fn constant(&mut self, number: f32) -> Value {
        self.append(ConstantOp(number), &[], Shape::SCALAR)
    }
}

impl Operation for InputOp {
    const NAME: &'static str = "input";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, _: &GraphNode, _: Value, _: &mut GradientTape) {}

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.inputs[self.0.0][..call.len()].to_vec()
    }

    /// Never called: a plan has no such step, because other steps read inputs directly from the caller's buffers.
    fn run(&self, _: &StepCall<'_>, _: &mut StepOutputs<'_>) {
        unreachable!("a plan has no steps for inputs");
    }
}

impl Operation for SettingOp {
    const NAME: &'static str = "setting";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, _: &GraphNode, _: Value, _: &mut GradientTape) {}

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        vec![call.inputs[self.0.0][0]; call.rows]
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        target.result().fill(call.run.inputs[self.0.0][0]);
    }
}

impl Operation for ConstantOp {
    const NAME: &'static str = "constant";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, _: &GraphNode, _: Value, _: &mut GradientTape) {}

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        vec![f64::from(self.0); call.rows]
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (number, batch, one) = (form.number(self.0), form.batch()?, form.integers(&[1]));
        let shape = form.node("Concat", &[&batch, &one], &[integer_attribute("axis", 0)]);
        Some(form.node("Expand", &[&number, &shape], &[]))
    }

    fn run(&self, _: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        target.result().fill(self.0);
    }
}

impl GradientOperation for SeedOp {
    const NAME: &'static str = "seed";
    const ACCUMULATES: bool = false;

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        target.result().fill(call.run.row_weight);
    }
}
