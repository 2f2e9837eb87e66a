//! Values that shaders can compute inline instead of loading them from memory.

use vivarium_graph::{InputId, ParameterId};

/// A value without operands that shaders compute where they read it. `Seed` is the gradient of the loss with respect to
/// itself, with which the backward pass starts. `Setting` is a scalar input that all batch rows share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum InlineValue {
    Constant(f32),
    Seed,
    Setting(InputId),
    Parameter(ParameterId),
}
