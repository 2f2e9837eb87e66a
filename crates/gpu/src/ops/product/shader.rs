//! WGSL of matrix products: one template for the three kinds (forward, input gradient, parameter gradient), all tiles
//! and all epilogues.

use std::fmt::Display;

use vivarium_kernels::epilogue::{Epilogue, EpilogueActivation, NORM_EPSILON};

use super::kind::{Product, ProductShader};
use crate::builder::Shader;
use crate::math::math_wgsl;
use crate::template::part;

/// Returns the values that the WGSL template of a kernel requires for its epilogue, as pairs (name, value): whether the
/// epilogue adds a residual, whether it has an activation, the name of the activation's WGSL function, and whether this
/// function computes the activation's derivative.
pub(crate) fn epilogue_values(epilogue: &Epilogue<(), ()>) -> [(&'static str, String); 4] {
    let (function, is_slope) = match epilogue.activation {
        EpilogueActivation::None => (String::new(), false),
        EpilogueActivation::Forward(activation) => (format!("activate_{}4", activation.name()), false),
        EpilogueActivation::Gradient { activation, .. } => {
            (format!("differentiate_{}4", activation.name()), true)
        }
    };
    [
        ("RESIDUAL", epilogue.residual.is_some().to_string()),
        ("ACTIVATED", (!function.is_empty()).to_string()),
        ("ACTIVATION", function),
        ("SLOPED", is_slope.to_string()),
    ]
}

/// Returns the WGSL functions that read, and if `writes` also write, four adjacent elements of a row-major matrix in
/// the buffer named `buffer`. If `fours`, the buffer is declared as vectors of four. If `columns`, another function reads
/// four elements of a column.
fn accessors(buffer: &str, fours: bool, columns: bool, writes: bool) -> String {
    let values: [(_, &dyn Display); 4] =
        [("BUFFER", &buffer), ("FOURS", &fours), ("COLUMNS", &columns), ("WRITES", &writes)];
    part(crate::shader!("access.wgsl"), &values)
}

impl ProductShader {
    /// Returns the shader that computes `together` matrix products in one dispatch. The caller adds the buffers and
    /// uniforms.
    pub(super) fn shader<'a>(&self, label: &'a str, together: usize) -> Shader<'a> {
        let tile = &self.tile;
        let gradient = self.is_parameter_gradient();
        // Whether the rows of A and of B run along k, the inner dimension of the product, and not along m or n.
        let [a_along_depth, b_along_depth] = match self.product {
            Product::Forward { .. } => [true, false],
            Product::InputGradient { .. } => [true, true],
            Product::ParameterGradient { .. } => [false, false],
        };
        let (bias, accumulate, epilogue) = match self.product {
            Product::Forward { bias, epilogue } => (bias, false, epilogue),
            Product::InputGradient { epilogue } => (false, false, epilogue),
            Product::ParameterGradient { accumulate, .. } => (false, accumulate, Epilogue::default()),
        };
        // Drivers also compile unused functions.
        let functions = if epilogue.activation == EpilogueActivation::None { "" } else { math_wgsl() };
        let element = |fours| if fours { "vec4<f32>" } else { "f32" };
        let access = |writes| if writes { "read_write" } else { "read" };
        let (across, down) = (tile.along_n(), tile.along_m());
        let [a_quads, b_quads] = [tile.m, tile.n].map(|side| side / 4);
        let [a_vectors, b_vectors] = [a_quads, b_quads].map(|quads| quads * tile.k);
        let steps = tile.k / tile.split;
        let unrolled = steps.min(4);
        let text = [
            functions,
            &accessors("arena", self.arena_fours, a_along_depth, !gradient),
            &accessors("other", self.other_fours, b_along_depth, gradient),
            crate::shader!("product.wgsl"),
        ];
        Shader::own(label, &text)
            .constants([
                ("ARENA_ACCESS", access(!gradient)),
                ("ARENA_ELEMENT", element(self.arena_fours)),
                ("OTHER_ACCESS", access(gradient)),
                ("OTHER_ELEMENT", element(self.other_fours)),
            ])
            .constants([
                ("TOGETHER", together > 1),
                ("GRADIENT", gradient),
                ("A_ALONG_DEPTH", a_along_depth),
                ("B_ALONG_DEPTH", b_along_depth),
                ("PATCHES", across.is_multiple_of(8) && down.is_multiple_of(4)),
                ("IS_SPLIT", tile.split > 1),
                ("COLUMN_SUMS", self.sums_columns()),
                ("BIAS", bias),
                ("NORM", epilogue.norm.is_some()),
                ("CENTERED", epilogue.norm.is_some_and(|norm| norm.is_centered())),
                ("SHIFT", epilogue.norm.is_some_and(|norm| norm.shift().is_some())),
                ("ACCUMULATE", accumulate),
                ("A_RAGGED", !a_vectors.is_multiple_of(tile.threads())),
                ("B_RAGGED", !b_vectors.is_multiple_of(tile.threads())),
            ])
            .constants([
                ("PRODUCTS", together),
                ("THREADS", tile.threads()),
                ("TILE_LEN", tile.memory()),
                ("BM", tile.m),
                ("BN", tile.n),
                ("BK", tile.k),
                ("GRID", across * down),
                ("ACROSS", across),
                ("DOWN", down),
                ("HALVES", tile.per_m / 4),
                ("QUADS", self.quads()),
                ("SPLIT", tile.split),
                ("HALVINGS", tile.split.ilog2() as usize),
                ("SHARE_LEN", tile.per_m * self.quads() * across * down),
                ("STEPS", steps / unrolled),
                ("UNROLLED", unrolled),
                ("A_QUADS", a_quads),
                ("B_QUADS", b_quads),
                ("A_VECTORS", a_vectors),
                ("B_VECTORS", b_vectors),
                ("A_LOADS", a_vectors.div_ceil(tile.threads())),
                ("B_LOADS", b_vectors.div_ceil(tile.threads())),
                ("B_BASE", a_vectors),
                ("BLOCK_LEN", tile.block_len()),
            ])
            .constants([("EPSILON", NORM_EPSILON)])
            .constants(epilogue_values(&epilogue))
    }
}

#[cfg(test)]
mod tests {
    use vivarium_graph::{Activation, EpilogueActivation};
    use vivarium_kernels::epilogue::{Epilogue, Norm};

    use super::super::ProductUniforms;
    use super::super::tile::Tile;
    use super::{Product, ProductShader};

    /// Test helper: asserts that the shader of `together` matrix products in one dispatch is valid WGSL.
    fn validate(product: &ProductShader, together: usize) {
        let norm = match product.product {
            Product::Forward { epilogue, .. } => epilogue.norm.map(|norm| norm.map(|()| 0)),
            Product::InputGradient { .. } | Product::ParameterGradient { .. } => None,
        };
        let uniforms = ProductUniforms { norm, ..ProductUniforms::default() }.named(product);
        product.shader(&format!("{product:?}"), together).uniform_sets(vec![uniforms; together]).validated();
    }

    #[test]
    fn every_kernel_is_valid() {
        let activation = EpilogueActivation::Forward(Activation::Gelu);
        let slope = EpilogueActivation::Gradient { activation: Activation::Gelu, saved: () };
        let [forward, backward] =
            [activation, slope].map(|activation| Epilogue { norm: None, residual: Some(()), activation });
        let products = [
            Product::Forward { bias: true, epilogue: forward },
            Product::InputGradient { epilogue: backward },
            Product::ParameterGradient { bias: true, accumulate: true },
        ];
        let plain = [
            Product::Forward { bias: false, epilogue: Epilogue::default() },
            Product::InputGradient { epilogue: Epilogue::default() },
            Product::ParameterGradient { bias: false, accumulate: false },
        ];
        for tile in [Tile::LARGE, Tile::choose(64, 64, 64, 100), Tile::choose(1000, 3, 64, 1)] {
            for (products, fours) in [(products, true), (plain, false)] {
                for product in products {
                    let shader = ProductShader { product, tile, arena_fours: fours, other_fours: fours };
                    validate(&shader, 1);
                    validate(&shader, 3);
                }
            }
        }
        let tile = Tile::whole_rows(100, 64).unwrap();
        let layer_norms = [Some(()), None].map(|shift| Norm::Layer { scale: (), shift });
        for norm in layer_norms.into_iter().chain([Norm::Rms { scale: () }]) {
            for (bias, fours) in [(true, true), (false, false)] {
                let product = Product::Forward { bias, epilogue: Epilogue { norm: Some(norm), ..forward } };
                validate(&ProductShader { product, tile, arena_fours: fours, other_fours: fours }, 1);
            }
        }
    }
}
