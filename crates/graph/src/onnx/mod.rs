//! ONNX export: writes a graph and its parameters as an ONNX file.
//!
//! - `model.rs`: the file as a Protocol Buffers message: inputs, outputs, initializers, metadata.
//! - `form.rs`: the ONNX form of one operation, a list of ONNX nodes. Each operation defines its form in its file in
//!   `ops`.
//! - `proto.rs`: the wire format.
//!
//! # Shapes
//!
//! The first dimension of each value is the batch dimension. It is dynamic, with the name `batch`. If the shape per row
//! has two dimensions, the first of these is the sequence dimension. It is dynamic as well, with the name `time`, and
//! at most as large as in the graph. An input of an embedding lookup has the type int64; if the lookup selects one
//! table row, the input has no dimension of size 1 at its end. All other values have the type f32.
//!
//! Field numbers are from `onnx.proto` (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>), operators from
//! operator set 17 (<https://onnx.ai/onnx/operators>).

pub(crate) mod form;
mod model;
mod proto;

pub use model::export;

/// Error: the graph cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OnnxError {
    /// The exporter does not support the operation.
    #[error(
        "{operation} cannot be exported as ONNX; supported are linear layers, embeddings of inputs, norms, attention, \
         parameters, constants, softmax, sums, and element-wise functions"
    )]
    Operation {
        /// Name of the operation that cannot be exported.
        operation: &'static str,
    },
    /// A value has a shape that the exporter does not support, such as a sequence of matrices.
    #[error(
        "{operation} has the shape {dims:?} per row; vectors and sequences of vectors can be exported as ONNX"
    )]
    Shape {
        /// Name of the operation that computes the value.
        operation: &'static str,
        /// Shape of the unsupported value, without the batch dimension.
        dims: Vec<usize>,
    },
    /// The file would be larger than the format allows.
    #[error("the parameters take {bytes} bytes; an ONNX file holds at most {limit} bytes")]
    Size {
        /// Size of the network's parameters in bytes.
        bytes: usize,
        /// Maximum size, in bytes, of the parameters in an ONNX file.
        limit: usize,
    },
}
