//! Reference implementation: evaluates a graph operation by operation in f64.
//!
//! Tests compare each engine with the reference, and gradients with finite differences of the reference. The reference
//! has no fusion, memory planning or SIMD, and no operations of gradient graphs.

use crate::graph::Graph;
use crate::ids::Value;
use crate::reference_call::{OperandLines, ReferenceCall};

/// Evaluates the values `wanted` of a graph in f64, for a batch of `rows` rows. Each value is returned row by row.
/// `parameters` has the layout of [`crate::Parameters::flat`], and `inputs` are in order of declaration.
///
/// # Panics
/// If a value depends on an operation of a gradient graph, or a slice is too short.
pub fn evaluate(
    graph: &Graph,
    parameters: &[f64],
    rows: usize,
    inputs: &[&[f64]],
    wanted: &[Value],
) -> Vec<Vec<f64>> {
    let needed = graph.needed(wanted.iter().copied());
    let ranges: Vec<_> = graph.parameters().iter().map(|spec| spec.range()).collect();
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); graph.value_count()];
    for (node, _) in graph.nodes().iter().zip(needed).filter(|(_, needed)| *needed) {
        let Some(&result) = node.results.first() else { continue };
        let lines = |&operand: &Value| OperandLines {
            numbers: &values[operand.index()],
            width: graph.shape(operand).width(),
        };
        let operands: Vec<OperandLines<'_>> = node.operands.iter().map(lines).collect();
        let shape = graph.shape(result);
        let call = ReferenceCall { rows, inputs, operands: &operands, shape, parameters, ranges: &ranges };
        values[result.index()] = node.op.reference(&call);
    }
    wanted.iter().map(|value| values[value.index()].clone()).collect()
}
