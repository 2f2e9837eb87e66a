//! Causal attention over sequences, and its gradient, without a square of a sequence's length in memory (Dao et al. 2022).

mod shader;

use vivarium_graph::{Step, Value};

use crate::emit::Layers;
use crate::operand::holds;
use crate::{Buffer, GpuError, Recorder, spread};
use shader::{OWN, Pass, Shader};

/// The result of each head for each token, and the logarithm of the sum of its exponentiated scores. Offsets in the arena.
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
    /// The heads' results side by side, \[rows·tokens, width\].
    pub y: usize,
    /// The log-sums, \[rows·tokens, heads\].
    pub log_sums: usize,
}

/// The gradient of queries, keys and values. Offsets in the arena.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttentionGradient {
    /// The attention, with its operand and its results.
    pub of: Attention,
    /// The gradient of its result, \[rows·tokens, width\].
    pub dy: usize,
    /// The result, \[rows·tokens, 3·width\].
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
        holds(arena, "the result of attention", self.y, self.lines() * self.width());
        holds(arena, "the log-sums", self.log_sums, self.lines() * self.heads);
    }
}

/// The widest head: two vectors of it must fit the memory that every workgroup has.
pub const WIDEST_HEAD: usize = 1024;

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
    holds(arena, "the gradient of attention's result", *dy, of.lines() * of.width());
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
    let Attention { rows, tokens, heads, head_width, qkv, y, log_sums } = *of;
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
    let kernel = recorder.gpu().kernel_within_bounds(pass.label(), &Shader { pass, head_width }.wgsl())?;
    let words = [tokens, heads, lanes, workgroups, qkv, y, dy, dqkv, log_sums].map(|word| word as u32);
    recorder.dispatch(&kernel, buffers, &words, spread(workgroups));
    Ok(())
}

/// The attention over some queries, keys and values with these results.
fn of_step(layers: &Layers<'_>, heads: usize, [qkv, y, log_sums]: [Value; 3]) -> Attention {
    Attention {
        rows: layers.rows,
        tokens: layers.sources.values.shape(qkv).lines(),
        heads,
        head_width: layers.width(qkv) / 3 / heads,
        qkv: layers.value(qkv),
        y: layers.value(y),
        log_sums: layers.value(log_sums),
    }
}

/// Records a step of attention.
pub(super) fn layer(heads: usize, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let values = [step.operands[0], step.results[0], step.results[1]];
    let of = of_step(layers, heads, values);
    attention(layers.recorder, layers.arena, &of)
}

/// Records a gradient of attention.
pub(super) fn gradient(heads: usize, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
    let of = of_step(layers, heads, [0, 1, 2].map(|operand| step.operands[operand]));
    let (dy, dqkv) = (layers.value(step.operands[3]), layers.value(step.results[0]));
    attention_gradient(layers.recorder, layers.arena, &AttentionGradient { of, dy, dqkv })
}
