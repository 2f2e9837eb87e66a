//! Generation of an execution plan's shaders: values and their origins ([`values`]), memory layout ([`layout`]), source
//! text ([`text`]), recording ([`layers`]). A shader has one invocation for each vector along the last axis ([`lines`])
//! or for each element ([`elements`]).

mod elements;
mod inline_value;
mod layers;
mod layout;
mod lines;
mod operands;
mod text;
mod values;

pub(crate) use elements::ElementShader;
pub(crate) use inline_value::InlineValue;
pub(crate) use layers::{LayerRecorder, ShaderInputs};
pub(crate) use layout::ArenaLayout;
pub(crate) use lines::{LineShader, NARROW};
pub(crate) use operands::{Column, ElementOperands};
pub(crate) use values::{Origin, PlanSizes, PlanValues};
