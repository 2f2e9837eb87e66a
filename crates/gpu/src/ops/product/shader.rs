//! WGSL of matrix products: one template for the three kinds, all tiles and all epilogues.

use std::fmt::Write;

use vivarium_graph::EpilogueActivation;

use super::access::accessors;
use super::kind::{COMPONENTS, Product, ProductShader};
use crate::math::MATH_WGSL;
use crate::wgsl::fill;

/// Storage order of an operand relative to the product.
#[derive(Clone, Copy, PartialEq)]
enum OperandLayout {
    /// Each row of the operand runs along k, the inner dimension of the product.
    AlongDepth,
    /// Each row of the operand runs along m or n, an outer dimension of the product.
    AlongSide,
}

impl ProductShader {
    /// Returns the storage orders of A and B.
    fn lines(&self) -> [OperandLayout; 2] {
        match self.product {
            Product::Forward { .. } => [OperandLayout::AlongDepth, OperandLayout::AlongSide],
            Product::InputGradient { .. } => [OperandLayout::AlongDepth, OperandLayout::AlongDepth],
            Product::ParameterGradient { .. } => [OperandLayout::AlongSide, OperandLayout::AlongSide],
        }
    }

    /// Returns the WGSL functions that the epilogue calls; empty if it calls none, because drivers also compile unused
    /// functions.
    fn functions(&self) -> &'static str {
        match self.product {
            Product::Forward { epilogue, .. } | Product::InputGradient { epilogue }
                if epilogue.activation != EpilogueActivation::NONE =>
            {
                MATH_WGSL
            }
            Product::Forward { .. } | Product::InputGradient { .. } | Product::ParameterGradient { .. } => "",
        }
    }

    /// Returns the WGSL of a dispatch of `together` products.
    pub fn wgsl(&self, together: usize) -> String {
        let tile = &self.tile;
        let [a_lines, b_lines] = self.lines();
        let gradient = self.is_parameter_gradient();
        let width = |lines, side: &str| {
            if lines == OperandLayout::AlongDepth { "k".to_owned() } else { side.to_owned() }
        };
        let element = |fours| if fours { "vec4<f32>" } else { "f32" }.to_owned();
        let access = |writes| if writes { "read_write" } else { "read" }.to_owned();
        let readers =
            [accessors("arena", self.arena_fours, !gradient), accessors("other", self.other_fours, gradient)]
                .concat();
        let values: Vec<(&str, String)> = vec![
            ("$ARENA_ACCESS", access(!gradient)),
            ("$ARENA_ELEMENT", element(self.arena_fours)),
            ("$OTHER_ACCESS", access(gradient)),
            ("$OTHER_ELEMENT", element(self.other_fours)),
            ("$TILE_LEN", tile.memory().to_string()),
            ("$UNIFORMS", uniforms(together)),
            ("$CHOICE", choice(together)),
            ("$READERS", readers),
            ("$MATH", self.functions().to_owned()),
            ("$A_BUFFER", "arena".to_owned()),
            ("$B_BUFFER", if gradient { "arena" } else { "other" }.to_owned()),
            ("$A_WIDTH", width(a_lines, "m")),
            ("$B_WIDTH", width(b_lines, "n")),
            ("$THREADS", tile.threads().to_string()),
            ("$ACCUMULATORS", self.accumulators()),
            ("$A_BLOCKS", tile.a_blocks().to_string()),
            ("$ALL_BLOCKS", (tile.a_blocks() + tile.b_blocks()).to_string()),
            (
                "$BLOCK_PLACE",
                block_place("a", "t", tile.m, tile.k, a_lines)
                    + &block_place("b", "bt", tile.n, tile.k, b_lines),
            ),
            ("$LOAD_A", load("a", "m", a_lines)),
            ("$LOAD_B", load("b", "n", b_lines)),
            ("$STORE_A", store("a", tile.m, 0, a_lines)),
            ("$STORE_B", store("b", tile.n, tile.k * tile.m / 4, b_lines)),
            ("$MULTIPLY", self.multiply()),
            ("$COLUMN_SUMS", self.column_sums()),
            ("$GATHER_SHARES", self.gather_shares()),
            ("$EPILOGUE", self.epilogue()),
            ("$GRID_PLACE", self.grid_place()),
            ("$GRID", (tile.along_m() * tile.along_n()).to_string()),
            ("$BM", tile.m.to_string()),
            ("$BN", tile.n.to_string()),
            ("$BK", tile.k.to_string()),
            ("$WN", tile.along_n().to_string()),
            ("$WM", tile.along_m().to_string()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fill(crate::shader!("product.wgsl"), &values)
    }

    /// Returns the WGSL of an invocation's position in the tile. If the grid allows, 32 consecutive invocations form a
    /// patch of 8 × 4, which minimizes the number of distinct workgroup-memory words that they read.
    fn grid_place(&self) -> String {
        let (across, down) = (self.tile.along_n(), self.tile.along_m());
        if across.is_multiple_of(8) && down.is_multiple_of(4) {
            let patches = across / 8;
            format!(
                "    let tx = place % 8u + 8u * (place / 32u % {patches}u);
    let ty = place / 8u % 4u + 4u * (place / {}u);",
                32 * patches
            )
        } else {
            format!("    let tx = place % {across}u;\n    let ty = place / {across}u;")
        }
    }

    /// Returns one variable for each quad of the result; some drivers do not keep arrays in registers.
    fn accumulators(&self) -> String {
        let mut text = String::new();
        for i in 0..self.tile.per_m {
            for j in 0..self.quads() {
                let _ = writeln!(text, "    var c{i}_{j} = vec4<f32>();");
            }
        }
        if self.sums_columns() {
            text.push_str("    var column_sum = vec4<f32>();\n");
        }
        text
    }

    /// Returns the WGSL that multiplies the tiles in workgroup memory, four steps of k at a time.
    fn multiply(&self) -> String {
        let tile = &self.tile;
        let steps = tile.k / tile.split;
        let unrolled = steps.min(4);
        let (a_quads, b_quads, b_base) = (tile.m / 4, tile.n / 4, tile.k * tile.m / 4);
        let mut text = String::new();
        let _ = writeln!(
            text,
            "        var a_at = share * {a_quads}u + ty;
        var b_at = {b_base}u + share * {b_quads}u + tx;
        for (var step = 0u; step < {}u; step += 1u) {{",
            steps / unrolled
        );
        for u in 0..unrolled {
            text.push_str("            {\n");
            for half in 0..tile.per_m / 4 {
                let at = u * tile.split * a_quads + half * tile.along_m();
                let _ = writeln!(text, "            let a{half} = tile[a_at + {at}u];");
            }
            for j in 0..self.quads() {
                let at = u * tile.split * b_quads + j * tile.along_n();
                let _ = writeln!(text, "            let b{j} = tile[b_at + {at}u];");
            }
            for i in 0..tile.per_m {
                for j in 0..self.quads() {
                    let (half, c) = (i / 4, COMPONENTS[i % 4]);
                    let _ =
                        writeln!(text, "            c{i}_{j} = fma(vec4<f32>(a{half}.{c}), b{j}, c{i}_{j});");
                }
            }
            text.push_str("            }\n");
        }
        let _ = write!(
            text,
            "            a_at += {}u;
            b_at += {}u;
        }}",
            unrolled * tile.split * a_quads,
            unrolled * tile.split * b_quads
        );
        text
    }

    /// Returns the WGSL of the column sums of dy for the bias, computed by the first row of workgroups from workgroup
    /// memory.
    fn column_sums(&self) -> String {
        if !self.sums_columns() {
            return String::new();
        }
        let (quads, base) = (self.tile.n / 4, self.tile.k * self.tile.m / 4);
        format!(
            "        if (first_m == 0u && t < {quads}u) {{
            for (var line = 0u; line < {}u; line += 1u) {{ column_sum += tile[{base}u + line * {quads}u + t]; }}
        }}",
            self.tile.k
        )
    }
}

/// Returns the WGSL of the block that an invocation loads: its quads along m or n, and along k.
///
/// Adjacent invocations read adjacent elements, and write to different banks of workgroup memory.
fn block_place(operand: &str, t: &str, side: usize, depth: usize, lines: OperandLayout) -> String {
    let (quads, depth_quads) = (side / 4, depth / 4);
    match lines {
        OperandLayout::AlongSide => format!(
            "    let {operand}_quad = {t} % {quads}u;
    let {operand}_depth = {t} / {quads}u;
"
        ),
        OperandLayout::AlongDepth => {
            let group = quads.min(8);
            let all = group * depth_quads;
            format!(
                "    let {operand}_quad = {t} % {group}u + {group}u * ({t} / {all}u);
    let {operand}_depth = ({t} / {group}u) % {depth_quads}u;
"
            )
        }
    }
}

/// Returns the declaration of the uniforms of one or several products.
fn uniforms(together: usize) -> String {
    if together == 1 {
        return "var<uniform> u: Uniforms;".to_owned();
    }
    format!("var<uniform> all: array<Uniforms, {together}>;\nvar<private> u: Uniforms;")
}

/// Returns the WGSL that selects the product that a workgroup computes, and the workgroup's part of the depth.
fn choice(together: usize) -> String {
    if together == 1 {
        return "    let part = group.z;".to_owned();
    }
    // The shadowing `let` is known to be uniform over the workgroup; the private variable is not.
    format!(
        "    u = all[group.z % {together}u];
    let u = all[group.z % {together}u];
    let part = group.z / {together}u;"
    )
}

/// Returns the WGSL that loads a block of an operand from its buffer.
fn load(operand: &str, side: &str, lines: OperandLayout) -> String {
    (0..4).fold(String::new(), |mut text, i| {
        let (quad, depth) =
            (format!("first_{side} + {operand}_quad * 4u"), format!("k + {operand}_depth * 4u"));
        let call = match lines {
            OperandLayout::AlongDepth => format!("load_{operand}({quad} + {i}u, u.{side}, {depth})"),
            OperandLayout::AlongSide => format!("load_{operand}({depth} + {i}u, k_end, {quad})"),
        };
        let _ = writeln!(text, "        r{i} = {call};");
        text
    })
}

/// Returns the WGSL that stores a loaded block in workgroup memory, transposed if its rows run along k.
fn store(operand: &str, side: usize, base: usize, lines: OperandLayout) -> String {
    (0..4).fold(String::new(), |mut text, i| {
        let value = match lines {
            OperandLayout::AlongSide => format!("r{i}"),
            OperandLayout::AlongDepth => {
                let c = COMPONENTS[i];
                format!("vec4<f32>(r0.{c}, r1.{c}, r2.{c}, r3.{c})")
            }
        };
        let at = format!("{base}u + ({operand}_depth * 4u + {i}u) * {}u + {operand}_quad", side / 4);
        let _ = writeln!(text, "            tile[{at}] = {value};");
        text
    })
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use vivarium_graph::{Activation, EpilogueActivation};
    use vivarium_kernels::epilogue::Epilogue;

    use super::super::tile::Tile;
    use super::{Product, ProductShader};

    /// Asserts that a kernel is valid WGSL.
    fn validate(product: &ProductShader, together: usize) {
        let text = product.wgsl(together);
        assert!(!text.contains('$'), "{product:?}: something was not filled in");
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{product:?}: {}", error.emit_to_string(&text)));
        let found = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
        assert!(found.is_ok(), "{product:?}: {found:?}");
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
        for (bias, fours) in [(true, true), (false, false)] {
            let product = Product::Forward { bias, epilogue: Epilogue { norm: Some(()), ..forward } };
            validate(&ProductShader { product, tile, arena_fours: fours, other_fours: fours }, 1);
        }
    }
}
