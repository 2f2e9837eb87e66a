//! Values that shaders can compute inline instead of loading them from memory.

use vivarium_graph::{InputId, ParameterId};

/// A value without operands: a constant, the gradient of the loss with respect to itself (seed of the backward pass), a
/// scalar input that all batch rows share (setting), or a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InlineValue {
    Constant(f32),
    Seed,
    Setting(InputId),
    Parameter(ParameterId),
}
