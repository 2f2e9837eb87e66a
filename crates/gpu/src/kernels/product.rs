//! The WGSL of matrix products: one template for the three forms, every tile and every epilogue.

use std::fmt::Write;

use vivarium_graph::Activation;

use super::MATH_WGSL;
use super::tile::Tile;

/// Which product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// y = x·W, x in the arena and W in the other buffer.
    Forward,
    /// dx = dy·Wᵀ, dy in the arena and W in the other buffer.
    InputGradient,
    /// dW = xᵀ·dy, both in the arena, slice by slice of the rows; the result goes to the other buffer.
    ParameterGradient,
}

/// A kernel, but for its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Product {
    pub form: Form,
    pub tile: Tile,
    /// Whether the arena is read and written by fours: all its widths and offsets are multiples of four.
    pub arena_fours: bool,
    /// Likewise for the other buffer.
    pub other_fours: bool,
    /// Forward: adds a bias. Parameter gradient: sums the columns of dy for one.
    pub bias: bool,
    /// Forward: a layer norm after the bias; the tile holds whole rows.
    pub norm: bool,
    /// Adds a matrix of the arena.
    pub residual: bool,
    /// Forward: what comes last.
    pub activation: Activation,
    /// Input gradient: what the result is multiplied with the slope of.
    pub slope: Activation,
    /// Parameter gradient: adds to what is there.
    pub accumulate: bool,
    /// Rounds both operands to half precision; sums stay in single precision.
    pub half: bool,
}

/// How an operand lies in its buffer, as seen from the product.
#[derive(Clone, Copy, PartialEq)]
enum Lines {
    /// Its lines run along k.
    AlongDepth,
    /// Its lines run along m or n.
    AlongSide,
}

const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The functions that read and write four neighbouring numbers of a row-major matrix in a buffer.
fn accessors(buffer: &str, fours: bool, writes: bool) -> String {
    let mut text = String::new();
    let parameters = "start: u32, line: u32, width: u32, column: u32";
    let at = "start + line * width + column";
    if fours {
        let _ = writeln!(
            text,
            "fn read_{buffer}({parameters}) -> vec4<f32> {{
    if (column >= width) {{ return vec4<f32>(); }}
    return {buffer}[({at}) >> 2u];
}}"
        );
        if writes {
            let _ = writeln!(
                text,
                "fn write_{buffer}({parameters}, value: vec4<f32>) {{
    if (column < width) {{ {buffer}[({at}) >> 2u] = value; }}
}}"
            );
        }
        return text;
    }
    let each = |statement: &dyn Fn(usize, &str) -> String| {
        (0..4).fold(String::new(), |mut all, i| {
            let _ = writeln!(all, "    if (column + {i}u < width) {{ {} }}", statement(i, COMPONENTS[i]));
            all
        })
    };
    let reads = each(&|i, component| format!("v.{component} = {buffer}[at + {i}u];"));
    let _ = writeln!(
        text,
        "fn read_{buffer}({parameters}) -> vec4<f32> {{
    let at = {at};
    var v = vec4<f32>();
{reads}    return v;
}}"
    );
    if writes {
        let stores = each(&|i, component| format!("{buffer}[at + {i}u] = value.{component};"));
        let _ = writeln!(
            text,
            "fn write_{buffer}({parameters}, value: vec4<f32>) {{
    let at = {at};
{stores}}}"
        );
    }
    text
}

/// The WGSL that applies an activation to a vector of four.
pub(super) fn activated(activation: Activation, value: &str) -> String {
    match activation {
        Activation::None => value.to_owned(),
        Activation::Relu => format!("relu4({value})"),
        Activation::Tanh => format!("safe_tanh4({value})"),
        Activation::Gelu => format!("gelu4({value})"),
    }
}

impl Product {
    /// How A and B lie.
    fn lines(&self) -> [Lines; 2] {
        match self.form {
            Form::Forward => [Lines::AlongDepth, Lines::AlongSide],
            Form::InputGradient => [Lines::AlongDepth, Lines::AlongDepth],
            Form::ParameterGradient => [Lines::AlongSide, Lines::AlongSide],
        }
    }

    /// The functions that the epilogue calls: what is not needed would still have to be compiled.
    fn functions(&self) -> &'static str {
        let plain = self.activation == Activation::None && self.slope == Activation::None;
        if plain { "" } else { MATH_WGSL }
    }

    /// Quads of columns that an invocation holds.
    fn quads(&self) -> usize {
        self.tile.per_n / 4
    }

    /// A vector as the workgroup's memory holds it.
    fn put(&self, value: &str) -> String {
        if self.half { format!("vec4<f16>({value})") } else { value.to_owned() }
    }

    /// A vector of the workgroup's memory as it is computed with.
    fn get(&self, index: &str) -> String {
        if self.half { format!("vec4<f32>(tile[{index}])") } else { format!("tile[{index}]") }
    }

    /// The WGSL for so many products at a time.
    pub fn wgsl(&self, together: usize) -> String {
        let tile = &self.tile;
        let [a_lines, b_lines] = self.lines();
        let gradient = self.form == Form::ParameterGradient;
        let width =
            |lines, side: &str| if lines == Lines::AlongDepth { "k".to_owned() } else { side.to_owned() };
        let element = |fours| if fours { "vec4<f32>" } else { "f32" }.to_owned();
        let access = |writes| if writes { "read_write" } else { "read" }.to_owned();
        let operands = tile.k * (tile.m + tile.n) / 4;
        let sums = if self.half {
            let len = (tile.memory() - operands).max(tile.threads());
            format!("var<workgroup> sums: array<vec4<f32>, {len}>;")
        } else {
            String::new()
        };
        let readers = [
            accessors("arena", self.arena_fours, !gradient),
            accessors("other", self.other_fours, gradient),
            sums,
        ]
        .concat();
        let mut text = include_str!("product.wgsl").to_owned();
        // Longer names first, where one begins like another.
        let fill: Vec<(&str, String)> = vec![
            ("$ENABLE", if self.half { "enable f16;" } else { "" }.to_owned()),
            ("$ARENA_ACCESS", access(!gradient)),
            ("$ARENA_ELEMENT", element(self.arena_fours)),
            ("$OTHER_ACCESS", access(gradient)),
            ("$OTHER_ELEMENT", element(self.other_fours)),
            ("$TILE_ELEMENT", if self.half { "vec4<f16>" } else { "vec4<f32>" }.to_owned()),
            ("$TILE_LEN", if self.half { operands } else { tile.memory() }.to_string()),
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
            ("$STORE_A", self.store("a", tile.m, 0, a_lines)),
            ("$STORE_B", self.store("b", tile.n, tile.k * tile.m / 4, b_lines)),
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
        for (name, value) in fill {
            text = text.replace(name, &value);
        }
        text
    }

    /// Where in the grid of a tile's invocations one stands: thirty-two neighbours in a patch of 8 × 4 where the grid allows,
    /// since those who run together then read the fewest different words of the workgroup's memory.
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

    /// One variable for each quad of the result: an array would not stay in registers everywhere.
    fn accumulators(&self) -> String {
        let mut text = String::new();
        for i in 0..self.tile.per_m {
            for j in 0..self.quads() {
                let _ = writeln!(text, "    var c{i}_{j} = vec4<f32>();");
            }
        }
        if self.form == Form::ParameterGradient && self.bias {
            text.push_str("    var column_sum = vec4<f32>();\n");
        }
        text
    }

    /// Puts the block that was brought into the workgroup's memory, turned where its lines run along k.
    fn store(&self, operand: &str, side: usize, base: usize, lines: Lines) -> String {
        (0..4).fold(String::new(), |mut text, i| {
            let value = match lines {
                Lines::AlongSide => format!("r{i}"),
                Lines::AlongDepth => {
                    let c = COMPONENTS[i];
                    format!("vec4<f32>(r0.{c}, r1.{c}, r2.{c}, r3.{c})")
                }
            };
            let at = format!("{base}u + ({operand}_depth * 4u + {i}u) * {}u + {operand}_quad", side / 4);
            let _ = writeln!(text, "            tile[{at}] = {};", self.put(&value));
            text
        })
    }

    /// Multiplies what is in the workgroup's memory, four steps of k at a time.
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
                let _ = writeln!(text, "            let a{half} = {};", self.get(&format!("a_at + {at}u")));
            }
            for j in 0..self.quads() {
                let at = u * tile.split * b_quads + j * tile.along_n();
                let _ = writeln!(text, "            let b{j} = {};", self.get(&format!("b_at + {at}u")));
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

    /// The columns of dy, for the bias: by the first row of workgroups, while they are in the workgroup's memory.
    fn column_sums(&self) -> String {
        if self.form != Form::ParameterGradient || !self.bias {
            return String::new();
        }
        let (quads, base) = (self.tile.n / 4, self.tile.k * self.tile.m / 4);
        let read = self.get(&format!("{base}u + line * {quads}u + t"));
        format!(
            "        if (first_m == 0u && t < {quads}u) {{
            for (var line = 0u; line < {}u; line += 1u) {{ column_sum += {read}; }}
        }}",
            self.tile.k
        )
    }

    /// Adds up what the shares of the depth came to, by halves, in a fixed order.
    fn gather_shares(&self) -> String {
        let tile = &self.tile;
        let memory = if self.half { "sums" } else { "tile" };
        let grid = tile.along_m() * tile.along_n();
        let each = |statement: &dyn Fn(usize, &str) -> String| {
            let mut text = String::new();
            for i in 0..tile.per_m {
                for j in 0..self.quads() {
                    let at = format!("{memory}[start + {}u]", (i * self.quads() + j) * grid);
                    let _ = writeln!(
                        text,
                        "            {}",
                        statement(i * self.quads() + j, &at).replace("$C", &format!("c{i}_{j}"))
                    );
                }
            }
            text
        };
        let mut text = String::new();
        let mut shares = tile.split;
        let vectors = tile.per_m * self.quads();
        while shares > 1 {
            shares /= 2;
            let _ = write!(
                text,
                "    workgroupBarrier();
    if (share >= {shares}u && share < {}u) {{
        let start = (share - {shares}u) * {}u + place;
{}    }}
    workgroupBarrier();
    if (share < {shares}u) {{
        let start = share * {}u + place;
{}    }}
",
                2 * shares,
                vectors * grid,
                each(&|_, at| format!("{at} = $C;")),
                vectors * grid,
                each(&|_, at| format!("$C += {at};")),
            );
        }
        text
    }

    /// What is done with the result, and where it goes.
    fn epilogue(&self) -> String {
        let tile = &self.tile;
        let mut text = String::new();
        for j in 0..self.quads() {
            let _ = writeln!(text, "    let n{j} = first_n + ({}u + tx) * 4u;", j * tile.along_n());
        }
        for i in 0..tile.per_m {
            let offset = i / 4 * tile.along_m() * 4 + i % 4;
            let _ = writeln!(text, "    let m{i} = first_m + ty * 4u + {offset}u;");
        }
        if self.form == Form::Forward && self.bias {
            for j in 0..self.quads() {
                let _ = writeln!(text, "    let bias{j} = read_other(u.bias, 0u, u.n, n{j});");
                for i in 0..tile.per_m {
                    let _ = writeln!(text, "    c{i}_{j} += bias{j};");
                }
            }
        }
        if self.norm {
            text.push_str(&self.normalise());
        }
        if tile.split > 1 {
            text.push_str("    if (share == 0u) {\n");
        }
        for i in 0..tile.per_m {
            let _ = writeln!(text, "    if (m{i} < u.m) {{");
            for j in 0..self.quads() {
                text.push_str(&self.finish(i, j));
            }
            text.push_str("    }\n");
        }
        if tile.split > 1 {
            text.push_str("    }\n");
        }
        if self.form == Form::ParameterGradient && self.bias {
            let quads = tile.n / 4;
            let add = if self.accumulate {
                "        column_sum += read_other(start, 0u, u.n, column);\n"
            } else {
                ""
            };
            let _ = write!(
                text,
                "    if (first_m == 0u && t < {quads}u) {{
        let start = u.bias + part * u.stride;
        let column = first_n + t * 4u;
{add}        write_other(start, 0u, u.n, column, column_sum);
    }}
"
            );
        }
        text
    }

    /// The last steps of one quad.
    fn finish(&self, i: usize, j: usize) -> String {
        let mut text = String::new();
        let mut value = format!("c{i}_{j}");
        if self.residual {
            value = format!("({value} + read_arena(u.residual, m{i}, u.n, n{j}))");
        }
        if self.slope != Activation::None {
            let of = format!("read_arena(u.slope, m{i}, u.n, n{j})");
            let slope = match self.slope {
                Activation::Relu => "relu_slope4",
                Activation::Tanh => "tanh_slope4",
                Activation::None | Activation::Gelu => "gelu_slope4",
            };
            value = format!("{value} * {slope}({of})");
        }
        value = activated(self.activation, &value);
        if self.form == Form::ParameterGradient {
            let start = "u.c + part * u.stride";
            if self.accumulate {
                value = format!("{value} + read_other({start}, m{i}, u.n, n{j})");
            }
            let _ = writeln!(text, "        write_other({start}, m{i}, u.n, n{j}, {value});");
        } else {
            let _ = writeln!(text, "        write_arena(u.c, m{i}, u.n, n{j}, {value});");
        }
        text
    }

    /// Layer norm of rows that lie in one workgroup whole: their sums over its columns go through its memory, each read by
    /// all in the same order.
    fn normalise(&self) -> String {
        let tile = &self.tile;
        let memory = if self.half { "sums" } else { "tile" };
        let across = tile.along_n();
        let mut text = String::new();
        let row_sums = |name: &str, quad: &dyn Fn(usize, usize) -> String| {
            let row = |i: usize| (0..self.quads()).map(|j| quad(i, j)).collect::<Vec<_>>().join(" + ");
            let rows =
                (0..4).map(|i| format!("dot({}, vec4<f32>(1.0))", row(i))).collect::<Vec<_>>().join(", ");
            format!(
                "    workgroupBarrier();
    {memory}[ty * {across}u + tx] = vec4<f32>({rows});
    workgroupBarrier();
    var {name} = vec4<f32>();
    for (var other_x = 0u; other_x < {across}u; other_x += 1u) {{ {name} += {memory}[ty * {across}u + other_x]; }}
    {name} /= f32(u.n);
"
            )
        };
        // Columns beyond the end hold zeros, which add nothing to the mean.
        text.push_str(&row_sums("mean", &|i, j| format!("c{i}_{j}")));
        for j in 0..self.quads() {
            let _ = writeln!(
                text,
                "    let inside{j} = select(vec4<f32>(0.0), vec4<f32>(1.0), n{j} + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(u.n));"
            );
            for (i, c) in COMPONENTS.iter().enumerate() {
                let _ = writeln!(text, "    c{i}_{j} = (c{i}_{j} - mean.{c}) * inside{j};");
            }
        }
        text.push_str(&row_sums("variance", &|i, j| format!("c{i}_{j} * c{i}_{j}")));
        let _ = writeln!(
            text,
            "    let inverse_deviation = 1.0 / sqrt(variance + vec4<f32>({:e}));",
            vivarium_graph::LAYER_NORM_EPSILON
        );
        for j in 0..self.quads() {
            let _ = writeln!(
                text,
                "    let scale{j} = read_other(u.scale, 0u, u.n, n{j});
    let shift{j} = read_other(u.shift, 0u, u.n, n{j});"
            );
            for (i, c) in COMPONENTS.iter().enumerate() {
                let _ =
                    writeln!(text, "    c{i}_{j} = c{i}_{j} * inverse_deviation.{c} * scale{j} + shift{j};");
            }
        }
        text
    }
}

/// Which block of an operand an invocation brings: its quad along m or n, and its quad along k.
///
/// Neighbouring invocations read neighbouring numbers, and write to different banks of the workgroup's memory.
fn block_place(operand: &str, t: &str, side: usize, depth: usize, lines: Lines) -> String {
    let (quads, depth_quads) = (side / 4, depth / 4);
    match lines {
        Lines::AlongSide => format!(
            "    let {operand}_quad = {t} % {quads}u;
    let {operand}_depth = {t} / {quads}u;
"
        ),
        Lines::AlongDepth => {
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

/// The numbers of one product, or of several.
fn uniforms(together: usize) -> String {
    if together == 1 {
        return "var<uniform> u: Uniforms;".to_owned();
    }
    format!("var<uniform> all: array<Uniforms, {together}>;\nvar<private> u: Uniforms;")
}

/// Which product it is that a workgroup does, and which part of its depth.
fn choice(together: usize) -> String {
    if together == 1 {
        return "    let part = group.z;".to_owned();
    }
    // A second time under the same name: it is the same for the whole workgroup, which compilers do not know of the first.
    format!(
        "    u = all[group.z % {together}u];
    let u = all[group.z % {together}u];
    let part = group.z / {together}u;"
    )
}

/// Brings a block of an operand from its buffer.
fn load(operand: &str, side: &str, lines: Lines) -> String {
    (0..4).fold(String::new(), |mut text, i| {
        let (quad, depth) =
            (format!("first_{side} + {operand}_quad * 4u"), format!("k + {operand}_depth * 4u"));
        let call = match lines {
            Lines::AlongDepth => format!("load_{operand}({quad} + {i}u, u.{side}, {depth})"),
            Lines::AlongSide => format!("load_{operand}({depth} + {i}u, k_end, {quad})"),
        };
        let _ = writeln!(text, "        r{i} = {call};");
        text
    })
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use vivarium_graph::Activation;

    use super::{Form, Product, Tile};

    /// That a kernel is WGSL, on an adapter with half precision.
    fn validate(product: &Product, together: usize) {
        let text = product.wgsl(together);
        assert!(!text.contains('$'), "{product:?}: something was not filled in");
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{product:?}: {}", error.emit_to_string(&text)));
        let found = Validator::new(ValidationFlags::all(), Capabilities::SHADER_FLOAT16).validate(&module);
        assert!(found.is_ok(), "{product:?}: {found:?}");
    }

    #[test]
    fn every_kernel_is_valid_in_both_precisions() {
        let forms = [Form::Forward, Form::InputGradient, Form::ParameterGradient];
        let tiles = [Tile::LARGE, Tile::choose(64, 64, 64, 100), Tile::choose(1000, 3, 64, 1)];
        for (form, tile) in forms.into_iter().flat_map(|form| tiles.map(|tile| (form, tile))) {
            for [half, fours, extras] in [[false, true, true], [true, true, true], [true, false, false]] {
                let forward = extras && form == Form::Forward;
                let gradient = extras && form == Form::ParameterGradient;
                let plain = Product {
                    form,
                    tile,
                    arena_fours: fours,
                    other_fours: fours,
                    bias: forward || gradient,
                    norm: false,
                    residual: extras && !gradient,
                    activation: if forward { Activation::Gelu } else { Activation::None },
                    slope: if extras && !forward && !gradient { Activation::Gelu } else { Activation::None },
                    accumulate: gradient,
                    half,
                };
                validate(&plain, 1);
                validate(&plain, 3);
                if forward {
                    let tile = Tile::whole_rows(100, 64).unwrap();
                    validate(&Product { norm: true, tile, ..plain }, 1);
                }
            }
        }
    }
}
