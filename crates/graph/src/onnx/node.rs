//! ONNX form of one operation.

use super::proto::Message;
use crate::ids::ParameterId;

/// ONNX operator that exports an operation of the graph, with its parameters and attributes.
pub(crate) struct OnnxNode {
    /// Name of the ONNX operator, such as `Gemm`.
    pub(crate) operator: &'static str,
    /// Parameters that the operator reads after its operands.
    pub(crate) parameters: Vec<ParameterId>,
    pub(crate) attributes: Vec<Message>,
}

impl OnnxNode {
    /// Returns an operator without parameters and attributes.
    pub(crate) fn new(operator: &'static str) -> Self {
        Self { operator, parameters: Vec::new(), attributes: Vec::new() }
    }
}

/// Returns the ONNX attribute `axis` = −1: the operator applies along the last dimension.
pub(crate) fn last_dimension() -> Message {
    attribute("axis", 2).int(3, u64::MAX) // −1
}

/// Creates an ONNX attribute with a name and a type but no value. `kind` is the type: 1 for f32, 2 for an integer.
pub(crate) fn attribute(name: &str, kind: u64) -> Message {
    Message::default().text(1, name).int(20, kind)
}
