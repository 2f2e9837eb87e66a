//! ONNX form of one operation: a list of ONNX nodes with intermediate values and constants.

use super::proto::Message;
use crate::graph::{Graph, GraphNode};
use crate::ids::{ParameterId, Value};
use crate::op::{InputOp, Op};
use crate::shape::Shape;

/// Number of the ONNX data type FLOAT (single precision).
pub(super) const FLOAT: u64 = 1;
/// Number of the ONNX data type INT64.
pub(super) const INT64: u64 = 7;

/// The part of an ONNX graph that has been written so far: nodes, constants, and the names of the results.
pub(super) struct OnnxBody<'a> {
    pub(super) graph: &'a Graph,
    /// By value index: the ONNX name of the value; `None` if the value is neither an input nor a result of an exported
    /// node.
    pub(super) names: Vec<Option<String>>,
    /// By parameter index: whether any exported ONNX node reads the parameter.
    pub(super) used: Vec<bool>,
    /// ONNX nodes in topological order.
    pub(super) nodes: Vec<Message>,
    /// Constants that are not parameters of the graph, as ONNX tensors.
    pub(super) constants: Vec<Message>,
    /// Name of an input of the graph, from whose shape the batch size is read.
    pub(super) batch_of: Option<String>,
    /// Name of an input of the graph, from whose shape the length of the sequences is read.
    pub(super) time_of: Option<String>,
}

/// Builder of the ONNX form of one operation: reads operands and parameters of the operation, and appends ONNX nodes.
pub(crate) struct OnnxForm<'a, 'b> {
    pub(super) body: &'b mut OnnxBody<'a>,
    pub(super) node: &'a GraphNode,
    /// Prefix of the names of the intermediate values and constants that the operation appends.
    pub(super) prefix: String,
    /// Number of intermediate values and constants that the operation has appended so far.
    pub(super) count: usize,
}

impl OnnxForm<'_, '_> {
    /// Returns the ONNX name of an operand.
    pub(crate) fn operand(&self, index: usize) -> String {
        self.body.names[self.node.operands[index].index()].clone().unwrap_or_default()
    }

    /// Returns the shape of an operand for one row of the batch.
    pub(crate) fn shape(&self, index: usize) -> Shape {
        self.body.graph.shape(self.node.operands[index])
    }

    /// Returns the shape of the operation's first result for one row of the batch.
    pub(crate) fn result_shape(&self) -> Shape {
        self.body.graph.shape(self.node.results[0])
    }

    /// Returns whether an operand is an index input: an input of the type int64.
    pub(crate) fn is_index(&self, index: usize) -> bool {
        is_index(self.body.graph, self.node.operands[index])
    }

    /// Returns the ONNX name of a parameter, and marks the parameter as used.
    pub(crate) fn parameter(&mut self, id: ParameterId) -> String {
        self.body.used[id.0] = true;
        self.body.graph.parameters()[id.0].name.clone()
    }

    /// Returns the ONNX name of a parameter as [`parameter`](Self::parameter) does; the empty name, which stands for an
    /// omitted input, if `id` is `None`.
    pub(crate) fn optional_parameter(&mut self, id: Option<ParameterId>) -> String {
        id.map_or_else(String::new, |id| self.parameter(id))
    }

    /// Appends an f32 scalar as a constant and returns its name.
    pub(crate) fn number(&mut self, number: f32) -> String {
        self.constant(FLOAT, &[], &number.to_le_bytes())
    }

    /// Appends a vector of integers as a constant and returns its name.
    pub(crate) fn integers(&mut self, integers: &[i64]) -> String {
        self.integer_tensor(&[integers.len()], integers)
    }

    /// Appends a tensor of integers with the dimensions `dims` as a constant and returns its name. A scalar has no
    /// dimensions.
    pub(crate) fn integer_tensor(&mut self, dims: &[usize], integers: &[i64]) -> String {
        let bytes: Vec<u8> = integers.iter().flat_map(|integer| integer.to_le_bytes()).collect();
        self.constant(INT64, dims, &bytes)
    }

    fn constant(&mut self, kind: u64, dims: &[usize], bytes: &[u8]) -> String {
        let name = self.fresh_name();
        self.body.constants.push(tensor(&name, kind, dims, bytes));
        name
    }

    /// Appends an ONNX node with one result, and returns the name of the result. Optional inputs at the end with an
    /// empty name are omitted.
    pub(crate) fn node(&mut self, operator: &str, inputs: &[&str], attributes: &[Message]) -> String {
        let result = self.fresh_name();
        self.body.nodes.push(node(operator, inputs, &result, attributes));
        result
    }

    /// Appends an ONNX node that applies an operator to a value and an f32 scalar, and returns the name of the result.
    pub(crate) fn binary(&mut self, operator: &str, input: &str, number: f32) -> String {
        let number = self.number(number);
        self.node(operator, &[input, &number], &[])
    }

    /// Appends a node whose result is the batch size as a vector of one integer, and returns the name of the result.
    /// Returns `None` if the graph has no input.
    pub(crate) fn batch(&mut self) -> Option<String> {
        let input = self.body.batch_of.clone()?;
        Some(self.dimension(&input, 0))
    }

    /// Appends a node whose result is the sequence length as a vector of one integer, and returns the name of the
    /// result. Returns `None` if the graph has no sequence as an input.
    pub(crate) fn time(&mut self) -> Option<String> {
        let input = self.body.time_of.clone()?;
        Some(self.dimension(&input, 1))
    }

    fn dimension(&mut self, input: &str, index: i64) -> String {
        let bounds = [integer_attribute("start", index), integer_attribute("end", index + 1)];
        self.node("Shape", &[input], &bounds)
    }

    fn fresh_name(&mut self) -> String {
        self.count += 1;
        format!("{}.{}", self.prefix, self.count)
    }
}

/// Returns whether a value is an index input: an input that an embedding lookup reads.
pub(super) fn is_index(graph: &Graph, value: Value) -> bool {
    let reads = |node: &GraphNode| matches!(node.op, Op::Embedding(_)) && node.operands[0] == value;
    matches!(graph.nodes()[graph.node_of(value)].op, Op::Input(InputOp(_))) && graph.nodes().iter().any(reads)
}

/// Creates an ONNX node with one result, which also names the node.
pub(super) fn node(operator: &str, inputs: &[&str], result: &str, attributes: &[Message]) -> Message {
    let given = inputs.iter().filter(|input| !input.is_empty());
    let written = given.fold(Message::default(), |node, input| node.text(1, input));
    let written = written.text(2, result).text(3, result).text(4, operator);
    attributes.iter().fold(written, |node, attribute| node.message(5, attribute))
}

/// Creates an ONNX tensor from its elements as little-endian bytes.
pub(super) fn tensor(name: &str, kind: u64, dims: &[usize], bytes: &[u8]) -> Message {
    let dims = dims.iter().fold(Message::default(), |tensor, &dim| tensor.int(1, dim as u64));
    dims.int(2, kind).text(8, name).bytes(9, bytes)
}

/// Returns the ONNX attribute `axis` = −1: the operator applies along the last dimension.
pub(crate) fn last_dimension() -> Message {
    integer_attribute("axis", -1)
}

/// Returns an ONNX attribute with an integer value.
pub(crate) fn integer_attribute(name: &str, value: i64) -> Message {
    attribute(name, 2).int(3, value as u64)
}

/// Returns an ONNX attribute with an f32 value.
pub(crate) fn float_attribute(name: &str, value: f32) -> Message {
    attribute(name, 1).float(2, value)
}

/// Returns an ONNX attribute with a list of integers.
pub(crate) fn integers_attribute(name: &str, values: &[i64]) -> Message {
    values.iter().fold(attribute(name, 7), |list, &value| list.int(8, value as u64))
}

/// Creates an ONNX attribute with name and type, but without a value. `kind` is the type: 1 for f32, 2 for an integer,
/// 7 for a list of integers.
fn attribute(name: &str, kind: u64) -> Message {
    Message::default().text(1, name).int(20, kind)
}
