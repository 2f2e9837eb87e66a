//! A graph compiled for running: the steps that its outputs need, fused, with a place in memory for every value.

use std::sync::Arc;

use crate::error::GraphError;
use crate::fuse::{Fused, fuse};
use crate::graph::{Graph, InputSpec, ParameterId, Value};
use crate::liveness::Arena;
use crate::op::{Activation, Op};
use crate::parameters::{ParameterSpec, flat_len};
use crate::shape::Shape;

/// How long an arena may be for [`Plan::for_cache`]: 512 KiB of numbers. The same on every machine, for the rows of a
/// chunk decide in which order gradients are summed.
const CACHED_NUMBERS: usize = 512 * 1024 / size_of::<f32>();

/// A layer norm's two parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Norm {
    /// \[n\].
    pub scale: ParameterId,
    /// \[n\].
    pub shift: ParameterId,
}

/// What one step computes: an operation, or several fused into one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kernel {
    /// A single operation.
    Op(Op),
    /// activation(norm(x·W + b) + residual), operands (x) or (x, residual); the norm may be missing.
    Linear {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// b.
        bias: Option<ParameterId>,
        /// The layer norm after the bias.
        norm: Option<Norm>,
        /// The activation at the end.
        activation: Activation,
    },
    /// activation(norm(x) + residual), operands (x) or (x, residual).
    LayerNorm {
        /// The layer norm.
        norm: Norm,
        /// The activation at the end.
        activation: Activation,
    },
    /// (index \[…, 1\], d \[…, 1\], y \[…, n\]) → \[…, n\]: the gradient of y\[index\] weighted by d, for a log-softmax y, with
    /// respect to what the log-softmax got: d − eʸ·d where the index points, −eʸ·d elsewhere.
    CrossEntropyGradient,
    /// The operand, elsewhere: an output that is also an input, or asked for twice; or in another shape.
    Copy,
}

/// Where a value lies while a plan runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the caller's input of this number.
    Input(usize),
    /// In the caller's output of this number.
    Output(usize),
    /// In the arena, from this number on; a chunk's rows follow each other.
    Arena(usize),
}

/// A value as a step sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Where it lies.
    pub place: Place,
    /// What one row of it holds.
    pub shape: Shape,
}

/// One thing to do for a chunk of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What to compute.
    pub kernel: Kernel,
    /// From what.
    pub operands: Vec<Operand>,
    /// To where; `None` for a step that only adds to gradients. Never overlaps an operand.
    pub result: Option<Operand>,
}

/// A graph, or the part of it that some outputs need, compiled: plain data that every engine can run step by step.
#[derive(Debug, Clone)]
pub struct Plan {
    inputs: Vec<InputSpec>,
    outputs: Vec<Shape>,
    parameters: Arc<[ParameterSpec]>,
    steps: Vec<Step>,
    chunk_rows: usize,
    arena_len: usize,
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
        let (steps, arena_len) = place(graph, &fused, outputs, chunk_rows);
        Ok(Plan {
            inputs: graph.inputs.clone(),
            outputs: outputs.iter().map(|&output| graph.shape(output)).collect(),
            parameters: graph.parameters().into(),
            has_gradients: steps.iter().any(|step| match step.kernel {
                Kernel::Op(op) => op.adds_to_gradients(),
                _ => false,
            }),
            steps,
            chunk_rows,
            arena_len,
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
        let lines = graph.nodes.iter().filter_map(|node| node.shape).map(|shape| shape.lines()).max();
        let fewest = FEWEST_LINES.div_ceil(lines.unwrap_or(1));
        let smallest = Plan::compile(graph, outputs, fewest)?;
        let row_len = (smallest.arena_len / fewest).max(1);
        let rows = (CACHED_NUMBERS / row_len).clamp(fewest, MOST_ROWS);
        Plan::compile(graph, outputs, rows - rows % fewest)
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What a run is given, in order.
    pub fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    /// The per-row shapes of what a run gives, in order.
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

    /// How many rows the arena has room for.
    pub fn chunk_rows(&self) -> usize {
        self.chunk_rows
    }

    /// The length of the arena, in numbers.
    pub fn arena_len(&self) -> usize {
        self.arena_len
    }

    /// Whether running it adds to gradients.
    pub fn has_gradients(&self) -> bool {
        self.has_gradients
    }
}

/// Gives every value its place: outputs in the caller's slices, the others in the arena for as long as they live.
fn place(graph: &Graph, fused: &Fused, outputs: &[Value], chunk_rows: usize) -> (Vec<Step>, usize) {
    // Every value starts a cache line.
    let mut arena = Arena::new(16);
    let mut places: Vec<Option<Place>> = vec![None; graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Op::Input(id) = node.op {
            places[index] = Some(Place::Input(id.0));
        }
    }
    let outputs: Vec<Value> = outputs.iter().map(|&output| fused.resolve(output)).collect();
    let operand = |places: &[Option<Place>], value: Value| Operand {
        place: places[value.index()].expect("an operand is computed before it is read"),
        shape: graph.shape(value),
    };
    let mut last_use = vec![0; graph.nodes.len()];
    for (position, step) in fused.steps.iter().enumerate() {
        for value in &step.operands {
            last_use[value.index()] = position;
        }
    }
    let mut steps = Vec::with_capacity(fused.steps.len() + outputs.len());
    for (position, step) in fused.steps.iter().enumerate() {
        let result = graph.nodes[step.result.index()].shape.map(|shape| {
            let place = match outputs.iter().position(|&output| output == step.result) {
                Some(output) => Place::Output(output),
                None => Place::Arena(arena.take(shape.size() * chunk_rows)),
            };
            places[step.result.index()] = Some(place);
            Operand { place, shape }
        });
        let operands: Vec<Operand> = step.operands.iter().map(|&value| operand(&places, value)).collect();
        // What nobody reads again makes room for what comes: an operand after its last reader, a result that only a
        // gradient's side effect was wanted from at once.
        for (value, of) in step.operands.iter().zip(&operands) {
            if let Place::Arena(offset) = of.place
                && last_use[value.index()] == position
            {
                arena.give_back(offset);
            }
        }
        if let Some(Operand { place: Place::Arena(offset), .. }) = result
            && last_use[step.result.index()] <= position
        {
            arena.give_back(offset);
        }
        steps.push(Step { kernel: step.kernel, operands, result });
    }
    for (output, &value) in outputs.iter().enumerate() {
        let from = operand(&places, value);
        if from.place != Place::Output(output) {
            let result = Some(Operand { place: Place::Output(output), ..from });
            steps.push(Step { kernel: Kernel::Copy, operands: vec![from], result });
        }
    }
    (steps, arena.len())
}
