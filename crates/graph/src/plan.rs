//! Execution plans: the fused operations that a set of outputs needs.

use std::sync::Arc;

use crate::error::GraphError;
use crate::fuse::fuse;
use crate::graph::{Graph, InputSpec};
use crate::ids::{ParameterId, Value};
use crate::layout::{MemoryLayout, ValueLocation, lay_out};
use crate::ops::{InputOp, Op};
use crate::shape::Shape;
use crate::spec::{ParameterSpec, flat_len};
use crate::step::PlanStep;

/// Maximum arena length for [`Plan::for_cache`], in f32 values (512 KiB).
///
/// The limit is the same on every machine, because the chunk size determines the order in which gradients are summed.
const CACHED_VALUES: usize = 512 * 1024 / size_of::<f32>();

/// A compiled graph: the fused operations that the outputs need, as plain data that each engine executes step by step.
///
/// Steps are in single-assignment form: each value is an input or the result of exactly one step. Each engine allocates
/// memory for the values itself.
#[derive(Debug, Clone)]
pub struct Plan {
    inputs: Vec<InputSpec>,
    input_values: Vec<Option<Value>>,
    outputs: Vec<Shape>,
    output_values: Vec<Value>,
    parameters: Arc<[ParameterSpec]>,
    steps: Vec<PlanStep>,
    shapes: Vec<Shape>,
    chunk_rows: usize,
    layout: MemoryLayout,
    has_gradients: bool,
}

impl Plan {
    /// Compiles the operations that `outputs` need, and all parameter gradients of a [gradient graph](Graph::gradient).
    /// The CPU engine processes up to `chunk_rows` rows at a time.
    ///
    /// # Errors
    /// The first error in the graph's definition, or [`GraphError::NoRows`] if `chunk_rows` is 0.
    pub fn compile(graph: &Graph, outputs: &[Value], chunk_rows: usize) -> Result<Plan, GraphError> {
        graph.check()?;
        if chunk_rows == 0 {
            return Err(GraphError::NoRows);
        }
        let fused = fuse(graph, outputs);
        let layout = lay_out(graph, &fused, chunk_rows);
        let mut input_values = vec![None; graph.inputs.len()];
        for node in &graph.nodes {
            if let Op::Input(InputOp(id)) = node.op {
                input_values[id.0] = Some(node.results[0]);
            }
        }
        Ok(Plan {
            inputs: graph.inputs.clone(),
            input_values,
            outputs: outputs.iter().map(|&output| graph.shape(output)).collect(),
            output_values: fused.outputs,
            parameters: graph.parameters().into(),
            has_gradients: fused.steps.iter().any(|step| step.op.accumulates()),
            steps: fused.steps,
            shapes: fused.shapes,
            chunk_rows,
            layout,
        })
    }

    /// Compiles as [`Plan::compile`] does, and chooses the number of batch rows in a chunk so that the arena takes
    /// about half of a typical L2 cache.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    pub fn for_cache(graph: &Graph, outputs: &[Value]) -> Result<Plan, GraphError> {
        const MIN_LINES: usize = 16;
        const MAX_ROWS: usize = 512;
        // A sequence is a row of many vectors, so few rows suffice for efficient matrix products.
        let lines = graph.nodes.iter().flat_map(|node| &node.results).map(|&v| graph.shape(v).lines()).max();
        let min_rows = MIN_LINES.div_ceil(lines.unwrap_or(1));
        let smallest = Plan::compile(graph, outputs, min_rows)?;
        let row_len = (smallest.arena_len() / min_rows).max(1);
        let rows = (CACHED_VALUES / row_len).clamp(min_rows, MAX_ROWS);
        Plan::compile(graph, outputs, rows - rows % min_rows)
    }

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

    /// Returns the value of each input, in order of declaration; `None` for a [setting](Graph::setting).
    pub fn input_values(&self) -> &[Option<Value>] {
        &self.input_values
    }

    /// Returns the value of each output, in the order passed to [`Plan::compile`]. The values are distinct, and none is
    /// an input.
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

    /// Returns the number of batch rows (the chunk size) that the CPU engine processes at a time.
    pub fn chunk_rows(&self) -> usize {
        self.chunk_rows
    }

    /// Returns the arena length in f32 values that the CPU engine needs for one chunk of batch rows.
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
