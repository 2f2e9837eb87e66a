//! Values that shaders can compute inline instead of loading them from memory.

use vivarium_graph::{InputId, Op, ParameterId};

/// A value without operands: a constant, the loss gradient's seed, a setting or a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InlineValue {
    Constant(f32),
    Seed,
    Setting(InputId),
    Parameter(ParameterId),
}

/// Returns the inline value that an operation computes, if any. Inputs are not inline values, because their rows are in
/// memory.
pub(crate) fn source(op: Op) -> Option<InlineValue> {
    match op {
        Op::Constant(number) => Some(InlineValue::Constant(number)),
        Op::Seed => Some(InlineValue::Seed),
        Op::Setting(id) => Some(InlineValue::Setting(id)),
        Op::Parameter(id) => Some(InlineValue::Parameter(id)),
        _ => None,
    }
}
