//! Runs one step of an execution plan on one chunk of rows: operands, results and scratch memory.

use std::ops::Range;

use vivarium_kernels::epilogue::KernelEpilogue;
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::{Level, PackedMatrix};

use crate::ids::{ParameterId, Value};
use crate::inputs::{BatchInputs, PlanWeights};
use crate::layout::ValueLocation;
use crate::packed::PackedParameters;
use crate::plan::Plan;
use crate::shape::Shape;
use crate::step::{Epilogue, PlanStep};

/// Arguments of one run of an execution plan: the plan, SIMD level, weights, inputs, and the loss weight of a batch
/// row.
#[derive(Clone, Copy)]
pub(crate) struct PlanRun<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) level: Level,
    pub(crate) parameters: &'a [f32],
    pub(crate) packed: &'a PackedParameters,
    pub(crate) inputs: &'a [&'a [f32]],
    /// The sparse input as a CSR matrix, one matrix row for each vector along the input's last dimension; `None` if the
    /// caller passed the input as a dense matrix.
    pub(crate) sparse: Option<&'a SparseRows>,
    /// Weight of each batch row in the summed loss: 1/B for the mean loss over B rows.
    pub(crate) row_weight: f32,
}

impl<'a> PlanRun<'a> {
    pub(crate) fn new(plan: &'a Plan, weights: PlanWeights<'a>, batch: BatchInputs<'a>) -> Self {
        let (PlanWeights { parameters, packed }, BatchInputs { inputs, row_weight, .. }) = (weights, batch);
        assert_eq!(parameters.flat().len(), plan.parameters_len(), "parameters belong to another graph");
        assert_eq!(
            inputs.len(),
            plan.inputs().len(),
            "the number of input slices differs from the number of graph inputs"
        );
        let level = packed.level();
        Self { plan, level, parameters: parameters.flat(), packed, inputs, sparse: None, row_weight }
    }
}

/// A chunk: consecutive rows of the batch, for which a thread executes all steps of the plan before the next chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowChunk {
    /// Index of the chunk's first batch row in the input slices.
    pub(crate) first_input: usize,
    /// Index of the chunk's first batch row in the output slices. The output slices may hold only a part of the batch,
    /// which starts at a later row.
    pub(crate) first_output: usize,
    pub(crate) rows: usize,
}

/// Memory that a step of the plan may read: the arena (memory of intermediate values), the inputs, and the outputs of
/// earlier steps. The arena is split into the slices before and after the step's own results.
pub(crate) struct StepInputs<'a> {
    /// Part of the arena before the results of the step; the whole arena if the results are not in the arena.
    pub(crate) before: &'a [f32],
    /// Part of the arena after the results of the step; empty if the results are not in the arena.
    pub(crate) after: &'a [f32],
    /// Offset of the slice `after` in the arena, in elements.
    pub(crate) after_start: usize,
    pub(crate) outputs: &'a [&'a mut [f32]],
    pub(crate) chunk: RowChunk,
}

/// Memory that a step of the plan writes.
pub(crate) struct StepOutputs<'a> {
    /// One slice for each result of the step, with the elements of the batch rows that this call processes. A step with
    /// fewer than [`MAX_RESULTS`] results leaves the last slices empty.
    pub(crate) results: [&'a mut [f32]; MAX_RESULTS],
    /// Scratch memory of `Op::scratch_len` elements, with unspecified contents.
    #[allow(dead_code, reason = "only operations of the feature `sequences` need scratch memory")]
    pub(crate) scratch: &'a mut [f32],
    /// Flat buffer of all parameter gradients, to which the step adds.
    pub(crate) gradients: &'a mut [f32],
}

/// Maximum number of results of an operation.
pub(crate) const MAX_RESULTS: usize = 2;

impl StepOutputs<'_> {
    /// Returns the elements of the step's first result for writing, for the batch rows that this call processes.
    #[inline]
    pub(crate) fn result(&mut self) -> &mut [f32] {
        self.results[0]
    }
}

/// Arguments of a CPU kernel: one step of an execution plan, on one chunk (consecutive rows of the batch).
pub(crate) struct StepCall<'a> {
    pub(crate) run: &'a PlanRun<'a>,
    pub(crate) step: &'a PlanStep,
    pub(crate) reader: StepInputs<'a>,
}

impl<'a> StepCall<'a> {
    /// Returns the SIMD level at which the plan runs.
    #[inline]
    pub(crate) fn level(&self) -> Level {
        self.run.level
    }

    /// Returns the elements of the step's operand with this index, for the batch rows that this call processes.
    #[inline]
    pub(crate) fn operand(&self, index: usize) -> &[f32] {
        self.value(self.step.operands[index])
    }

    /// Returns the elements of a value that the step reads, for the batch rows that this call processes.
    #[inline]
    fn value(&self, value: Value) -> &[f32] {
        let size = self.run.plan.shape(value).size();
        let StepInputs { before, after, after_start, outputs, chunk } = &self.reader;
        let len = size * chunk.rows;
        match self.run.plan.place(value) {
            ValueLocation::Arena(start) if start < before.len() => &before[start..][..len],
            ValueLocation::Arena(start) => &after[start - after_start..][..len],
            ValueLocation::Input(index) => &self.run.inputs[index][chunk.first_input * size..][..len],
            ValueLocation::Output(index) => &outputs[index][chunk.first_output * size..][..len],
            ValueLocation::Unallocated => &[],
        }
    }

    /// Converts a fused epilogue (norm, residual, activation) to the form that CPU kernels take: slices of memory
    /// replace the ids of parameters and values.
    #[inline]
    pub(crate) fn epilogue(&self, epilogue: Epilogue) -> KernelEpilogue<'_> {
        epilogue.map(|id| self.parameter(id), |value| self.value(value))
    }

    /// Returns the shape that the operand with this index has for one row of the batch.
    #[inline]
    pub(crate) fn shape(&self, index: usize) -> Shape {
        self.run.plan.shape(self.step.operands[index])
    }

    /// Returns the width (last dimension) of the operand with this index.
    #[inline]
    pub(crate) fn width(&self, index: usize) -> usize {
        self.shape(index).width()
    }

    /// Returns the number of batch rows that this call processes.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.reader.chunk.rows
    }

    /// Returns the number of lines (vectors along the last dimension) of the step's first operand, in the batch rows
    /// that this call processes.
    #[inline]
    pub(crate) fn lines(&self) -> usize {
        self.rows() * self.shape(0).lines()
    }

    /// Returns the indices of the lines (vectors along the last dimension) of the step's first operand, in the batch
    /// rows that this call processes. Lines are numbered from 0 over the whole batch.
    #[inline]
    pub(crate) fn input_lines(&self) -> Range<usize> {
        let (first, lines) = (self.reader.chunk.first_input, self.shape(0).lines());
        first * lines..first * lines + self.lines()
    }

    /// Returns the step's first operand in compressed form (CSR), if the caller passed the operand in this form.
    #[inline]
    pub(crate) fn sparse_rows(&self) -> Option<&'a SparseRows> {
        self.run.sparse.filter(|_| self.is_sparse(0))
    }

    /// Returns whether the operand with this index is a graph input that was declared as sparse.
    #[inline]
    pub(crate) fn is_sparse(&self, index: usize) -> bool {
        let value: Value = self.step.operands[index];
        match self.run.plan.place(value) {
            ValueLocation::Input(input) => self.run.plan.inputs()[input].sparse,
            ValueLocation::Output(_) | ValueLocation::Arena(_) | ValueLocation::Unallocated => false,
        }
    }

    /// Returns the elements of the parameter `id`, row-major.
    #[inline]
    pub(crate) fn parameter(&self, id: ParameterId) -> &'a [f32] {
        &self.run.parameters[self.range(id)]
    }

    /// Returns the range of the parameter `id` in the flat parameter and gradient buffers.
    #[inline]
    pub(crate) fn range(&self, id: ParameterId) -> Range<usize> {
        self.run.plan.parameter(id).range()
    }

    /// Returns the shape of the parameter `id`, outermost dimension first.
    #[inline]
    pub(crate) fn dims(&self, id: ParameterId) -> &[usize] {
        &self.run.plan.parameter(id).dims
    }

    /// Returns the weight matrix W, packed for the GEMM kernels that compute x·W: one packed matrix for each block of
    /// rows of W, in row order.
    #[inline]
    pub(crate) fn packed(&self, id: ParameterId) -> &'a [PackedMatrix] {
        self.run.packed.forward(id)
    }

    /// Returns the weight matrix W, packed for the GEMM kernels that compute x·Wᵀ: one packed matrix for each block of
    /// rows of W, in row order.
    #[inline]
    pub(crate) fn packed_transposed(&self, id: ParameterId) -> &'a [PackedMatrix] {
        self.run.packed.transposed(id)
    }
}
