//! Runs an execution plan on one thread, chunk by chunk.

use vivarium_kernels::AlignedVec;
use vivarium_kernels::gemm::SparseRows;

use crate::call::{MAX_RESULTS, PlanRun, RowChunk, StepCall, StepInputs, StepOutputs};
use crate::inputs::{BatchInputs, PlanWeights};
use crate::layout::ValueLocation;
use crate::parameters::Gradients;
use crate::plan::Plan;
use crate::step::PlanStep;

/// Working memory of one thread: the arena of an execution plan's values, and scratch memory.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    arena: AlignedVec<f32>,
    scratch: AlignedVec<f32>,
}

impl Workspace {
    /// Allocates the working memory that an execution plan needs.
    pub fn new(plan: &Plan) -> Self {
        let mut workspace = Self::default();
        workspace.fit(plan);
        workspace
    }

    /// Returns the length of the working memory in f32 values: arena and scratch memory.
    pub(crate) fn numbers(&self) -> usize {
        self.arena.len() + self.scratch.len()
    }

    /// Fills the memory with NaN, so that tests detect reads of stale values.
    pub fn poison(&mut self) {
        self.arena.fill(f32::NAN);
        self.scratch.fill(f32::NAN);
    }

    /// Grows the working memory to the size that `plan` needs; never shrinks it. Several plans can therefore share one
    /// workspace.
    pub fn fit(&mut self, plan: &Plan) {
        if self.arena.len() < plan.arena_len() {
            self.arena = AlignedVec::zeros(plan.arena_len());
        }
        let scratch = plan.steps().iter().map(|step| step.op.scratch_len(plan, step)).max().unwrap_or(0);
        if self.scratch.len() < scratch {
            self.scratch = AlignedVec::zeros(scratch);
        }
    }
}

impl Plan {
    /// Computes the outputs for a batch on the calling thread, without allocating. `outputs` are in the order passed to
    /// [`Plan::compile`]; each output has one row for each row of the batch.
    ///
    /// # Panics
    /// If the plan has gradients, an input or output slice is too short, or the parameters belong to another graph.
    pub fn run(
        &self,
        weights: PlanWeights<'_>,
        workspace: &mut Workspace,
        batch: BatchInputs<'_>,
        outputs: &mut [&mut [f32]],
    ) {
        assert!(!self.has_gradients(), "a plan with gradients runs through Plan::gradients");
        let run = PlanRun::new(self, weights, batch);
        run.rows(workspace, 0, batch.rows, 0, outputs, &mut []);
    }

    /// Computes the outputs as [`run`](Self::run) does, for a graph whose sparse input is passed as the CSR matrix
    /// `sparse`. The matrix has one row for each vector along the input's last dimension. In `inputs`, the sparse input
    /// is an empty slice.
    ///
    /// # Panics
    /// As [`run`](Self::run), and if the graph does not have exactly one sparse input, or an operation other than a
    /// linear layer reads this input. Also if the number of rows of `sparse` is not a multiple of the number of vectors
    /// in a batch row.
    pub fn run_sparse(
        &self,
        weights: PlanWeights<'_>,
        workspace: &mut Workspace,
        sparse: &SparseRows,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
    ) {
        assert!(!self.has_gradients(), "a plan with gradients runs through Plan::gradients");
        let mut sparse_inputs = self.inputs().iter().filter(|input| input.sparse);
        let (Some(input), None) = (sparse_inputs.next(), sparse_inputs.next()) else {
            panic!("the graph must have exactly one sparse input");
        };
        let lines = input.shape.lines();
        assert!(
            sparse.len().is_multiple_of(lines),
            "the sparse input has {lines} lines in each row of the batch"
        );
        let rows = sparse.len() / lines;
        let run =
            PlanRun { sparse: Some(sparse), ..PlanRun::new(self, weights, BatchInputs::new(rows, inputs)) };
        run.rows(workspace, 0, rows, 0, outputs, &mut []);
    }

    /// Computes the outputs and *adds* the parameter gradients of the summed loss to `gradients`, on the calling
    /// thread, without allocating.
    ///
    /// # Panics
    /// If an input or output slice is too short, or the parameters or gradients belong to another graph.
    pub fn gradients(
        &self,
        weights: PlanWeights<'_>,
        workspace: &mut Workspace,
        batch: BatchInputs<'_>,
        outputs: &mut [&mut [f32]],
        gradients: &mut Gradients,
    ) {
        let run = PlanRun::new(self, weights, batch);
        run.rows(workspace, 0, batch.rows, 0, outputs, gradients.flat_mut());
    }
}

impl PlanRun<'_> {
    /// Executes the plan for `rows` consecutive rows of the batch, chunk by chunk. The first row has index `first` in
    /// the inputs and index `first_output` in the output slices.
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
        assert_eq!(
            outputs.len(),
            self.plan.outputs().len(),
            "the number of output slices differs from the number of plan outputs"
        );
        let mut done = 0;
        while done < rows {
            let count = (rows - done).min(self.plan.chunk_rows());
            let chunk =
                RowChunk { first_input: first + done, first_output: first_output + done, rows: count };
            for step in self.plan.steps() {
                self.step(step, workspace, chunk, outputs, gradients);
            }
            done += count;
        }
    }

    /// Runs one step of the plan for one chunk of batch rows.
    ///
    /// A step's results do not overlap its operands, and its results in the arena are contiguous. Therefore the arena
    /// is split into three slices: before the results, the results, and after the results.
    #[inline]
    fn step(
        &self,
        step: &PlanStep,
        workspace: &mut Workspace,
        chunk: RowChunk,
        outputs: &mut [&mut [f32]],
        gradients: &mut [f32],
    ) {
        let Workspace { arena, scratch } = workspace;
        let arena_start = |value| match self.plan.place(value) {
            ValueLocation::Arena(start) => Some(start),
            ValueLocation::Input(_) | ValueLocation::Output(_) | ValueLocation::Unallocated => None,
        };
        let first = step.results.iter().find_map(|&value| arena_start(value)).unwrap_or(arena.len());
        let (before, mut after) = arena.split_at_mut(first);
        let mut after_start = first;
        let mut taken: [&mut [f32]; MAX_RESULTS] = Default::default();
        let mut results: [&mut [f32]; MAX_RESULTS] = Default::default();
        for ((&value, output), result) in step.results.iter().zip(&mut taken).zip(&mut results) {
            let size = self.plan.shape(value).size();
            let len = size * chunk.rows;
            match self.plan.place(value) {
                ValueLocation::Arena(start) => {
                    let (_, rest) = std::mem::take(&mut after).split_at_mut(start - after_start);
                    (*result, after) = rest.split_at_mut(len);
                    after_start = start + len;
                }
                ValueLocation::Output(index) => {
                    *output = std::mem::take(&mut outputs[index]);
                    *result = &mut output[chunk.first_output * size..][..len];
                }
                ValueLocation::Input(_) | ValueLocation::Unallocated => {}
            }
        }
        let reader = StepInputs { before, after, after_start, outputs, chunk };
        step.op.run(&StepCall { run: self, step, reader }, &mut StepOutputs { results, scratch, gradients });
        for (&value, output) in step.results.iter().zip(taken) {
            if let ValueLocation::Output(index) = self.plan.place(value) {
                outputs[index] = output;
            }
        }
    }
}
