//! Protocol of control experiments: views, commands and JSON documents.

mod command;
mod evaluation;
mod info;
mod view;

pub use command::ControlCommand;
pub use evaluation::ReturnsEvaluation;
pub use info::{ActionInfo, ControlInfo, DimensionInfo};
pub use view::{ControlView, MapRequest};

/// Declares the TypeScript types of the views, frames and commands of control experiments.
#[cfg(feature = "typescript")]
pub fn declare(types: &mut vivarium_lab::typescript::TypeDeclarations) {
    types.family::<ControlView, (), ControlCommand, ReturnsEvaluation, ControlInfo>();
}
