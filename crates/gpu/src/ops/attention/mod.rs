//! Causal attention and its gradient with memory linear in the sequence length (Dao et al., 2022,
//! [FlashAttention](https://arxiv.org/abs/2205.14135)).

mod shader;

use vivarium_graph::op::{AttentionGradientOp, AttentionOp};
use vivarium_graph::{PlanStep, Value};

use super::form::{Form, LayerOp};
use crate::emit::LayerRecorder;
use crate::operand::check_bounds;
use crate::{Buffer, GpuError, GpuRecorder, dispatch_size};
use shader::{AttentionPass, AttentionShader, OWN};

/// Operands of [`attention`]: word offsets, in the arena, of its inputs and results. The results are the output of each
/// head for each token, and the log-sum-exp of the attention scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttentionArgs {
    /// Number of sequences in the batch.
    pub rows: usize,
    /// Number of tokens in a sequence.
    pub tokens: usize,
    /// Number of attention heads.
    pub heads: usize,
    /// Number of elements of a query, key or value of one head.
    pub head_width: usize,
    /// Word offset in the arena of the queries, keys and values of all heads, concatenated: `[rows·tokens,
    /// 3·heads·head_width]`.
    pub qkv: usize,
    /// Word offset in the arena of the outputs of all heads, concatenated: `[rows·tokens, heads·head_width]`.
    pub y: usize,
    /// Word offset in the arena of the log-sum-exp of the attention scores of each token and head, `[rows·tokens,
    /// heads]`.
    pub log_sums: usize,
}

/// Operands of [`attention_gradient`]: word offsets in the arena of its inputs and results.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttentionGradientArgs {
    /// Operands and results of the forward pass whose gradient is computed.
    pub of: AttentionArgs,
    /// Word offset in the arena of the gradient of the attention output, `[rows·tokens, heads·head_width]`.
    pub dy: usize,
    /// Word offset in the arena to which the gradient of queries, keys and values is written, `[rows·tokens,
    /// 3·heads·head_width]`.
    pub dqkv: usize,
}

impl AttentionArgs {
    fn lines(&self) -> usize {
        self.rows * self.tokens
    }

    fn width(&self) -> usize {
        self.heads * self.head_width
    }

    /// Returns the uniforms that the shader of an attention pass reads, as pairs (name, value). `dy` and `dqkv` are the
    /// arena offsets of the gradients of the output and of queries, keys and values; the forward pass does not use
    /// them.
    fn uniforms(
        &self,
        pass: AttentionPass,
        [dy, dqkv]: [usize; 2],
    ) -> impl Iterator<Item = (&'static str, usize)> {
        let Self { rows, tokens, heads, qkv, y, log_sums, .. } = *self;
        let lanes = rows * heads;
        let sizes = [("tokens", tokens), ("heads", heads), ("lanes", lanes), ("qkv", qkv)];
        let workgroups = ("workgroups", lanes * tokens.div_ceil(OWN));
        let queries = [("y", y), ("log_sums", log_sums)];
        let gradients = [("dy", dy), ("dqkv", dqkv)];
        let is_gradient = pass != AttentionPass::Forward;
        (sizes.into_iter().chain([workgroups]))
            .chain(queries.into_iter().filter(move |_| pass.looks_back()))
            .chain(gradients.into_iter().filter(move |_| is_gradient))
    }

    fn check_bounds(&self, arena: &Buffer) {
        check_bounds(arena, "queries, keys and values", self.qkv, self.lines() * 3 * self.width());
        check_bounds(arena, "the result of attention", self.y, self.lines() * self.width());
        check_bounds(arena, "the log-sums", self.log_sums, self.lines() * self.heads);
    }
}

/// Maximum head width in elements: two vectors of this width fit the workgroup memory of every adapter.
pub const WIDEST_HEAD: usize = 1024;

/// Records the kernel of causal multi-head self-attention.
///
/// # Errors
/// [`GpuError`] if the kernel does not compile, or a head is wider than [`WIDEST_HEAD`].
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn attention(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    attention: &AttentionArgs,
) -> Result<(), GpuError> {
    attention.check_bounds(arena);
    record(recorder, AttentionPass::Forward, [("arena", arena)], attention, [0; 2])
}

/// Records the kernels that compute the gradient of causal multi-head self-attention.
///
/// # Errors
/// [`GpuError`] if a kernel does not compile, memory for two words per query is exhausted, or a head is wider than
/// [`WIDEST_HEAD`].
///
/// # Panics
/// Panics if an operand exceeds its buffer.
pub fn attention_gradient(
    recorder: &mut GpuRecorder,
    arena: &Buffer,
    gradient: &AttentionGradientArgs,
) -> Result<(), GpuError> {
    let AttentionGradientArgs { of, dy, dqkv } = gradient;
    of.check_bounds(arena);
    check_bounds(arena, "the gradient of attention's result", *dy, of.lines() * of.width());
    check_bounds(arena, "the gradient of queries, keys and values", *dqkv, of.lines() * 3 * of.width());
    let words = 2 * (of.lines() * of.heads).max(1);
    let known = recorder.gpu().buffer("query statistics of attention", words)?;
    for pass in [AttentionPass::Queries, AttentionPass::Keys, AttentionPass::Values] {
        record(recorder, pass, [("arena", arena), ("known", &known)], of, [*dy, *dqkv])?;
    }
    Ok(())
}

fn record<'a>(
    recorder: &mut GpuRecorder,
    pass: AttentionPass,
    buffers: impl IntoIterator<Item = (&'a str, &'a Buffer)>,
    of: &AttentionArgs,
    gradients: [usize; 2],
) -> Result<(), GpuError> {
    let AttentionArgs { rows, tokens, heads, head_width, .. } = *of;
    if head_width > WIDEST_HEAD {
        let reason =
            format!("head width is {head_width} (limit {WIDEST_HEAD}); use more heads or a smaller width");
        return Err(GpuError::Shader { kernel: pass.label().to_owned(), reason });
    }
    let workgroups = rows * heads * tokens.div_ceil(OWN);
    if workgroups == 0 {
        return Ok(());
    }
    let shader = AttentionShader { pass, head_width }.shader();
    let shader = shader.buffers(buffers).uniforms(of.uniforms(pass, gradients));
    // SAFETY: loops count to constants and to numbers of tokens. The shader skips tokens beyond the end of a sequence,
    // all operands are within the arena (`check_bounds`), and workgroup-memory indices are bounded by constants.
    unsafe { shader.without_checks() }.record(recorder, dispatch_size(workgroups))
}

/// Returns the operands of a plan step that computes attention: the arena offsets of its input and results.
fn of_step(layers: &LayerRecorder<'_>, heads: usize, [qkv, y, log_sums]: [Value; 3]) -> AttentionArgs {
    AttentionArgs {
        rows: layers.rows,
        tokens: layers.sources.values.shape(qkv).lines(),
        heads,
        head_width: layers.width(qkv) / 3 / heads,
        qkv: layers.value(qkv),
        y: layers.value(y),
        log_sums: layers.value(log_sums),
    }
}

lower!(AttentionOp, |op| Form::Layer(op));
lower!(AttentionGradientOp, |op| Form::Layer(op));

impl LayerOp for AttentionOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let values = [step.operands[0], step.results[0], step.results[1]];
        let of = of_step(layers, self.heads, values);
        attention(layers.recorder, layers.arena, &of)
    }
}

impl LayerOp for AttentionGradientOp {
    fn record(&self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let of = of_step(layers, self.heads, [0, 1, 2].map(|operand| step.operands[operand]));
        let (dy, dqkv) = (layers.value(step.operands[3]), layers.value(step.results[0]));
        attention_gradient(layers.recorder, layers.arena, &AttentionGradientArgs { of, dy, dqkv })
    }
}
