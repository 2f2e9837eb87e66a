//! What a person sees of a logic automaton, and may do to it.

mod command;
mod evaluation;
mod info;
mod view;

pub use command::{ExportFormat, LogicCommand, Paint, StageStart};
pub use evaluation::{LogicEvaluation, LogicTest};
pub use info::{LogicCaInfo, PatternInfo, TargetInfo};
pub use view::LogicView;
