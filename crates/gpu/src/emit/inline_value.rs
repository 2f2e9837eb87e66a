//! Values that shaders can compute inline instead of loading them from memory.

use vivarium_graph::{InputId, ParameterId};

/// A value without operands: a constant, the loss gradient's seed, a setting or a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InlineValue {
    Constant(f32),
    Seed,
    Setting(InputId),
    Parameter(ParameterId),
}
