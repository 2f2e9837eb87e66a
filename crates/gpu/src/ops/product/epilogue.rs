//! Epilogue of a matrix product's kernel: bias, layer norm, residual, activation, and the stores.

use std::fmt::Write;

use super::access::finished;
use super::kind::{COMPONENTS, Product, ProductShader};

impl ProductShader {
    /// Returns the WGSL that adds the partial sums of the split depth (split-K) by a tree reduction in a fixed order.
    pub(super) fn gather_shares(&self) -> String {
        let tile = &self.tile;
        let grid = tile.along_m() * tile.along_n();
        let each = |statement: &dyn Fn(usize, &str) -> String| {
            let mut text = String::new();
            for i in 0..tile.per_m {
                for j in 0..self.quads() {
                    let at = format!("tile[start + {}u]", (i * self.quads() + j) * grid);
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

    /// Returns the WGSL of the epilogue.
    pub(super) fn epilogue(&self) -> String {
        let tile = &self.tile;
        let mut text = String::new();
        for j in 0..self.quads() {
            let _ = writeln!(text, "    let n{j} = first_n + ({}u + tx) * 4u;", j * tile.along_n());
        }
        for i in 0..tile.per_m {
            let offset = i / 4 * tile.along_m() * 4 + i % 4;
            let _ = writeln!(text, "    let m{i} = first_m + ty * 4u + {offset}u;");
        }
        if let Product::Forward { bias: true, .. } = self.product {
            for j in 0..self.quads() {
                let _ = writeln!(text, "    let bias{j} = read_other(u.bias, 0u, u.n, n{j});");
                for i in 0..tile.per_m {
                    let _ = writeln!(text, "    c{i}_{j} += bias{j};");
                }
            }
        }
        if let Product::Forward { epilogue, .. } = self.product
            && epilogue.norm.is_some()
        {
            text.push_str(&self.normalize());
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
        if let Product::ParameterGradient { bias: true, accumulate } = self.product {
            let quads = tile.n / 4;
            let add =
                if accumulate { "        column_sum += read_other(start, 0u, u.n, column);\n" } else { "" };
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

    /// Returns the WGSL that applies the epilogue to one quad (four adjacent columns) of the result and stores it.
    fn finish(&self, i: usize, j: usize) -> String {
        let value = format!("c{i}_{j}");
        match &self.product {
            Product::Forward { epilogue, .. } | Product::InputGradient { epilogue } => {
                let read = |place: &str| format!("read_arena(u.{place}, m{i}, u.n, n{j})");
                let value = finished(epilogue, &value, read);
                format!("        write_arena(u.c, m{i}, u.n, n{j}, {value});\n")
            }
            Product::ParameterGradient { accumulate, .. } => {
                let start = "u.c + part * u.stride";
                let sum = match accumulate {
                    true => format!("{value} + read_other({start}, m{i}, u.n, n{j})"),
                    false => value,
                };
                format!("        write_other({start}, m{i}, u.n, n{j}, {sum});\n")
            }
        }
    }

    /// Returns the WGSL of the layer norm of rows that fit one workgroup. Row sums pass through workgroup memory, and
    /// all invocations add them in the same order.
    fn normalize(&self) -> String {
        let tile = &self.tile;
        let across = tile.along_n();
        let mut text = String::new();
        let row_sums = |name: &str, quad: &dyn Fn(usize, usize) -> String| {
            let row = |i: usize| (0..self.quads()).map(|j| quad(i, j)).collect::<Vec<_>>().join(" + ");
            let rows =
                (0..4).map(|i| format!("dot({}, vec4<f32>(1.0))", row(i))).collect::<Vec<_>>().join(", ");
            format!(
                "    workgroupBarrier();
    tile[ty * {across}u + tx] = vec4<f32>({rows});
    workgroupBarrier();
    var {name} = vec4<f32>();
    for (var other_x = 0u; other_x < {across}u; other_x += 1u) {{ {name} += tile[ty * {across}u + other_x]; }}
    {name} /= f32(u.n);
"
            )
        };
        // Columns beyond the end are zero and do not change the mean.
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
