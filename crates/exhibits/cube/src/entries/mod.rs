//! Config fields, presets and metrics of the cubes.

pub(crate) mod cube2;
pub(crate) mod cube3;
