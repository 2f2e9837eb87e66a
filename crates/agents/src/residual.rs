//! Fully connected residual network (He et al. 2016, ["Deep Residual Learning for Image
//! Recognition"](https://arxiv.org/abs/1512.03385)).

use vivarium_graph::{Graph, Value};

/// Builds a residual network on the input `x`: a first layer named `stem`, and then `blocks` residual blocks. Block i
/// consists of the layers `block.i.0` and `block.i.1`. All layers have `width` units. Returns the output of the last
/// block.
pub(crate) fn trunk(g: &mut Graph, x: Value, width: usize, blocks: usize) -> Value {
    let mut trunk = layer(g, "stem", x, width, None);
    for block in 0..blocks {
        let middle = layer(g, &format!("block.{block}.0"), trunk, width, None);
        trunk = layer(g, &format!("block.{block}.1"), middle, width, Some(trunk));
    }
    trunk
}

/// Builds the layer relu(layer_norm(x·W + b) + skip) and returns its output. If `skip` is `None`, the layer has no
/// skip connection.
fn layer(g: &mut Graph, name: &str, x: Value, width: usize, skip: Option<Value>) -> Value {
    let h = g.linear(name, x, width);
    let h = g.layer_norm(&format!("{name}.norm"), h);
    let h = skip.map_or(h, |skip| g.add(h, skip));
    g.relu(h)
}
