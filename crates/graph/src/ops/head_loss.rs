//! Fused output head and cross-entropy loss of a language model.

use vivarium_kernels::head::{self, HeadGradient, OutputHead};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::{ParameterId, Value};
use crate::init::Initializer;
use crate::op::{HeadLossGradientOp, HeadLossOp, Op};
use crate::ops::operation::{GradientOperation, Operation};
use crate::plan::Plan;
use crate::reference_call::{ReferenceCall, clamp_index, log_softmax};
use crate::spec::ParameterRole;
use crate::step::PlanStep;
use crate::tape::GradientTape;

impl Graph {
    /// Appends the cross-entropy loss of the logits x·Wᵀ at the target indices: x \[…, n\] and targets \[…, 1\] give
    /// \[…, 1\]. The parameter W is `NAME.weight` \[vocabulary, n\]. The full logits are never materialized.
    pub fn head_loss(
        &mut self,
        name: &str,
        x: Value,
        target: Value,
        vocabulary: usize,
        initializer: Initializer,
    ) -> Value {
        let weight =
            self.declare_weight(name, [vocabulary, self.shape(x).width()], initializer, ParameterRole::Head);
        let [of_x, of_target] = [x, target].map(|operand| self.shape(operand));
        let shape = (of_x.same_lines(&of_target) && of_target.width() == 1).then_some(of_target);
        let allowed = "[…, n] and an index […, 1] for a weight [k, n]";
        self.push(HeadLossOp { weight }, &[x, target], shape.ok_or(allowed))
    }

    /// Returns the losses that the gradient of [`Graph::head_loss`] computes as its second result, or `None` if the
    /// graph contains no such gradient. An execution plan that outputs these losses computes the logits only once.
    pub fn head_losses_beside_gradient(&self) -> Option<Value> {
        let is_gradient = |node: &&GraphNode| matches!(node.op, Op::HeadLossGradient(_));
        self.nodes.iter().find(is_gradient).map(|node| node.results[1])
    }
}

impl Operation for HeadLossOp {
    const NAME: &'static str = "head_loss";
    const READS_PARAMETERS: bool = true;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (x, target) = (node.operands[0], node.operands[1]);
        let shapes = [x, target].map(|operand| tape.graph.shape(operand));
        let op = HeadLossGradientOp { weight: self.weight };
        let [dx, _] = tape.graph.append_all(op, &[x, target, dy], shapes);
        tape.add(x, |_| dx);
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let loss = |(x, &target): (&[f64], &f64)| {
            let dot = |row: &[f64]| row.iter().zip(x).map(|(w, x)| w * x).sum();
            let logits: Vec<f64> = call.parameter(self.weight).chunks_exact(x.len()).map(dot).collect();
            -log_softmax(&logits)[clamp_index(target, logits.len())]
        };
        call.operands[0].iter().zip(call.operands[1].numbers).map(loss).collect()
    }

    fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
        scratch_len(self.weight, plan, step)
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let head = OutputHead { transposed: call.packed_transposed(self.weight), forward: &[] };
        head::losses(call.level(), head, call.operand(0), call.operand(1), target.results[0], target.scratch);
    }
}

impl GradientOperation for HeadLossGradientOp {
    const NAME: &'static str = "head_loss_gradient";
    const ACCUMULATES: bool = true;

    fn scratch_len(&self, plan: &Plan, step: &PlanStep) -> usize {
        scratch_len(self.weight, plan, step)
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let head =
            OutputHead { transposed: call.packed_transposed(self.weight), forward: call.packed(self.weight) };
        let [x, targets, dlosses] = [0, 1, 2].map(|index| call.operand(index));
        let [dx, losses] = &mut target.results;
        let dw = &mut target.gradients[call.range(self.weight)];
        let gradient = HeadGradient { dx, losses, dw };
        head::gradient(call.level(), head, x, targets, dlosses, gradient, target.scratch);
    }
}

/// Returns the scratch memory of the output head in f32 values: the logits of one block of tokens.
fn scratch_len(weight: ParameterId, plan: &Plan, step: &PlanStep) -> usize {
    let lines = plan.chunk_rows() * plan.shape(step.operands[0]).lines();
    head::scratch_len(lines, plan.parameter(weight).dims[0])
}
