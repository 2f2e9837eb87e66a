//! The ONNX file: inputs, outputs, initializers and metadata.

use super::OnnxError;
use super::form::{FLOAT, INT64, OnnxBody, OnnxForm, is_index, node, tensor};
use super::proto::Message;
use crate::graph::{Graph, GraphNode};
use crate::ids::Value;
use crate::op::{InputOp, Op};
use crate::parameters::Parameters;

/// Version of the ONNX file format (IR version).
const IR_VERSION: u64 = 8;
/// Version of the ONNX operator set. 17 is the first version with layer normalization.
const OPSET_VERSION: u64 = 17;
/// Maximum size of the parameters in bytes. A Protocol Buffers message is smaller than 2 GiB; 1 MiB remains for the
/// nodes.
const LARGEST: usize = (2 << 30) - (1 << 20);
/// Name of the dynamic batch dimension.
const BATCH: &str = "batch";
/// Name of the dynamic sequence dimension.
const TIME: &str = "time";

/// Exports the nodes that `outputs` need, with their parameters, as the bytes of an ONNX file. `outputs` are pairs of
/// name and value. `metadata` are pairs of key and text, stored as the model's properties. Inputs keep their names. The
/// [module documentation](super) describes the shapes.
///
/// # Errors
/// [`OnnxError`] if an operation cannot be exported.
pub fn export(
    graph: &Graph,
    parameters: &Parameters,
    outputs: &[(&str, Value)],
    metadata: &[(&str, &str)],
) -> Result<Vec<u8>, OnnxError> {
    let needed = graph.needed(outputs.iter().map(|&(_, value)| value));
    let mut body = OnnxBody {
        graph,
        names: vec![None; graph.value_count()],
        used: vec![false; graph.parameters().len()],
        nodes: Vec::new(),
        constants: Vec::new(),
        batch_of: None,
        time_of: None,
    };
    let nodes = || graph.nodes().iter().zip(&needed).filter(|&(_, &needed)| needed).map(|(node, _)| node);
    let mut written = Message::default().text(2, "network");
    for node in nodes() {
        check_shape(graph, node.op.name(), node.results[0])?;
        if let Op::Input(InputOp(id)) = node.op {
            let (value, name) = (node.results[0], graph.inputs()[id.0].name.clone());
            written = written.message(11, &value_type(graph, &name, value));
            if graph.shape(value).dims().len() == 2 {
                body.time_of = Some(name.clone());
            }
            body.batch_of = Some(name.clone());
            body.names[value.index()] = Some(name);
        }
    }
    for node in nodes() {
        if body.names[node.results[0].index()].is_some() {
            continue; // The value is an input.
        }
        check_operands(&body, node)?;
        let prefix = format!("value.{}", node.results[0].index());
        let mut form = OnnxForm { body: &mut body, node, prefix, count: 0 };
        let result = node.op.onnx(&mut form).ok_or(OnnxError::Operation { operation: node.op.name() })?;
        body.names[node.results[0].index()] = Some(result);
    }
    for &(name, value) in outputs {
        let Some(source) = &body.names[value.index()] else {
            return Err(OnnxError::Operation { operation: graph.nodes()[graph.node_of(value)].op.name() });
        };
        body.nodes.push(node("Identity", &[source], name, &[]));
        written = written.message(12, &value_type(graph, name, value));
    }
    written = body.nodes.iter().fold(written, |written, node| written.message(1, node));
    written = body.constants.iter().fold(written, |written, constant| written.message(5, constant));

    let used = || graph.parameters().iter().zip(&body.used).filter(|&(_, &used)| used).map(|(spec, _)| spec);
    let bytes = used().map(|spec| spec.len() * size_of::<f32>()).sum();
    if bytes > LARGEST {
        return Err(OnnxError::Size { bytes, limit: LARGEST });
    }
    for spec in used() {
        let numbers: Vec<u8> = parameters.flat()[spec.range()].iter().flat_map(|x| x.to_le_bytes()).collect();
        written = written.message(5, &tensor(&spec.name, FLOAT, &spec.dims, &numbers));
    }
    let operators = Message::default().text(1, "").int(2, OPSET_VERSION);
    let model = Message::default().int(1, IR_VERSION).text(2, "vivarium").message(7, &written);
    let model = metadata.iter().fold(model.message(8, &operators), |model, (key, text)| {
        model.message(14, &Message::default().text(1, key).text(2, text))
    });
    Ok(model.finish())
}

/// Checks that a value is a vector or a sequence of vectors.
fn check_shape(graph: &Graph, operation: &'static str, value: Value) -> Result<(), OnnxError> {
    let dims = graph.shape(value).dims().to_vec();
    if dims.len() > 2 { Err(OnnxError::Shape { operation, dims }) } else { Ok(()) }
}

/// Checks that the operands of a node have been written, and that only embeddings read index inputs.
fn check_operands(body: &OnnxBody<'_>, node: &GraphNode) -> Result<(), OnnxError> {
    let is_embedding = matches!(node.op, Op::Embedding(_));
    let is_written = |value: &Value| body.names[value.index()].is_some();
    let fits = |value: &Value| is_written(value) && (is_embedding || !is_index(body.graph, *value));
    if node.operands.iter().all(fits) {
        Ok(())
    } else {
        Err(OnnxError::Operation { operation: node.op.name() })
    }
}

/// Creates the `ValueInfoProto` of an input or output: name, type, and shape with dynamic dimensions.
fn value_type(graph: &Graph, name: &str, value: Value) -> Message {
    let shape = graph.shape(value);
    let (dims, is_index) = (shape.dims(), is_index(graph, value));
    let mut written = Message::default().message(1, &Message::default().text(2, BATCH));
    if dims.len() == 2 {
        written = written.message(1, &Message::default().text(2, TIME));
    }
    if !(is_index && shape.width() == 1) {
        written = written.message(1, &Message::default().int(1, shape.width() as u64));
    }
    let kind = if is_index { INT64 } else { FLOAT };
    let tensor = Message::default().int(1, kind).message(2, &written);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}
