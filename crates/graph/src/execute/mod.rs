//! Running a plan on one core, chunk by chunk: each step reads its operands and writes its result in place.

mod elementwise;
mod layers;
mod lines;
mod reader;
#[cfg(feature = "sequences")]
mod sequences;
mod widths;

use std::ops::Range;

use vivarium_kernels::gemm::SparseRows;
#[cfg(feature = "sequences")]
use vivarium_kernels::head;
use vivarium_kernels::{AlignedVec, Level};

use crate::graph::ParameterId;
use crate::op::Op;
use crate::packed::PackedParameters;
use crate::parameters::{Gradients, Parameters};
use crate::plan::{Kernel, Operand, Place, Plan, Step};
use reader::Reader;

/// Most outputs that a plan may have when it runs on several threads.
pub(crate) const MAX_OUTPUTS: usize = 16;

/// The working memory of one worker: the arena that a plan's values lie in.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    arena: AlignedVec<f32>,
    scratch: AlignedVec<f32>,
}

impl Workspace {
    /// Room for a plan.
    pub fn new(plan: &Plan) -> Self {
        let mut workspace = Self::default();
        workspace.fit(plan);
        workspace
    }

    /// How many numbers it holds.
    pub(crate) fn numbers(&self) -> usize {
        self.arena.len() + self.scratch.len()
    }

    /// Fills it with NaN: for tests that nothing left over from an earlier run is read.
    pub fn poison(&mut self) {
        self.arena.fill(f32::NAN);
        self.scratch.fill(f32::NAN);
    }

    /// Makes it large enough for this plan too, so that several plans can share it. Allocates only if it was not.
    pub fn fit(&mut self, plan: &Plan) {
        if self.arena.len() < plan.arena_len() {
            self.arena = AlignedVec::zeros(plan.arena_len());
        }
        let scratch = scratch_len(plan);
        if self.scratch.len() < scratch {
            self.scratch = AlignedVec::zeros(scratch);
        }
    }
}

/// How much scratch memory the steps of a plan need for a chunk, in numbers.
fn scratch_len(plan: &Plan) -> usize {
    let step_len = |step: &Step| match step.kernel {
        #[cfg(feature = "sequences")]
        Kernel::Op(Op::Attention { heads } | Op::AttentionGradient { heads }) => {
            sequences::shape(&step.operands[0], heads).scratch_len()
        }
        #[cfg(feature = "sequences")]
        Kernel::Op(Op::HeadLoss { weight } | Op::HeadLossGradient { weight }) => {
            let lines = plan.chunk_rows() * step.operands[0].shape.lines();
            head::scratch_len(lines, plan.parameters()[weight.0].dims[0])
        }
        _ => 0,
    };
    plan.steps().iter().map(step_len).max().unwrap_or(0)
}

/// What all rows of a run have in common.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) level: Level,
    pub(crate) parameters: &'a [f32],
    pub(crate) packed: &'a PackedParameters,
    pub(crate) inputs: &'a [&'a [f32]],
    /// The sparse input, where it is written down as what is not 0 in it.
    pub(crate) sparse: Option<&'a SparseRows>,
    /// The weight of each row in the loss.
    pub(crate) row_weight: f32,
}

impl Plan {
    /// Computes the outputs for `rows` rows, on this thread, without allocating.
    ///
    /// `inputs` are in the order of the graph's declarations: `rows` rows each, or one number for a setting. An input
    /// that no step reads may be empty. `outputs` are in the order they were compiled for, `rows` rows each.
    ///
    /// # Panics
    /// If the plan has gradients, if a slice is too short, or if the parameters are those of another graph.
    pub fn run(
        &self,
        level: Level,
        parameters: &Parameters,
        packed: &PackedParameters,
        workspace: &mut Workspace,
        rows: usize,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
    ) {
        assert!(!self.has_gradients(), "a plan with gradients runs through Plan::gradients");
        let run = Run::new(self, level, parameters, packed, inputs, 0.0);
        run.rows(workspace, 0, rows, 0, outputs, &mut []);
    }

    /// [`run`](Self::run) with the graph's sparse input written down as what is not 0 in it; `inputs` has nothing for it.
    ///
    /// # Panics
    /// As [`run`](Self::run), if there is not just one sparse input, or if anything but a linear layer reads it.
    pub fn run_sparse(
        &self,
        level: Level,
        parameters: &Parameters,
        packed: &PackedParameters,
        workspace: &mut Workspace,
        sparse: &SparseRows,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
    ) {
        assert!(!self.has_gradients(), "a plan with gradients runs through Plan::gradients");
        let count = self.inputs().iter().filter(|input| input.sparse).count();
        assert_eq!(count, 1, "the plan has another number of sparse inputs");
        let run = Run { sparse: Some(sparse), ..Run::new(self, level, parameters, packed, inputs, 0.0) };
        run.rows(workspace, 0, sparse.len(), 0, outputs, &mut []);
    }

    /// Computes the outputs and *adds* the gradients of Σ `row_weight`·loss to `gradients`, on this thread, without
    /// allocating. 1/B as the weight makes it the gradient of a mean.
    ///
    /// # Panics
    /// If a slice is too short, or if the parameters or gradients are those of another graph.
    pub fn gradients(
        &self,
        level: Level,
        parameters: &Parameters,
        packed: &PackedParameters,
        workspace: &mut Workspace,
        rows: usize,
        row_weight: f32,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) {
        let run = Run::new(self, level, parameters, packed, inputs, row_weight);
        run.rows(workspace, 0, rows, 0, outputs, gradients.flat_mut());
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        plan: &'a Plan,
        level: Level,
        parameters: &'a Parameters,
        packed: &'a PackedParameters,
        inputs: &'a [&'a [f32]],
        row_weight: f32,
    ) -> Self {
        assert_eq!(
            parameters.flat().len(),
            plan.parameters_len(),
            "the parameters are not those of the plan's graph"
        );
        assert_eq!(inputs.len(), plan.inputs().len(), "the plan has another number of inputs");
        Self { plan, level, parameters: parameters.flat(), packed, inputs, sparse: None, row_weight }
    }

    /// Runs the rows `first..first + rows` of the inputs, of which the first is the row `first_output` of the outputs.
    pub(crate) fn rows(
        &self,
        workspace: &mut Workspace,
        first: usize,
        rows: usize,
        first_output: usize,
        outputs: &mut [&mut [f32]],
        gradients: &mut [f32],
    ) {
        workspace.fit(self.plan);
        assert_eq!(outputs.len(), self.plan.outputs().len(), "the plan has another number of outputs");
        let mut done = 0;
        while done < rows {
            let count = (rows - done).min(self.plan.chunk_rows());
            let chunk = Chunk { first_input: first + done, first_output: first_output + done, rows: count };
            for step in self.plan.steps() {
                self.step(step, workspace, chunk, outputs, gradients);
            }
            done += count;
        }
    }

    /// Runs one step for one chunk.
    #[inline]
    fn step(
        &self,
        step: &Step,
        workspace: &mut Workspace,
        chunk: Chunk,
        outputs: &mut [&mut [f32]],
        gradients: &mut [f32],
    ) {
        let Workspace { arena, scratch } = workspace;
        let len = |operand: &Operand| operand.shape.size() * chunk.rows;
        // Liveness keeps a result clear of its operands: the arena splits into what lies before the result, the result
        // itself, and what lies after.
        match step.result {
            Some(result @ Operand { place: Place::Arena(start), .. }) => {
                let (before, rest) = arena.split_at_mut(start);
                let (result, after) = rest.split_at_mut(len(&result));
                let after_start = start + result.len();
                let reader = Reader { before, after, after_start, inputs: self.inputs, outputs, chunk };
                self.compute(step, reader, result, scratch, gradients);
            }
            Some(result @ Operand { place: Place::Output(index), .. }) => {
                let output = std::mem::take(&mut outputs[index]);
                let start = chunk.first_output * result.shape.size();
                let reader =
                    Reader { before: arena, after: &[], after_start: 0, inputs: self.inputs, outputs, chunk };
                self.compute(step, reader, &mut output[start..][..len(&result)], scratch, gradients);
                outputs[index] = output;
            }
            _ => {
                let reader =
                    Reader { before: arena, after: &[], after_start: 0, inputs: self.inputs, outputs, chunk };
                self.compute(step, reader, &mut [], scratch, gradients);
            }
        }
    }

    /// Computes what a step does, whatever its result's place.
    #[inline]
    fn compute(
        &self,
        step: &Step,
        reader: Reader<'_>,
        result: &mut [f32],
        scratch: &mut [f32],
        gradients: &mut [f32],
    ) {
        let call = Call { run: self, step, reader };
        match step.kernel {
            Kernel::Op(op) => self.op(op, &call, result, scratch, gradients),
            Kernel::Linear { weight, bias, norm, activation } => {
                layers::linear(&call, weight, bias, norm, activation, result);
            }
            Kernel::LayerNorm { norm, activation } => layers::layer_norm(&call, norm, activation, result),
            Kernel::CrossEntropyGradient => lines::cross_entropy_gradient(&call, result),
            Kernel::Copy => result.copy_from_slice(call.operand(0)),
        }
    }

    /// Runs a step of a single operation.
    fn op(&self, op: Op, call: &Call<'_>, result: &mut [f32], scratch: &mut [f32], gradients: &mut [f32]) {
        let level = self.level;
        match op {
            Op::Setting(id) => result.fill(self.inputs[id.0][0]),
            Op::Constant(number) => result.fill(number),
            Op::Seed => result.fill(self.row_weight),
            Op::Parameter(id) => {
                let parameter = &self.parameters[self.plan.parameters()[id.0].range()];
                result.chunks_exact_mut(parameter.len()).for_each(|line| line.copy_from_slice(parameter));
            }
            Op::Unary(unary) => elementwise::unary(level, unary, call.operand(0), result),
            Op::UnaryGradient(unary) => {
                elementwise::unary_gradient(level, unary, call.operand(0), call.operand(1), result);
            }
            Op::Binary(binary) => {
                let (a, b) = (call.operand(0), call.operand(1));
                elementwise::binary(level, binary, a, call.width(0), b, call.width(1), result);
            }
            Op::Select => {
                elementwise::select(level, call.operand(0), call.operand(1), call.operand(2), result)
            }
            Op::Softmax
            | Op::LogSoftmax
            | Op::SoftmaxGradient
            | Op::LogSoftmaxGradient
            | Op::Gather
            | Op::Scatter(_)
            | Op::Sum
            | Op::Repeat(_)
            | Op::Concat
            | Op::Slice { .. }
            | Op::Pad { .. } => lines::run(level, op, call, result),
            Op::LinearTransposed { weight } => layers::linear_transposed(call, weight, result),
            Op::LinearParameterGradient { weight, bias } => {
                layers::linear_parameter_gradient(call, weight, bias, gradients);
            }
            Op::Embedding { table } => layers::embedding(call, table, result),
            Op::EmbeddingGradient { table } => layers::embedding_gradient(call, table, gradients),
            Op::ParameterGradient(id) => layers::parameter_gradient(call, id, gradients),
            Op::LayerNormGradient { scale, shift } => {
                layers::layer_norm_gradient(call, scale, shift, result, gradients);
            }
            #[cfg(feature = "sequences")]
            Op::Attention { heads } => sequences::attention(call, heads, result, scratch),
            #[cfg(feature = "sequences")]
            Op::AttentionGradient { heads } => sequences::attention_gradient(call, heads, result, scratch),
            #[cfg(feature = "sequences")]
            Op::HeadLoss { weight } => sequences::head_loss(call, weight, result, scratch),
            #[cfg(feature = "sequences")]
            Op::HeadLossGradient { weight } => {
                sequences::head_loss_gradient(call, weight, result, scratch, gradients);
            }
            _ => {
                unreachable!("compiling leaves no {} as a step of its own", op.name())
            }
        }
    }
}

/// A stretch of rows that fits the arena.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk {
    /// Its first row in the inputs.
    first_input: usize,
    /// Its first row in the outputs.
    first_output: usize,
    rows: usize,
}

/// One step of one chunk, as a kernel sees it.
struct Call<'a> {
    run: &'a Run<'a>,
    step: &'a Step,
    reader: Reader<'a>,
}

impl Call<'_> {
    /// The numbers of an operand.
    #[inline]
    fn operand(&self, index: usize) -> &[f32] {
        self.reader.get(&self.step.operands[index])
    }

    /// Whether most numbers of an operand are 0.
    #[inline]
    fn is_sparse(&self, index: usize) -> bool {
        match self.step.operands[index].place {
            Place::Input(input) => self.run.plan.inputs()[input].sparse,
            _ => false,
        }
    }

    /// The rows of the chunk among those of the inputs.
    #[inline]
    fn input_rows(&self) -> Range<usize> {
        let Chunk { first_input, rows, .. } = self.reader.chunk;
        first_input..first_input + rows
    }

    /// The width of an operand's lines.
    #[inline]
    fn width(&self, index: usize) -> usize {
        self.step.operands[index].shape.width()
    }

    /// How many lines the chunk has.
    #[inline]
    fn lines(&self) -> usize {
        self.reader.chunk.rows * self.step.operands[0].shape.lines()
    }

    /// A parameter's numbers.
    #[inline]
    fn parameter(&self, id: ParameterId) -> &[f32] {
        &self.run.parameters[self.run.plan.parameters()[id.0].range()]
    }
}
