//! Shaders of a plan, while they are written: what is known of its values and where they lie ([`values`], [`layout`]), the
//! text of a generated shader ([`text`]), an invocation for each line ([`lines`]) or for each element ([`elements`]), and the
//! recording of layers ([`layers`]).

mod cells;
mod elements;
mod layers;
mod layout;
mod lines;
mod source;
mod text;
mod values;

pub(crate) use cells::{Cells, Column};
pub(crate) use elements::Elements;
pub(crate) use layers::{Layers, Sources};
pub(crate) use layout::Layout;
pub(crate) use lines::{Lines, NARROW};
pub(crate) use source::Source;
pub(crate) use values::{Origin, Sizes, Values};
