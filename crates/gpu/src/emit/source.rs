//! Values that a shader can write down wherever it needs them.

use vivarium_graph::{InputId, Op, ParameterId};

/// A value that does not come from other values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Source {
    Constant(f32),
    Seed,
    Setting(InputId),
    Parameter(ParameterId),
}

/// The source that an operation is, if it is one. An input is none: its rows lie in memory.
pub(crate) fn source(op: Op) -> Option<Source> {
    match op {
        Op::Constant(number) => Some(Source::Constant(number)),
        Op::Seed => Some(Source::Seed),
        Op::Setting(id) => Some(Source::Setting(id)),
        Op::Parameter(id) => Some(Source::Parameter(id)),
        _ => None,
    }
}
