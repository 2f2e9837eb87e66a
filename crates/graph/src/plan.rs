//! Execution plans: the fused operations that a set of outputs needs.

use std::sync::Arc;

use crate::graph::InputSpec;
use crate::ids::{ParameterId, Value};
use crate::layout::{MemoryLayout, ValueLocation};
use crate::shape::Shape;
use crate::spec::{ParameterSpec, flat_len};
use crate::step::PlanStep;

/// Multiply-adds of the smallest part of a forward pass that is worth another thread. They take about 150 µs in a browser,
/// where waking a thread takes about 50 µs; natively about 30 µs and 10 µs.
const PARALLEL_WORK: usize = 1 << 22;

/// A compiled graph: the fused operations that the outputs need, as plain data that each engine executes step by step.
///
/// Steps are in single-assignment form: each value is an input or the result of exactly one step. Each engine allocates
/// memory for the values itself.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) inputs: Vec<InputSpec>,
    pub(crate) input_values: Vec<Option<Value>>,
    pub(crate) outputs: Vec<Shape>,
    pub(crate) output_values: Vec<Value>,
    pub(crate) parameters: Arc<[ParameterSpec]>,
    pub(crate) steps: Vec<PlanStep>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) chunk_rows: usize,
    /// Multiply-adds of the matrix products for one row of the batch.
    pub(crate) row_work: usize,
    pub(crate) layout: MemoryLayout,
    pub(crate) has_gradients: bool,
}

impl Plan {
    /// Returns the steps in execution order.
    pub fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    /// Returns the shape of a value for one row of the batch.
    pub fn shape(&self, value: Value) -> Shape {
        self.shapes[value.index()]
    }

    /// Returns the shapes of all values for one row of the batch, indexed by [`Value::index`]. Values that were fused
    /// away are included.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Returns the value of each input, in order of declaration; `None` for a [setting](crate::Graph::setting).
    pub fn input_values(&self) -> &[Option<Value>] {
        &self.input_values
    }

    /// Returns the value of each output, in the order passed to [`Plan::compile`]. The values are distinct, and no
    /// value is an input.
    pub fn output_values(&self) -> &[Value] {
        &self.output_values
    }

    /// Returns the inputs of the graph, in order of declaration.
    pub fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    /// Returns the shape of each output for one row of the batch, in the order passed to [`Plan::compile`].
    pub fn outputs(&self) -> &[Shape] {
        &self.outputs
    }

    /// Returns the parameters, indexed by [`ParameterId`].
    pub fn parameters(&self) -> &[ParameterSpec] {
        &self.parameters
    }

    /// Returns the length of the flat parameter and gradient buffers, with padding.
    pub fn parameters_len(&self) -> usize {
        flat_len(&self.parameters)
    }

    /// Returns the parameter with this id.
    pub fn parameter(&self, id: ParameterId) -> &ParameterSpec {
        &self.parameters[id.0]
    }

    /// Returns the chunk size: the number of batch rows that the CPU engine processes at a time.
    pub fn chunk_rows(&self) -> usize {
        self.chunk_rows
    }

    /// Returns the number of batch rows in the smallest part of a batch that is worth another thread: a multiple of 16, so
    /// that tiles of matrix products stay whole.
    pub(crate) fn parallel_rows(&self) -> usize {
        const TILE_ROWS: usize = 16;
        PARALLEL_WORK.div_ceil(self.row_work.max(1)).next_multiple_of(TILE_ROWS)
    }

    /// Returns the length, in f32 values, of the arena. The CPU engine stores the intermediate values of one chunk of
    /// batch rows there.
    pub fn arena_len(&self) -> usize {
        self.layout.arena_len
    }

    /// Returns the location of a value in the CPU engine's memory.
    pub(crate) fn place(&self, value: Value) -> ValueLocation {
        self.layout.places[value.index()]
    }

    /// Returns whether the plan accumulates parameter gradients.
    pub fn has_gradients(&self) -> bool {
        self.has_gradients
    }
}
