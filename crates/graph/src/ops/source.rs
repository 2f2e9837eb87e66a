//! Values that do not come from other values: inputs, settings and constants.

use crate::call::{StepCall, StepOutputs};
use crate::graph::Graph;
use crate::ids::{InputId, Value};
use crate::reference_call::ReferenceCall;
use crate::op::Op;
use crate::shape::Shape;

impl Graph {
    /// Rows that the caller passes in, each of this shape. Runs take their inputs in the order of these calls.
    pub fn input(&mut self, name: &str, dims: &[usize]) -> Value {
        let (id, shape) = self.declare_input(name, dims, true);
        self.append(Op::Input(id), &[], shape)
    }

    /// An [`input`](Self::input) of which most numbers are 0, such as one-hot codes: linear layers skip those. They are
    /// right for any numbers.
    pub fn sparse_input(&mut self, name: &str, dims: &[usize]) -> Value {
        let value = self.input(name, dims);
        if let Some(input) = self.inputs.last_mut() {
            input.sparse = true;
        }
        value
    }

    /// One number that the caller passes in with the inputs, the same for every row: \[1\]. For coefficients that
    /// change while training goes on.
    pub fn setting(&mut self, name: &str) -> Value {
        let (id, shape) = self.declare_input(name, &[1], false);
        self.append(Op::Setting(id), &[], shape)
    }

    /// The same number on every row: \[1\].
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
