//! ONNX export: writes a graph and its parameters as an ONNX file.
//!
//! Field numbers are those of `onnx.proto` (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>).

pub(crate) mod node;
mod proto;

use crate::graph::Graph;
use crate::ids::Value;
use crate::op::{InputOp, Op};
use crate::parameters::Parameters;
use proto::Message;

/// Version of the ONNX file format (IR version).
const IR_VERSION: u64 = 8;
/// Version of the ONNX operator set. 17 is the first version with layer normalization.
const OPSET_VERSION: u64 = 17;
/// Number of the ONNX data type FLOAT (single precision).
const FLOAT: u64 = 1;

/// Error: the graph cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OnnxError {
    /// The exporter does not support the operation.
    #[error(
        "{operation} cannot be exported as ONNX; supported are linear layers, layer norms, activations, softmax, and \
         addition, subtraction, multiplication and division"
    )]
    Operation {
        /// Name of the operation.
        operation: &'static str,
    },
    /// A value has several dimensions in addition to the batch dimension, such as a sequence of tokens.
    #[error(
        "{operation} has a per-row shape of several dimensions; only one dimension can be exported as ONNX"
    )]
    SeveralLines {
        /// Name of the operation.
        operation: &'static str,
    },
}

/// Exports the nodes that `outputs` need, with their parameters, as the bytes of an ONNX file. `outputs` are pairs of
/// name and value. Inputs keep their names, and the batch dimension is dynamic.
///
/// # Errors
/// [`OnnxError`] if an operation cannot be exported.
pub fn export(
    graph: &Graph,
    parameters: &Parameters,
    outputs: &[(&str, Value)],
) -> Result<Vec<u8>, OnnxError> {
    let needed = graph.needed(outputs.iter().map(|&(_, value)| value));
    let mut body = Message::default().text(2, "network");
    let mut used = vec![false; graph.parameters().len()];
    for (node, _) in graph.nodes().iter().zip(needed).filter(|&(_, needed)| needed) {
        let operation = node.op.name();
        if node.results.iter().any(|&result| graph.shape(result).lines() > 1) {
            return Err(OnnxError::SeveralLines { operation });
        }
        if let Op::Input(InputOp(id)) = node.op {
            let input = &graph.inputs()[id.0];
            body = body.message(11, &tensor_type(&input.name, input.shape.width()));
            continue;
        }
        let counterpart = node.op.onnx().ok_or(OnnxError::Operation { operation })?;
        let mut written = Message::default();
        for &operand in &node.operands {
            written = written.text(1, &value_name(graph, operand));
        }
        for id in counterpart.parameters {
            used[id.0] = true;
            written = written.text(1, &graph.parameters()[id.0].name);
        }
        for &result in &node.results {
            let name = value_name(graph, result);
            written = written.text(2, &name).text(3, &name);
        }
        written = written.text(4, counterpart.operator);
        for attribute in &counterpart.attributes {
            written = written.message(5, attribute);
        }
        body = body.message(1, &written);
    }
    for (name, value) in outputs {
        let copy = Message::default().text(1, &value_name(graph, *value)).text(2, name).text(4, "Identity");
        body = body.message(1, &copy).message(12, &tensor_type(name, graph.shape(*value).width()));
    }
    for (spec, _) in graph.parameters().iter().zip(used).filter(|&(_, used)| used) {
        let numbers: Vec<u8> = parameters.flat()[spec.range()].iter().flat_map(|x| x.to_le_bytes()).collect();
        let dims = spec.dims.iter().fold(Message::default(), |tensor, &dim| tensor.int(1, dim as u64));
        body = body.message(5, &dims.int(2, FLOAT).text(8, &spec.name).bytes(9, &numbers));
    }
    let operations = Message::default().text(1, "").int(2, OPSET_VERSION);
    let model = Message::default().int(1, IR_VERSION).text(2, "vivarium");
    Ok(model.message(7, &body).message(8, &operations).finish())
}

/// Returns the ONNX name of a value: the name of an input, else `value.INDEX`.
fn value_name(graph: &Graph, value: Value) -> String {
    if let Op::Input(InputOp(id)) = graph.nodes()[graph.node_of(value)].op {
        graph.inputs()[id.0].name.clone()
    } else {
        format!("value.{}", value.index())
    }
}

/// Creates the `ValueInfoProto` of an input or output: its name, and the f32 shape \[rows, width\] with any number of
/// rows.
fn tensor_type(name: &str, width: usize) -> Message {
    let rows = Message::default().text(2, "rows");
    let columns = Message::default().int(1, width as u64);
    let shape = Message::default().message(1, &rows).message(1, &columns);
    let tensor = Message::default().int(1, FLOAT).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}
