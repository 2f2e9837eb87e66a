//! Product y = x·Wᵀ, with a fused epilogue: output head of a language model, and input gradient of a linear layer.

use vivarium_kernels::epilogue::EpilogueActivation;
use vivarium_kernels::{Matrix, MatrixMut, gemm};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::onnx::form::{OnnxForm, integers_attribute};
use crate::op::{LinearGradientOp, LinearOp, LinearTransposedOp};
use crate::ops::operation::Operation;
use crate::reference_call::ReferenceCall;
use crate::spec::ParameterRole;
use crate::step::Epilogue;
use crate::tape::GradientTape;

impl Graph {
    /// Appends the product x·Wᵀ without bias: x \[…, n\] gives \[…, width\]. The parameter W is `NAME.weight` \[width,
    /// n\], which may be the table of an [`embedding`](Self::embedding) (weight tying).
    pub fn linear_transposed(&mut self, name: &str, x: Value, width: usize, init: Initializer) -> Value {
        let weight = self.declare_weight(name, [width, self.shape(x).width()], init, ParameterRole::Head);
        self.append(LinearTransposedOp { weight }, &[x], self.shape(x).with_width(width))
    }
}

impl Operation for LinearTransposedOp {
    const NAME: &'static str = "linear_transposed";
    const READS_PARAMETERS: bool = true;
    const MULTIPLIES_WEIGHTS: bool = true;

    /// Adds the gradients of x and W to the tape. The weight gradient dyᵀ·x is computed as the weight gradient of a
    /// linear layer with input dy and output gradient x.
    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let (x, transpose) = (node.operands[0], LinearOp { weight: self.weight, bias: None });
        tape.sink(LinearGradientOp(transpose), &[dy, x]);
        tape.add(x, |g| g.append(transpose, &[dy], g.shape(x)));
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        call.per_line(|x| {
            let dot = |row: &[f64]| row.iter().zip(x).map(|(w, x)| w * x).sum();
            call.parameter(self.weight).chunks_exact(x.len()).map(dot).collect()
        })
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (x, weight) = (form.operand(0), form.parameter(self.weight));
        let transposed = form.node("Transpose", &[&weight], &[integers_attribute("perm", &[1, 0])]);
        Some(form.node("MatMul", &[&x, &transposed], &[]))
    }

    fn accepts(&self, epilogue: &Epilogue) -> bool {
        epilogue.norm.is_none() && !matches!(epilogue.activation, EpilogueActivation::Forward(_))
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (level, lines, n) = (call.level(), call.lines(), call.width(0));
        let result = target.result();
        let k = result.len() / lines;
        let mut first = 0;
        for chunk in call.packed_transposed(self.weight) {
            gemm::gemm(
                level,
                lines,
                Matrix::new(call.operand(0), n),
                chunk,
                MatrixMut::strided(&mut result[first..], chunk.n(), k),
                0.0,
            );
            first += chunk.n();
        }
        call.epilogue(call.step.epilogue).apply(level, result);
    }
}
