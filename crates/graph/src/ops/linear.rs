//! Linear layer y = x·W + b, with a fused epilogue.

use vivarium_kernels::epilogue::EpilogueActivation;
use vivarium_kernels::{Matrix, MatrixMut, gemm, reduce};

use crate::call::{StepCall, StepOutputs};
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::init::Initializer;
use crate::onnx::form::OnnxForm;
use crate::op::{LinearGradientOp, LinearOp, LinearTransposedOp};
use crate::ops::operation::{GradientOperation, Operation};
use crate::reference_call::ReferenceCall;
use crate::spec::ParameterRole;
use crate::step::Epilogue;
use crate::tape::GradientTape;

impl Graph {
    /// Appends a linear layer x·W + b: x \[…, k\] gives \[…, width\]. The parameters are W = `NAME.weight` \[k,
    /// width\], initialized by Kaiming uniform, and b = `NAME.bias` \[width\], initially zero.
    pub fn linear(&mut self, name: &str, x: Value, width: usize) -> Value {
        self.linear_with(name, x, width, Initializer::KaimingUniform)
    }

    /// Appends a linear layer x·W + b as [`Graph::linear`] does, with the initial distribution `initializer` of the
    /// weight W \[k, width\].
    pub fn linear_with(&mut self, name: &str, x: Value, width: usize, initializer: Initializer) -> Value {
        let weight =
            self.declare_weight(name, [self.shape(x).width(), width], initializer, ParameterRole::Matrix);
        let bias = self.declare_parameter(&format!("{name}.bias"), &[width], Initializer::Constant(0.0));
        self.append(LinearOp { weight, bias: Some(bias) }, &[x], self.shape(x).with_width(width))
    }

    /// Appends a linear layer x·W without bias: x \[…, k\] gives \[…, width\]. The parameter is W = `NAME.weight` \[k,
    /// width\], with the initial distribution `init`.
    pub fn linear_without_bias(&mut self, name: &str, x: Value, width: usize, init: Initializer) -> Value {
        let weight = self.declare_weight(name, [self.shape(x).width(), width], init, ParameterRole::Matrix);
        self.append(LinearOp { weight, bias: None }, &[x], self.shape(x).with_width(width))
    }
}

impl Operation for LinearOp {
    const NAME: &'static str = "linear";
    const READS_PARAMETERS: bool = true;
    const MULTIPLIES_WEIGHTS: bool = true;

    fn gradient(&self, node: &GraphNode, dy: Value, tape: &mut GradientTape) {
        let x = node.operands[0];
        tape.sink(LinearGradientOp(*self), &[x, dy]);
        tape.add(x, |g| g.append(LinearTransposedOp { weight: self.weight }, &[dy], g.shape(x)));
    }

    fn reference(&self, call: &ReferenceCall<'_>) -> Vec<f64> {
        let (weight, width) = (call.parameter(self.weight), call.width());
        call.per_line(|x| {
            let column = |j: usize| {
                let product: f64 = x.iter().zip(weight[j..].iter().step_by(width)).map(|(x, w)| x * w).sum();
                product + self.bias.map_or(0.0, |bias| call.parameter(bias)[j])
            };
            (0..width).map(column).collect()
        })
    }

    fn onnx(&self, form: &mut OnnxForm<'_, '_>) -> Option<String> {
        let (x, weight) = (form.operand(0), form.parameter(self.weight));
        let bias = form.optional_parameter(self.bias);
        // `Gemm` requires matrices; `MatMul` also accepts sequences.
        if form.shape(0).dims().len() == 1 {
            return Some(form.node("Gemm", &[&x, &weight, &bias], &[]));
        }
        let product = form.node("MatMul", &[&x, &weight], &[]);
        Some(if self.bias.is_some() { form.node("Add", &[&product, &bias], &[]) } else { product })
    }

    fn accepts(&self, epilogue: &Epilogue) -> bool {
        !matches!(epilogue.activation, EpilogueActivation::Gradient { .. })
    }

    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let (level, k, lines) = (call.level(), call.width(0), call.lines());
        let result = target.result();
        let bias = self.bias.map(|bias| call.parameter(bias));
        // An output head is packed in several chunks of rows, any other matrix in one. Only a matrix in one chunk may
        // have a sparse input.
        let mut first = 0;
        for chunk in call.packed(self.weight) {
            let y = MatrixMut::new(result, chunk.n());
            if let Some(rows) = call.sparse_rows() {
                assert_eq!(chunk.k(), k, "a sparse input is multiplied by a whole matrix");
                gemm::gemm_sparse_rows(level, rows, call.input_lines(), chunk, bias, y);
            } else {
                let x = Matrix::strided(&call.operand(0)[first..], chunk.k(), k);
                match bias {
                    _ if first > 0 => gemm::gemm(level, lines, x, chunk, y, 1.0),
                    _ if call.is_sparse(0) && chunk.k() == k => {
                        gemm::gemm_sparse(level, lines, x, chunk, bias, y)
                    }
                    Some(bias) => gemm::gemm_bias(level, lines, x, chunk, bias, y),
                    None => gemm::gemm(level, lines, x, chunk, y, 0.0),
                }
            }
            first += chunk.k();
        }
        // The whole chunk of y is in the L2 cache. Blocks that fit the L1 cache were slower: more and smaller products cost
        // more than the passes over y save. Tiles that apply the epilogue themselves save 3 % of the forward pass of a
        // 4→64→64 network with tanh, 0.5 % of a transformer's and nothing of a residual MLP's, and only if every tile is
        // compiled once per epilogue. A call per tile is slower than the pass over y.
        call.epilogue(call.step.epilogue).apply(level, result);
    }
}

impl GradientOperation for LinearGradientOp {
    const NAME: &'static str = "linear_gradient";
    const ACCUMULATES: bool = true;

    /// Adds xᵀ·dy to the weight gradient, and the column sums of dy to the bias gradient. The matrices x and dy have
    /// one row for each vector along the last dimension.
    fn run(&self, call: &StepCall<'_>, target: &mut StepOutputs<'_>) {
        let LinearOp { weight, bias } = self.0;
        let (level, lines, [k, n]) = (call.level(), call.lines(), [0, 1].map(|index| call.width(index)));
        let (x, dy) = (call.operand(0), call.operand(1));
        let dw = &mut target.gradients[call.range(weight)];
        if call.is_sparse(0) {
            gemm::gemm_tn_sparse(level, lines, Matrix::new(x, k), Matrix::new(dy, n), dw);
        } else {
            gemm::gemm_tn(level, lines, Matrix::new(x, k), Matrix::new(dy, n), dw);
        }
        if let Some(bias) = bias {
            reduce::add_columns(level, lines, n, dy, n, &mut target.gradients[call.range(bias)]);
        }
    }
}
