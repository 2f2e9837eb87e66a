//! WGSL of attention and of the parts of its gradient.

use std::fmt::Write;

use crate::math::MATH_WGSL;
use crate::wgsl::fill;

/// Number of tokens whose results a workgroup computes.
pub(super) const OWN: usize = 32;
/// Number of invocations that compute the result of one token together.
const SHARES: usize = 4;
const THREADS: usize = OWN * SHARES;
/// Workgroup memory in vectors of four (16 KiB).
const MEMORY: usize = 1024;
/// Number of vectors of four that the invocations of a token exchange at a time to add their partial sums.
const HANDED_ON: usize = 16;

/// Pass of attention or of its gradient: the result that a shader computes for the tokens of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttentionPass {
    /// Attention outputs of queries. Each query reads the keys and values up to its own position.
    Forward,
    /// Gradient of queries, computed from the keys and values up to the position of each query. Also stores the
    /// log-sum-exp and Σ y·dy of each query for [`Self::Keys`] and [`Self::Values`].
    Queries,
    /// Gradient of keys, computed from the queries at and after the position of each key.
    Keys,
    /// Gradient of values, computed from the queries at and after the position of each value.
    Values,
}

impl AttentionPass {
    /// Returns whether the tokens of the workgroup are queries, not keys.
    fn looks_back(self) -> bool {
        matches!(self, AttentionPass::Forward | AttentionPass::Queries)
    }

    /// Returns whether the pass computes the gradient of the softmax.
    fn differentiates(self) -> bool {
        matches!(self, AttentionPass::Queries | AttentionPass::Keys)
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            AttentionPass::Forward => "attention",
            AttentionPass::Queries => "attention_query_gradient",
            AttentionPass::Keys => "attention_key_gradient",
            AttentionPass::Values => "attention_value_gradient",
        }
    }
}

/// Parameters of the generated WGSL of attention.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttentionShader {
    pub(super) pass: AttentionPass,
    pub(super) head_width: usize,
}

impl AttentionShader {
    /// Returns the number of vectors of four in a head.
    fn fours(&self) -> usize {
        self.head_width.div_ceil(4)
    }

    /// Returns the number of tokens in a tile: keys if the workgroup's tokens are queries, and vice versa.
    fn others(&self) -> usize {
        let known = if self.pass.looks_back() { 0 } else { OWN / 2 };
        let most = ((MEMORY - known) / (2 * self.fours())).min(OWN);
        // Rounds down to a multiple of `SHARES`, if large enough.
        if most > SHARES { most - most % SHARES } else { most }
    }

    /// Repeats a statement for each vector of four; `#` stands for the index of the vector.
    fn each(&self, indent: usize, statement: &str) -> String {
        each(0..self.fours(), indent, statement)
    }

    pub(super) fn wgsl(&self) -> String {
        let (pass, others) = (self.pass, self.others());
        let looks_back = pass.looks_back();
        let bindings = match pass {
            AttentionPass::Forward => "@group(0) @binding(1)",
            AttentionPass::Queries => {
                "@group(0) @binding(1) var<storage, read_write> known: array<vec2<f32>>;\n@group(0) @binding(2)"
            }
            AttentionPass::Keys | AttentionPass::Values => {
                "@group(0) @binding(1) var<storage, read> known: array<vec2<f32>>;\n@group(0) @binding(2)"
            }
        };
        let load_known = if looks_back {
            String::new()
        } else {
            "if (t < count) { known_here[t] = known[lane * u.tokens + from_token + t]; }".to_owned()
        };
        let memory = if looks_back {
            String::new()
        } else {
            format!(
                "// Of each other token, its log-sum and Σ y·dy.\nvar<workgroup> known_here: array<vec2<f32>, {others}>;"
            )
        };
        let edge = !self.head_width.is_multiple_of(4);
        let one = |i: usize, statement: &str| {
            let guard = if edge { format!("if (column + {i}u < HEAD) ") } else { String::new() };
            format!(
                "{guard}{{ {} }}\n    ",
                statement.replace('#', "xyzw".get(i..=i).unwrap_or_default()).replace('@', &i.to_string())
            )
        };
        let all = |statement: &str| (0..4).map(|i| one(i, statement)).collect::<String>();
        let tile = (2 * others * self.fours()).max(OWN * (HANDED_ON.min(self.fours()) + 1));
        let values: Vec<(&str, String)> = vec![
            ("$OWN_VECTORS", self.own_vectors()),
            ("$BINDINGS", bindings.to_owned()),
            ("$OWN", OWN.to_string()),
            ("$OTHERS", others.to_string()),
            ("$SHARES", SHARES.to_string()),
            ("$THREADS", THREADS.to_string()),
            ("$TILE_A", if looks_back { "other_query + width" } else { "other_query" }.to_owned()),
            (
                "$TILE_B",
                if looks_back { "other_query + 2u * width" } else { "u.dy + other_result" }.to_owned(),
            ),
            ("$TILE", tile.to_string()),
            ("$MEMORY", memory),
            ("$MATH", MATH_WGSL.to_owned()),
            ("$HEAD", self.head_width.to_string()),
            ("$FOURS", self.fours().to_string()),
            ("$SCALE", format!("{:e}", 1.0 / (self.head_width as f32).sqrt())),
            ("$SET_FOUR", all("arena[start + column + @u] = value.#;")),
            (
                "$FOUR",
                format!(
                    "var value = vec4<f32>();\n    {}return value;",
                    all("value.# = arena[start + column + @u];")
                ),
            ),
            (
                "$FIRST",
                if looks_back { "((u.workgroups - 1u - number) / u.lanes)" } else { "(number / u.lanes)" }
                    .to_owned(),
            ),
            ("$START", if looks_back { "0u" } else { "first" }.to_owned()),
            (
                "$END",
                if looks_back { format!("min(first + {OWN}u, u.tokens)") } else { "u.tokens".to_owned() },
            ),
            ("$SECOND", (others * self.fours()).to_string()),
            ("$LOAD_KNOWN", load_known),
            ("$SEEN", if looks_back { "other <= own" } else { "other >= own" }.to_owned()),
            ("$STEP", self.step()),
            ("$GATHER", self.gather()),
            ("$STORE", self.store()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fill(crate::shader!("attention.wgsl"), &values)
    }

    /// Returns the declarations of the token's vectors and sums.
    fn own_vectors(&self) -> String {
        let mut text = match self.pass {
            AttentionPass::Forward | AttentionPass::Queries => {
                self.each(4, "let a# = four(query, #4u) * SCALE;")
            }
            AttentionPass::Keys | AttentionPass::Values => {
                self.each(4, "let a# = four(query + width, #4u) * SCALE;")
            }
        };
        match self.pass {
            AttentionPass::Forward => text.push_str("    var largest = -3.4e38;\n    var total = 0.0;\n"),
            AttentionPass::Queries => {
                text.push_str(&self.each(4, "let b# = four(u.dy + result, #4u);"));
                text.push_str("    var products = 0.0;\n");
                text.push_str(&self.each(4, "products += dot(b#, four(u.y + result, #4u));"));
                text.push_str(
                    "    let mine = vec2<f32>(arena[log_sum], products);
    if (inside && share == 0u) { known[lane * u.tokens + own] = mine; }
",
                );
            }
            AttentionPass::Keys => text.push_str(&self.each(4, "let b# = four(query + 2u * width, #4u);")),
            AttentionPass::Values => {}
        }
        text + &self.each(4, "var sum# = vec4<f32>();")
    }

    /// Returns the statements that add the contribution of one token of the tile to the sums.
    fn step(&self) -> String {
        let dot = |name: &str, own: &str, place: &str| {
            let first = format!("                var {name}_parts = {own}0 * tile[{place}at];\n");
            let rest = format!("{name}_parts = fma({own}#, tile[{place}at + #u], {name}_parts);");
            let sum = format!("                let {name} = dot({name}_parts, vec4<f32>(1.0));\n");
            first + &each(1..self.fours(), 16, &rest) + &sum
        };
        let second = format!("{}u + ", self.others() * self.fours());
        let mut text = dot("score", "a", "");
        match self.pass {
            AttentionPass::Forward => {
                text.push_str(
                    "                if (score > largest) {
                    let shrunk = safe_exp(largest - score);
                    largest = score;
                    total *= shrunk;
",
                );
                text.push_str(&self.each(20, "sum# *= shrunk;"));
                text.push_str(
                    "                }
                let weight = safe_exp(score - largest);
                total += weight;
",
                );
            }
            AttentionPass::Queries => {
                text.push_str("                let weight = safe_exp(score - mine.x);\n")
            }
            AttentionPass::Keys | AttentionPass::Values => {
                text.push_str("                let weight = safe_exp(score - known_here[j].x);\n");
            }
        }
        if self.pass.differentiates() {
            text.push_str(&dot("slope", "b", &second));
            let known = if self.pass == AttentionPass::Queries { "mine" } else { "known_here[j]" };
            let _ = writeln!(text, "                let factor = weight * (slope - {known}.y) * SCALE;");
            text + &self.each(16, "sum# = fma(vec4<f32>(factor), tile[at + #u], sum#);")
        } else {
            let add = format!("sum# = fma(vec4<f32>(weight), tile[{second}at + #u], sum#);");
            text + &self.each(16, &add)
        }
    }

    /// Returns the statements that add the partial sums of a token's invocations, in a fixed order, [`HANDED_ON`]
    /// vectors at a time.
    fn gather(&self) -> String {
        let mut text = format!("    for (var giver = 1u; giver < {SHARES}u; giver += 1u) {{\n");
        let softmax = self.pass == AttentionPass::Forward;
        let totals = OWN * HANDED_ON.min(self.fours());
        if softmax {
            let _ = write!(
                text,
                "        workgroupBarrier();
        if (share == giver) {{ tile[{totals}u + place] = vec4<f32>(largest, total, 0.0, 0.0); }}
        workgroupBarrier();
        let given = tile[{totals}u + place];
        let both = max(largest, given.x);
        let kept = safe_exp(largest - both);
        let taken = safe_exp(given.x - both);
        if (share == 0u) {{
            largest = both;
            total = total * kept + given.y * taken;
        }}
"
            );
        }
        for first in (0..self.fours()).step_by(HANDED_ON) {
            let here = first..(first + HANDED_ON).min(self.fours());
            let _ = write!(
                text,
                "        workgroupBarrier();
        if (share == giver) {{
{}        }}
        workgroupBarrier();
        if (share == 0u) {{
{}        }}
",
                placed(here.clone(), |i, at| format!("tile[{at}] = sum{i};")),
                placed(here, |i, at| if softmax {
                    format!("sum{i} = sum{i} * kept + tile[{at}] * taken;")
                } else {
                    format!("sum{i} += tile[{at}];")
                }),
            );
        }
        text + "    }\n"
    }

    /// Returns the statements that store the result.
    fn store(&self) -> String {
        match self.pass {
            AttentionPass::Forward => {
                self.each(8, "set_four(u.y + result, #4u, sum# / total);")
                    + "        arena[log_sum] = largest + log(total);\n"
            }
            AttentionPass::Queries => self.gradient("0u"),
            AttentionPass::Keys => self.gradient("width"),
            AttentionPass::Values => self.gradient("2u * width"),
        }
    }

    fn gradient(&self, part: &str) -> String {
        let start = format!("        let start = u.dqkv + line * 3u * width + {part} + head * HEAD;\n");
        start + &self.each(8, "set_four(start, #4u, sum#);")
    }
}

/// Repeats a statement for a range of vectors of four; `#4` stands for the first column of the vector, `#` for its
/// index.
fn each(vectors: std::ops::Range<usize>, indent: usize, statement: &str) -> String {
    vectors.fold(String::new(), |mut all, i| {
        let filled = statement.replace("#4", &(4 * i).to_string()).replace('#', &i.to_string());
        let _ = writeln!(all, "{:indent$}{filled}", "");
        all
    })
}

/// Repeats a statement for a range of vectors and their indices in workgroup memory; vectors with the same index of
/// different tokens are adjacent.
fn placed(vectors: std::ops::Range<usize>, statement: impl Fn(usize, &str) -> String) -> String {
    let first = vectors.start;
    vectors.fold(String::new(), |mut all, i| {
        let _ = writeln!(all, "            {}", statement(i, &format!("{}u + place", (i - first) * OWN)));
        all
    })
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::super::WIDEST_HEAD;
    use super::{AttentionPass, AttentionShader, MEMORY};

    #[test]
    fn every_kernel_is_valid_and_within_the_limits_of_all_adapters() {
        for pass in
            [AttentionPass::Forward, AttentionPass::Queries, AttentionPass::Keys, AttentionPass::Values]
        {
            for head_width in [1, 4, 6, 32, 64, 80, 128, WIDEST_HEAD] {
                let kernel = AttentionShader { pass, head_width };
                let text = kernel.wgsl();
                assert!(
                    !text.contains('$') && !text.contains('#'),
                    "{kernel:?}: something was not filled in"
                );
                let module = naga::front::wgsl::parse_str(&text)
                    .unwrap_or_else(|error| panic!("{kernel:?}: {}", error.emit_to_string(&text)));
                let found = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
                assert!(found.is_ok(), "{kernel:?}: {found:?}");
                let layouts = module
                    .global_variables
                    .iter()
                    .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup);
                let bytes: u32 =
                    layouts.map(|(_, variable)| module.types[variable.ty].inner.size(module.to_ctx())).sum();
                assert!(bytes as usize <= 16 * MEMORY && kernel.others() > 0, "{kernel:?}: {bytes} bytes");
            }
        }
    }
}
