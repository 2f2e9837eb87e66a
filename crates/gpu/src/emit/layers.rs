//! State while the kernels of an execution plan are recorded: offsets of operands, and gradient slices (partial sums of
//! parameter gradients).

use std::ops::Range;

use vivarium_graph::{ParameterId, PlanStep, Value};

use super::layout::ArenaLayout;
use super::values::PlanValues;
use crate::memory::Buffer;
use crate::operand::{GradientSlicesView, OperandEpilogue};
use crate::program::GpuRecorder;

/// Data that all shader generators read: the plan's values, their memory layout, and the parameters.
#[derive(Clone, Copy)]
pub(crate) struct ShaderInputs<'a> {
    pub(crate) values: &'a PlanValues,
    pub(crate) layout: &'a ArenaLayout,
    /// Word range of each parameter in the flat parameter buffer, by parameter index.
    pub(crate) parameters: &'a [Range<usize>],
    /// Weight of each batch row in the summed loss: 1/B for the mean loss over B rows.
    pub(crate) row_weight: f32,
}

/// Records the kernels of an execution plan, one after the other.
pub(crate) struct LayerRecorder<'a> {
    pub(crate) sources: ShaderInputs<'a>,
    /// Number of rows of the batch.
    pub(crate) rows: usize,
    pub(crate) recorder: &'a mut GpuRecorder,
    pub(crate) arena: &'a Buffer,
    pub(crate) parameters: &'a Buffer,
    gradients: Option<GradientSlicesView<'a>>,
    /// By parameter index: whether a kernel that writes the parameter's gradient has been recorded. A kernel that is
    /// recorded later adds to this gradient instead of overwriting it.
    has_gradient: Vec<bool>,
}

impl<'a> LayerRecorder<'a> {
    pub(crate) fn new(
        sources: ShaderInputs<'a>,
        rows: usize,
        recorder: &'a mut GpuRecorder,
        arena: &'a Buffer,
        parameters: &'a Buffer,
        gradients: Option<GradientSlicesView<'a>>,
    ) -> Self {
        let has_gradient = vec![false; sources.parameters.len()];
        Self { sources, rows, recorder, arena, parameters, gradients, has_gradient }
    }

    /// Returns the word offset of a value in the arena, the buffer that holds all values of the plan.
    pub(crate) fn value(&self, value: Value) -> usize {
        self.sources.layout.offset(value).expect("operands and results of layers lie in memory")
    }

    /// Returns the number of columns (the size of the last dimension) of a value.
    pub(crate) fn width(&self, value: Value) -> usize {
        self.sources.values.shape(value).width()
    }

    /// Returns the number of lines (vectors along the last axis) that a step's first operand has in the whole batch. A
    /// batch row may have several lines, such as the tokens of a sequence.
    pub(crate) fn lines(&self, step: &PlanStep) -> usize {
        self.rows * self.sources.values.shape(step.operands[0]).lines()
    }

    /// Returns the offset of a parameter in the flat parameter buffer, in words.
    pub(crate) fn parameter(&self, id: ParameterId) -> usize {
        self.sources.parameters[id.0].start
    }

    /// Returns the number of elements of a parameter.
    pub(crate) fn parameter_len(&self, id: ParameterId) -> usize {
        self.sources.parameters[id.0].len()
    }

    /// Returns the epilogue of a step (the norm, residual and activation that its kernel applies to the result). Word
    /// offsets replace the ids of parameters and values.
    pub(crate) fn epilogue(&self, step: &PlanStep) -> OperandEpilogue {
        step.epilogue.map(|id| self.parameter(id), |value| self.value(value))
    }

    /// Returns the gradient slices (partial sums of the parameter gradients) to which the recorded kernels write.
    pub(crate) fn slices(&self) -> GradientSlicesView<'a> {
        self.gradients.expect("a plan with gradients is recorded with gradient slices")
    }

    /// Marks the gradients of the parameters `ids` of one layer as written. Returns whether an earlier kernel has
    /// written gradients of these parameters, so that the layer's kernel must add to these gradients instead of
    /// overwriting them.
    pub(crate) fn accumulates(&mut self, ids: &[ParameterId]) -> bool {
        let before = ids.iter().any(|id| self.has_gradient[id.0]);
        for id in ids {
            let range = &self.sources.parameters[id.0];
            // If only some of the parameters have a gradient, the gradients of the others start at zero.
            if before && !self.has_gradient[id.0] {
                let slices = self.slices();
                for start in (0..slices.count).map(|slice| slice * slices.stride) {
                    self.recorder.clear(slices.buffer, start + range.start..start + range.end);
                }
            }
            self.has_gradient[id.0] = true;
        }
        before
    }
}
