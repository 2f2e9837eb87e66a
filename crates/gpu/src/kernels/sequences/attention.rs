//! Causal attention over sequences, and its gradient, without a square of a sequence's length in memory (Dao et al. 2022).

use std::fmt::Write;

use super::super::{MATH_WGSL, holds};
use crate::{Buffer, GpuError, Recorder, spread};

/// What each head of each token finds, and the logarithm of the sum of its exponentiated scores. Offsets in the arena.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attention {
    /// How many sequences there are.
    pub rows: usize,
    /// Tokens of a sequence.
    pub tokens: usize,
    /// How many heads there are.
    pub heads: usize,
    /// Numbers of a query, a key or a value that belong to one head.
    pub head_width: usize,
    /// Queries, keys and values side by side, \[rows·tokens, 3·width\].
    pub qkv: usize,
    /// What the heads find, then their log-sums, \[rows·tokens, width + heads\].
    pub y: usize,
}

/// The gradient of queries, keys and values. Offsets in the arena.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttentionGradient {
    /// The attention, with what it got and gave.
    pub of: Attention,
    /// What its result got, \[rows·tokens, width + heads\].
    pub dy: usize,
    /// What queries, keys and values get, \[rows·tokens, 3·width\].
    pub dqkv: usize,
}

impl Attention {
    fn lines(&self) -> usize {
        self.rows * self.tokens
    }

    fn width(&self) -> usize {
        self.heads * self.head_width
    }

    fn hold(&self, arena: &Buffer) {
        holds(arena, "queries, keys and values", self.qkv, self.lines() * 3 * self.width());
        holds(arena, "what attention finds", self.y, self.lines() * (self.width() + self.heads));
    }
}

/// The widest head: two vectors of it must fit the memory that every workgroup has.
pub const WIDEST_HEAD: usize = 1024;

/// Tokens of a workgroup.
const OWN: usize = 32;
/// Invocations that share a token.
const SHARES: usize = 4;
const THREADS: usize = OWN * SHARES;
/// Vectors of four in a workgroup's memory (16 KiB).
const MEMORY: usize = 1024;
/// Vectors of four that an invocation hands on at a time when shares are added up.
const HANDED_ON: usize = 16;

/// What a kernel finds for its own tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// What queries find in the keys and values before them.
    Forward,
    /// The gradient of queries, from the keys and values before them; also tells the other two what is known of each query.
    Queries,
    /// The gradient of keys, from the queries after them.
    Keys,
    /// The gradient of values, likewise.
    Values,
}

impl Pass {
    /// Whether its own tokens are queries, which look back, and not keys, which are looked at.
    fn looks_back(self) -> bool {
        matches!(self, Pass::Forward | Pass::Queries)
    }

    /// Whether it goes through the gradient of the softmax.
    fn differentiates(self) -> bool {
        matches!(self, Pass::Queries | Pass::Keys)
    }

    fn label(self) -> &'static str {
        match self {
            Pass::Forward => "attention",
            Pass::Queries => "attention_query_gradient",
            Pass::Keys => "attention_key_gradient",
            Pass::Values => "attention_value_gradient",
        }
    }
}

/// Records an attention.
///
/// # Errors
/// [`GpuError`] where the device refuses the kernel, or a head is wider than [`WIDEST_HEAD`].
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn attention(recorder: &mut Recorder, arena: &Buffer, attention: &Attention) -> Result<(), GpuError> {
    attention.hold(arena);
    record(recorder, Pass::Forward, &[arena], attention, [0; 2])
}

/// Records the gradient of an attention.
///
/// # Errors
/// [`GpuError`] where the device refuses a kernel or has no room for two numbers a query, or a head is wider than
/// [`WIDEST_HEAD`].
///
/// # Panics
/// Where an operand goes beyond its buffer: a mistake in the program.
pub fn attention_gradient(
    recorder: &mut Recorder,
    arena: &Buffer,
    gradient: &AttentionGradient,
) -> Result<(), GpuError> {
    let AttentionGradient { of, dy, dqkv } = gradient;
    of.hold(arena);
    holds(arena, "what attention's result got", *dy, of.lines() * (of.width() + of.heads));
    holds(arena, "the gradient of queries, keys and values", *dqkv, of.lines() * 3 * of.width());
    let words = 2 * (of.lines() * of.heads).max(1);
    let known = recorder.gpu().buffer("what is known of an attention's queries", words)?;
    for pass in [Pass::Queries, Pass::Keys, Pass::Values] {
        record(recorder, pass, &[arena, &known], of, [*dy, *dqkv])?;
    }
    Ok(())
}

fn record(
    recorder: &mut Recorder,
    pass: Pass,
    buffers: &[&Buffer],
    of: &Attention,
    [dy, dqkv]: [usize; 2],
) -> Result<(), GpuError> {
    let Attention { rows, tokens, heads, head_width, qkv, y } = *of;
    if head_width > WIDEST_HEAD {
        let reason = format!("a head is {head_width} numbers wide, and at most {WIDEST_HEAD} are allowed");
        return Err(GpuError::Shader { kernel: pass.label().to_owned(), reason });
    }
    let lanes = rows * heads;
    let workgroups = lanes * tokens.div_ceil(OWN);
    if workgroups == 0 {
        return Ok(());
    }
    // Tokens beyond a sequence's last are left out, and what lies in a workgroup's memory follows from the text.
    let kernel = recorder.gpu().kernel_within_bounds(pass.label(), &Text { pass, head_width }.wgsl())?;
    let words = [tokens, heads, lanes, workgroups, qkv, y, dy, dqkv].map(|word| word as u32);
    recorder.dispatch(&kernel, buffers, &words, spread(workgroups));
    Ok(())
}

/// A kernel, but for its numbers.
#[derive(Clone, Copy, Debug)]
struct Text {
    pass: Pass,
    head_width: usize,
}

impl Text {
    /// Vectors of four that hold a head.
    fn fours(&self) -> usize {
        self.head_width.div_ceil(4)
    }

    /// Other tokens that come through the memory at a time.
    fn others(&self) -> usize {
        let known = if self.pass.looks_back() { 0 } else { OWN / 2 };
        let most = ((MEMORY - known) / (2 * self.fours())).min(OWN);
        // As many for each share, where there are enough.
        if most > SHARES { most - most % SHARES } else { most }
    }

    /// A statement for each vector of four; `#` stands for its number.
    fn each(&self, indent: usize, statement: &str) -> String {
        each(0..self.fours(), indent, statement)
    }

    fn wgsl(&self) -> String {
        let (pass, others) = (self.pass, self.others());
        let looks_back = pass.looks_back();
        let bindings = match pass {
            Pass::Forward => "@group(0) @binding(1)",
            Pass::Queries => {
                "@group(0) @binding(1) var<storage, read_write> known: array<vec2<f32>>;\n@group(0) @binding(2)"
            }
            Pass::Keys | Pass::Values => {
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
        let mut text = include_str!("attention.wgsl").to_owned();
        // Longer names first, where one begins like another.
        for (name, value) in [
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
        ] {
            text = text.replace(name, &value);
        }
        text
    }

    /// The vectors of the token itself, and what it adds up.
    fn own_vectors(&self) -> String {
        let mut text = match self.pass {
            Pass::Forward | Pass::Queries => self.each(4, "let a# = four(query, #4u) * SCALE;"),
            Pass::Keys | Pass::Values => self.each(4, "let a# = four(query + width, #4u) * SCALE;"),
        };
        match self.pass {
            Pass::Forward => text.push_str("    var largest = -3.4e38;\n    var total = 0.0;\n"),
            Pass::Queries => {
                text.push_str(&self.each(4, "let b# = four(u.dy + result, #4u);"));
                text.push_str("    var products = 0.0;\n");
                text.push_str(&self.each(4, "products += dot(b#, four(u.y + result, #4u));"));
                // The log-sum's own gradient goes to each score in proportion to its weight, as Σ y·dy is taken away.
                text.push_str(
                    "    let mine = vec2<f32>(arena[u.y + log_sum_place], products - arena[u.dy + log_sum_place]);
    if (inside && share == 0u) { known[lane * u.tokens + own] = mine; }
",
                );
            }
            Pass::Keys => text.push_str(&self.each(4, "let b# = four(query + 2u * width, #4u);")),
            Pass::Values => {}
        }
        text + &self.each(4, "var sum# = vec4<f32>();")
    }

    /// What one other token adds.
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
            Pass::Forward => {
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
            Pass::Queries => text.push_str("                let weight = safe_exp(score - mine.x);\n"),
            Pass::Keys | Pass::Values => {
                text.push_str("                let weight = safe_exp(score - known_here[j].x);\n");
            }
        }
        if self.pass.differentiates() {
            text.push_str(&dot("slope", "b", &second));
            let known = if self.pass == Pass::Queries { "mine" } else { "known_here[j]" };
            let _ = writeln!(text, "                let factor = weight * (slope - {known}.y) * SCALE;");
            text + &self.each(16, "sum# = fma(vec4<f32>(factor), tile[at + #u], sum#);")
        } else {
            let add = format!("sum# = fma(vec4<f32>(weight), tile[{second}at + #u], sum#);");
            text + &self.each(16, &add)
        }
    }

    /// Adds up what the shares found, one after the other and some vectors at a time.
    fn gather(&self) -> String {
        let mut text = format!("    for (var giver = 1u; giver < {SHARES}u; giver += 1u) {{\n");
        let softmax = self.pass == Pass::Forward;
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

    /// Writes what was found.
    fn store(&self) -> String {
        match self.pass {
            Pass::Forward => {
                self.each(8, "set_four(u.y + result, #4u, sum# / total);")
                    + "        arena[u.y + log_sum_place] = largest + log(total);\n"
            }
            Pass::Queries => self.gradient("0u"),
            Pass::Keys => self.gradient("width"),
            Pass::Values => self.gradient("2u * width"),
        }
    }

    fn gradient(&self, part: &str) -> String {
        let start = format!("        let start = u.dqkv + line * 3u * width + {part} + head * HEAD;\n");
        start + &self.each(8, "set_four(start, #4u, sum#);")
    }
}

/// A statement for each of some vectors; `#4` stands for the column that it begins with, `#` for its number.
fn each(vectors: std::ops::Range<usize>, indent: usize, statement: &str) -> String {
    vectors.fold(String::new(), |mut all, i| {
        let filled = statement.replace("#4", &(4 * i).to_string()).replace('#', &i.to_string());
        let _ = writeln!(all, "{:indent$}{filled}", "");
        all
    })
}

/// A statement for each of some vectors and its place in the memory, next to that of other tokens' vectors of its number.
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

    use super::{MEMORY, Pass, Text, WIDEST_HEAD};

    #[test]
    fn every_kernel_is_valid_and_fits_what_all_adapters_have() {
        for pass in [Pass::Forward, Pass::Queries, Pass::Keys, Pass::Values] {
            for head_width in [1, 4, 6, 32, 64, 80, 128, WIDEST_HEAD] {
                let kernel = Text { pass, head_width };
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
