//! Protocol between the experiment and front ends: commands, views, evaluation results, static information.

mod command;
mod evaluation;
mod info;
mod view;

pub use command::{ExportFormat, LogicCommand, Paint, SandboxStart};
pub use evaluation::{LogicEvaluation, LogicTest};
pub use info::{LogicCaInfo, PatternInfo, TargetInfo};
pub use view::LogicView;

/// Declares the TypeScript types of the views, frames and commands of the logic automaton.
#[cfg(feature = "typescript")]
pub fn declare(types: &mut vivarium_lab::typescript::TypeDeclarations) {
    types.family::<LogicView, (), LogicCommand, LogicEvaluation, LogicCaInfo>();
}
