//! Normalization of observations as a part of an exported network.

use vivarium_graph::{Graph, Initializer, Value};

/// Name of the parameter with the number that normalization subtracts from each observation dimension, \[width\].
pub(crate) const SHIFT: &str = "observation.shift";
/// Name of the parameter with the factor by which normalization multiplies each observation dimension, \[width\].
pub(crate) const SCALE: &str = "observation.scale";

/// Declares the input `observation` \[width\], and appends its normalization (x − shift) · scale with the parameters
/// [`SHIFT`] and [`SCALE`]. Returns the normalized observation \[width\].
pub(crate) fn normalized_observation(g: &mut Graph, width: usize) -> Value {
    let observation = g.input("observation", &[width]);
    let shift = g.parameter(SHIFT, width, Initializer::Constant(0.0));
    let scale = g.parameter(SCALE, width, Initializer::Constant(1.0));
    let centered = g.sub(observation, shift);
    g.mul(centered, scale)
}
