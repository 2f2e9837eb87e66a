//! Values without operands: inputs, settings and constants.

use crate::call::{StepCall, StepOutputs};
use crate::graph::Graph;
use crate::ids::{InputId, Value};
use crate::op::Op;
use crate::reference_call::ReferenceCall;
use crate::shape::Shape;

impl Graph {
    /// Declares an input with this per-row shape. [`BatchInputs`](crate::BatchInputs) lists the inputs in the order of
    /// declaration.
    pub fn input(&mut self, name: &str, dims: &[usize]) -> Value {
        let (id, shape) = self.declare_input(name, dims, true);
        self.append(Op::Input(id), &[], shape)
    }

    /// Declares an [`input`](Self::input) whose elements are mostly zero, such as one-hot codes. Linear layers skip the
    /// zeros, but only while all weights are finite: results are those of a dense input, in which 0·∞ is NaN.
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
        self.append(Op::Setting(id), &[], shape)
    }

    /// Returns a constant scalar, of shape \[1\].
    pub fn constant(&mut self, number: f32) -> Value {
        self.append(Op::Constant(number), &[], Shape::SCALAR)
    }
}

pub(super) fn reference_of_input(id: InputId, call: &ReferenceCall<'_>) -> Vec<f64> {
    call.inputs[id.0][..call.len()].to_vec()
}

pub(super) fn reference_of_setting(id: InputId, call: &ReferenceCall<'_>) -> Vec<f64> {
    vec![call.inputs[id.0][0]; call.rows]
}

pub(super) fn reference_of_constant(number: f32, call: &ReferenceCall<'_>) -> Vec<f64> {
    vec![f64::from(number); call.rows]
}

pub(super) fn run_setting(id: InputId, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
    target.result().fill(call.run.inputs[id.0][0]);
}
