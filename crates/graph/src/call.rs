//! One step of a plan on one chunk of rows, as the CPU run of an operation sees it.

use std::ops::Range;

use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::{Level, PackedMatrix};

use crate::inputs::{BatchInputs, PlanWeights};
use crate::ids::{ParameterId, Value};
use crate::layout::ValueLocation;
use crate::packed::PackedParameters;
use crate::plan::Plan;
use crate::shape::Shape;
use crate::step::PlanStep;

/// What all rows of a run have in common.
#[derive(Clone, Copy)]
pub(crate) struct PlanRun<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) level: Level,
    pub(crate) parameters: &'a [f32],
    pub(crate) packed: &'a PackedParameters,
    pub(crate) inputs: &'a [&'a [f32]],
    /// The sparse input, where it is given as its nonzero numbers.
    pub(crate) sparse: Option<&'a SparseRows>,
    /// The weight of each row in the loss.
    pub(crate) row_weight: f32,
}

impl<'a> PlanRun<'a> {
    pub(crate) fn new(plan: &'a Plan, weights: PlanWeights<'a>, batch: BatchInputs<'a>) -> Self {
        let (PlanWeights { parameters, packed }, BatchInputs { inputs, row_weight, .. }) = (weights, batch);
        assert_eq!(
            parameters.flat().len(),
            plan.parameters_len(),
            "the parameters are not those of the plan's graph"
        );
        assert_eq!(inputs.len(), plan.inputs().len(), "the plan has another number of inputs");
        let level = packed.level();
        Self { plan, level, parameters: parameters.flat(), packed, inputs, sparse: None, row_weight }
    }
}

/// A stretch of rows that fits the arena.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowChunk {
    /// Its first row in the inputs.
    pub(crate) first_input: usize,
    /// Its first row in the outputs.
    pub(crate) first_output: usize,
    pub(crate) rows: usize,
}

/// Everything that a step may read: the arena around its results, the inputs, and the outputs written before.
pub(crate) struct StepInputs<'a> {
    /// The arena up to the results; all of it if they are elsewhere.
    pub(crate) before: &'a [f32],
    /// The arena after the results.
    pub(crate) after: &'a [f32],
    /// Where in the arena that begins.
    pub(crate) after_start: usize,
    pub(crate) outputs: &'a [&'a mut [f32]],
    pub(crate) chunk: RowChunk,
}

/// Where a step writes.
pub(crate) struct StepOutputs<'a> {
    /// Its results, the missing ones empty.
    pub(crate) results: [&'a mut [f32]; MAX_RESULTS],
    /// `ops::scratch_len` numbers of working memory; their values before and after have no meaning.
    #[cfg_attr(not(feature = "sequences"), expect(dead_code, reason = "no other operation needs any"))]
    pub(crate) scratch: &'a mut [f32],
    /// The gradients of all parameters.
    pub(crate) gradients: &'a mut [f32],
}

/// The most results that an operation has.
pub(crate) const MAX_RESULTS: usize = 2;

impl StepOutputs<'_> {
    /// The first result.
    #[inline]
    pub(crate) fn result(&mut self) -> &mut [f32] {
        self.results[0]
    }
}

/// One step of one chunk.
pub(crate) struct StepCall<'a> {
    pub(crate) run: &'a PlanRun<'a>,
    pub(crate) step: &'a PlanStep,
    pub(crate) reader: StepInputs<'a>,
}

impl<'a> StepCall<'a> {
    /// The SIMD level.
    #[inline]
    pub(crate) fn level(&self) -> Level {
        self.run.level
    }

    /// The numbers of an operand.
    #[inline]
    pub(crate) fn operand(&self, index: usize) -> &[f32] {
        let value = self.step.operands[index];
        let size = self.run.plan.shape(value).size();
        let StepInputs { before, after, after_start, outputs, chunk } = &self.reader;
        let len = size * chunk.rows;
        match self.run.plan.place(value) {
            ValueLocation::Arena(start) if start < before.len() => &before[start..][..len],
            ValueLocation::Arena(start) => &after[start - after_start..][..len],
            ValueLocation::Input(index) => &self.run.inputs[index][chunk.first_input * size..][..len],
            ValueLocation::Output(index) => &outputs[index][chunk.first_output * size..][..len],
            ValueLocation::Nowhere => &[],
        }
    }

    /// The operand that [`Epilogue::added`](crate::step::After::added) adds, where there is one.
    #[inline]
    pub(crate) fn added(&self) -> Option<&[f32]> {
        // After the operation's own one.
        self.step.epilogue.added.then(|| self.operand(1))
    }

    /// The shape of one row of an operand.
    #[inline]
    pub(crate) fn shape(&self, index: usize) -> Shape {
        self.run.plan.shape(self.step.operands[index])
    }

    /// The width of an operand's lines.
    #[inline]
    pub(crate) fn width(&self, index: usize) -> usize {
        self.shape(index).width()
    }

    /// How many rows the chunk has.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.reader.chunk.rows
    }

    /// How many lines of the first operand the chunk has.
    #[inline]
    pub(crate) fn lines(&self) -> usize {
        self.rows() * self.shape(0).lines()
    }

    /// The rows of the chunk among those of the inputs.
    #[inline]
    pub(crate) fn input_rows(&self) -> Range<usize> {
        let RowChunk { first_input, rows, .. } = self.reader.chunk;
        first_input..first_input + rows
    }

    /// Whether most numbers of an operand are 0.
    #[inline]
    pub(crate) fn is_sparse(&self, index: usize) -> bool {
        let value: Value = self.step.operands[index];
        match self.run.plan.place(value) {
            ValueLocation::Input(input) => self.run.plan.inputs()[input].sparse,
            ValueLocation::Output(_) | ValueLocation::Arena(_) | ValueLocation::Nowhere => false,
        }
    }

    /// A parameter's numbers.
    #[inline]
    pub(crate) fn parameter(&self, id: ParameterId) -> &'a [f32] {
        &self.run.parameters[self.range(id)]
    }

    /// Where a parameter lies among all parameters, and its gradient among all gradients.
    #[inline]
    pub(crate) fn range(&self, id: ParameterId) -> Range<usize> {
        self.run.plan.parameter(id).range()
    }

    /// A parameter's dimensions.
    #[inline]
    pub(crate) fn dims(&self, id: ParameterId) -> &[usize] {
        &self.run.plan.parameter(id).dims
    }

    /// A matrix W, packed for x·W.
    #[inline]
    pub(crate) fn packed(&self, id: ParameterId) -> &'a [PackedMatrix] {
        self.run.packed.forward(id)
    }

    /// A matrix W, packed for x·Wᵀ.
    #[inline]
    pub(crate) fn packed_transposed(&self, id: ParameterId) -> &'a [PackedMatrix] {
        self.run.packed.transposed(id)
    }
}
