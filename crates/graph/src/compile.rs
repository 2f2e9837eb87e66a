//! Compilation of a graph into an execution plan: fusion, then memory layout.

use crate::error::GraphError;
use crate::fuse::fuse;
use crate::graph::Graph;
use crate::ids::Value;
use crate::layout::lay_out;
use crate::op::{InputOp, Op};
use crate::plan::Plan;
use crate::shape::Shape;
use crate::step::PlanStep;

/// Maximum length of the arena (working memory for one chunk of batch rows) of a plan of [`Plan::for_cache`], in f32
/// values: 512 KiB, about half of a typical L2 cache.
///
/// The limit determines the number of rows in a chunk, and thereby the order in which gradients are summed. The limit
/// is a constant, so that results are equal on all machines.
const CACHED_VALUES: usize = 512 * 1024 / size_of::<f32>();

impl Plan {
    /// Compiles the part of a graph that `outputs` need into an execution plan. The plan of a [gradient
    /// graph](Graph::gradient) also computes all parameter gradients. The CPU engine processes up to `chunk_rows` rows
    /// at a time.
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
            row_work: fused.steps.iter().map(|step| multiply_adds(step, &fused.shapes)).sum(),
            has_gradients: fused.steps.iter().any(|step| step.op.accumulates()),
            steps: fused.steps,
            shapes: fused.shapes,
            chunk_rows,
            layout,
        })
    }

    /// Compiles a graph as [`Plan::compile`] does, with a number of rows per chunk that makes the arena about half of a
    /// typical L2 cache.
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
}

/// Returns the multiply-adds of a step for one row of the batch, of products with weight matrices only.
fn multiply_adds(step: &PlanStep, shapes: &[Shape]) -> usize {
    if !step.op.multiplies_weights() {
        return 0;
    }
    let [x, y] = [step.operands[0], step.results[0]].map(|value| shapes[value.index()]);
    x.size() * y.width()
}
