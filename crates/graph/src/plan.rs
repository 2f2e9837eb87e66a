//! A graph compiled for running: the steps that its outputs need, fused.

use std::sync::Arc;

use crate::error::GraphError;
use crate::fuse::{adds_to_gradients, fuse};
use crate::graph::{Graph, InputSpec};
use crate::ids::{ParameterId, Value};
use crate::layout::{MemoryLayout, ValueLocation, lay_out};
use crate::op::Op;
use crate::shape::Shape;
use crate::spec::{ParameterSpec, flat_len};
use crate::step::PlanStep;

/// How long an arena may be for [`Plan::for_cache`]: 512 KiB of numbers. The same on every machine, for the rows of a
/// chunk decide in which order gradients are summed.
const CACHED_NUMBERS: usize = 512 * 1024 / size_of::<f32>();

/// A graph, or the part of it that some outputs need, compiled: plain data that every engine can run step by step.
///
/// Its steps are in single-assignment form: each value is an input or a result of just one step, each after those that it
/// reads. Where values lie in memory is up to an engine.
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
    /// Compiles what `outputs` need, and all gradients if the graph has any ([`Graph::gradient`]), for at most
    /// `chunk_rows` rows at a time.
    ///
    /// # Errors
    /// The first mistake in the graph's definition, or a chunk of no rows.
    pub fn compile(graph: &Graph, outputs: &[Value], chunk_rows: usize) -> Result<Plan, GraphError> {
        graph.check()?;
        if chunk_rows == 0 {
            return Err(GraphError::NoRows);
        }
        let fused = fuse(graph, outputs);
        let layout = lay_out(graph, &fused, chunk_rows);
        let mut input_values = vec![None; graph.inputs.len()];
        for node in &graph.nodes {
            if let Op::Input(id) = node.op {
                input_values[id.0] = Some(node.results[0]);
            }
        }
        Ok(Plan {
            inputs: graph.inputs.clone(),
            input_values,
            outputs: outputs.iter().map(|&output| graph.shape(output)).collect(),
            output_values: fused.outputs,
            parameters: graph.parameters().into(),
            has_gradients: fused.steps.iter().any(|step| adds_to_gradients(step.op)),
            steps: fused.steps,
            shapes: fused.shapes,
            chunk_rows,
            layout,
        })
    }

    /// [`Plan::compile`] with as many rows at a time as keep the arena within half of a usual second-level cache, so that
    /// the weights fit beside it.
    ///
    /// # Errors
    /// The first mistake in the graph's definition.
    pub fn for_cache(graph: &Graph, outputs: &[Value]) -> Result<Plan, GraphError> {
        const FEWEST_LINES: usize = 16;
        const MOST_ROWS: usize = 512;
        // A sequence is a row of many lines: products are as quick with few of them.
        let lines = graph.nodes.iter().flat_map(|node| &node.results).map(|&v| graph.shape(v).lines()).max();
        let fewest = FEWEST_LINES.div_ceil(lines.unwrap_or(1));
        let smallest = Plan::compile(graph, outputs, fewest)?;
        let row_len = (smallest.arena_len() / fewest).max(1);
        let rows = (CACHED_NUMBERS / row_len).clamp(fewest, MOST_ROWS);
        Plan::compile(graph, outputs, rows - rows % fewest)
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    /// The shape of one row of a value.
    pub fn shape(&self, value: Value) -> Shape {
        self.shapes[value.index()]
    }

    /// The shapes of all values, by [`Value::index`]; not every one is read or computed.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The value of each input, in order; `None` for a setting.
    pub fn input_values(&self) -> &[Option<Value>] {
        &self.input_values
    }

    /// The value of each output, in order: all different, and none of them an input.
    pub fn output_values(&self) -> &[Value] {
        &self.output_values
    }

    /// The inputs of a run, in order.
    pub fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    /// The per-row shapes of the outputs, in order.
    pub fn outputs(&self) -> &[Shape] {
        &self.outputs
    }

    /// The parameters that the steps' ids refer to.
    pub fn parameters(&self) -> &[ParameterSpec] {
        &self.parameters
    }

    /// The length of the flat parameter and gradient buffers.
    pub fn parameters_len(&self) -> usize {
        flat_len(&self.parameters)
    }

    /// The parameter of this id.
    pub fn parameter(&self, id: ParameterId) -> &ParameterSpec {
        &self.parameters[id.0]
    }

    /// How many rows the CPU engine takes at a time.
    pub fn chunk_rows(&self) -> usize {
        self.chunk_rows
    }

    /// How many numbers the CPU engine needs for the values of a chunk.
    pub fn arena_len(&self) -> usize {
        self.layout.arena_len
    }

    /// Where the CPU engine keeps a value.
    pub(crate) fn place(&self, value: Value) -> ValueLocation {
        self.layout.places[value.index()]
    }

    /// Whether running it adds to gradients.
    pub fn has_gradients(&self) -> bool {
        self.has_gradients
    }
}
