//! Element-wise selection by a condition.

use vivarium_kernels::simd::{Simd, dispatch};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::op::SelectOp;
use crate::ops::operation::Operation;
use crate::reference_call::ReferenceCall;
use crate::tape::GradientTape;

impl Graph {
    /// Appends an element-wise selection: the element of `a` if the element of the condition is greater than 0, else
    /// the element of `b`. The three shapes must be equal. The condition has no gradient.
    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        let [of_condition, of_a, of_b] = [condition, a, b].map(|operand| self.shape(operand));
        let shape = (of_condition == of_a && of_a == of_b).then_some(of_a);
        self.push(SelectOp, &[condition, a, b], shape.ok_or("three equal shapes"))
    }
}

impl Operation for SelectOp {
    const NAME: &'static str = "select";
    const READS_PARAMETERS: bool = false;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (condition, a, b) = (node.operands[0], node.operands[1], node.operands[2]);
        let zero = tape.graph.constant(0.0);
        tape.add(a, |g| {
            let chosen = g.less(zero, condition);
            g.mul(dy, chosen)
        });
        tape.add(b, |g| {
            let chosen = g.less_equal(condition, zero);
            g.mul(dy, chosen)
        });
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let [condition, a, b] = [0, 1, 2].map(|index| call.operands[index].numbers);
        (0..call.len()).map(|i| if condition[i] > 0.0 { a[i] } else { b[i] }).collect()
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        #[inline(always)]
        fn kernel<S: Simd>(_: S, condition: &[f32], a: &[f32], b: &[f32], z: &mut [f32]) {
            for (((z, &condition), &a), &b) in z.iter_mut().zip(condition).zip(a).zip(b) {
                *z = if condition > 0.0 { a } else { b };
            }
        }
        let [condition, a, b] = [0, 1, 2].map(|index| call.operand(index));
        dispatch!(call.level(), s => kernel(s, condition, a, b, target.result()))
    }
}
