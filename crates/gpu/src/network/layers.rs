//! Layers with parameters, and their gradients.

use vivarium_graph::{Activation, Kernel, LAYER_NORM_EPSILON, Norm, Op, ParameterId};

use super::values::{Id, Node, Values, Work};
use super::{Network, Slices};
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::{Recorder, spread};

/// The parameters whose gradients a node adds to.
fn written(values: &Values, node: &Node) -> Vec<ParameterId> {
    let _ = values;
    match node.op() {
        Some(Op::LinearParameterGradient { weight, bias }) => {
            [Some(weight), bias].into_iter().flatten().collect()
        }
        Some(Op::ParameterGradient(id)) => vec![id],
        Some(Op::LayerNormGradient { scale, shift }) => vec![scale, shift],
        _ => Vec::new(),
    }
}

/// How often the parameter that is used most often gets a gradient.
pub(crate) fn uses(values: &Values, parameters: usize) -> usize {
    let mut uses = vec![0; parameters];
    for id in values.nodes.iter().flat_map(|node| written(values, node)) {
        uses[id.0] += 1;
    }
    uses.into_iter().max().unwrap_or(0).max(1)
}

/// Records layers, one after the other.
pub(crate) struct Layers<'a> {
    network: &'a Network,
    parameters: &'a Buffer,
    gradients: Option<&'a Slices>,
    /// How many gradients each parameter has got so far.
    uses: Vec<usize>,
}

const FUNCTIONS: &str = include_str!("functions.wgsl");
const LAYERS: &str = include_str!("layers.wgsl");

fn code(activation: Activation) -> u32 {
    match activation {
        Activation::None => 0,
        Activation::Relu => 1,
        Activation::Tanh => 2,
        Activation::Gelu => 3,
    }
}

#[derive(Default, Clone, Copy)]
struct Words {
    count: usize,
    rows: usize,
    k: usize,
    n: usize,
    x: usize,
    y: usize,
    r: usize,
    w: usize,
    b: usize,
    has_bias: bool,
    has_residual: bool,
    activation: u32,
    slices: usize,
    slice_len: usize,
    first_slice: usize,
}

impl<'a> Layers<'a> {
    pub(crate) fn new(network: &'a Network, parameters: &'a Buffer, gradients: Option<&'a Slices>) -> Self {
        Self { network, parameters, gradients, uses: vec![0; network.parameters.len()] }
    }

    fn at(&self, id: Id) -> usize {
        self.network.layout.offsets[id].expect("operands and results lie in memory")
    }

    fn run(
        &self,
        rec: &mut Recorder,
        body: &str,
        uses_w: bool,
        uses_g: bool,
        words: Words,
    ) -> Result<(), GpuError> {
        let mut buffers = vec![self.network.arena()];
        let mut text = String::from("@group(0) @binding(0) var<storage, read_write> arena: array<f32>;\n");
        if uses_w {
            text += "@group(0) @binding(1) var<storage, read> weights: array<f32>;\n";
            buffers.push(self.parameters);
        }
        if uses_g {
            text += &format!(
                "@group(0) @binding({}) var<storage, read_write> slices: array<f32>;\n",
                buffers.len()
            );
            buffers.push(&self.gradients.expect("gradients").buffer);
        }
        text += &format!("@group(0) @binding({}) var<uniform> u: Uniforms;\n", buffers.len());
        text += FUNCTIONS;
        text += LAYERS;
        text += &format!("@compute @workgroup_size(64) fn main(@builtin(workgroup_id) g: vec3<u32>, @builtin(local_invocation_index) l: u32) {{
            let i = (g.x + g.y * 65535u) * 64u + l; if (i >= u.count) {{ return; }}\n{body}\n}}");
        let kernel = rec.gpu().kernel("layer", &text, &[])?;
        let w = words;
        let words: Vec<u32> = [w.count, w.rows, w.k, w.n, w.x, w.y, w.r, w.w, w.b]
            .iter()
            .map(|&x| x as u32)
            .chain([
                w.has_bias as u32,
                w.has_residual as u32,
                w.activation,
                w.slices as u32,
                w.slice_len as u32,
                w.first_slice as u32,
            ])
            .collect();
        rec.dispatch(&kernel, &buffers, &words, spread(w.count.div_ceil(64)));
        Ok(())
    }

    fn norm(&self, rec: &mut Recorder, norm: Norm, words: Words) -> Result<(), GpuError> {
        let p = |id: ParameterId| self.network.parameters[id.0];
        self.run(
            rec,
            &format!(
                "
            var mean = 0.0; var squares = 0.0;
            for (var j = 0u; j < u.n; j++) {{ mean += arena[u.x + i * u.n + j]; }}
            mean /= f32(u.n);
            for (var j = 0u; j < u.n; j++) {{ let d = arena[u.x + i * u.n + j] - mean; squares += d * d; }}
            let scale = 1.0 / sqrt(squares / f32(u.n) + {LAYER_NORM_EPSILON:?});
            for (var j = 0u; j < u.n; j++) {{
                var y = (arena[u.x + i * u.n + j] - mean) * scale * weights[u.w + j] + weights[u.b + j];
                if (u.has_residual == 1u) {{ y += arena[u.r + i * u.n + j]; }}
                arena[u.y + i * u.n + j] = activate(u.activation, y);
            }}"
            ),
            true,
            false,
            Words { w: p(norm.scale), b: p(norm.shift), count: words.rows, ..words },
        )
    }

    fn slice_words(&mut self, ids: &[ParameterId], words: Words) -> Words {
        let each = self.network.slices_each();
        let first = ids.iter().map(|id| self.uses[id.0]).max().unwrap_or(0);
        for id in ids {
            self.uses[id.0] = first + 1;
        }
        Words { slices: each, slice_len: self.network.parameters_len, first_slice: first * each, ..words }
    }

    pub(crate) fn record(&mut self, rec: &mut Recorder, node: &Node) -> Result<(), GpuError> {
        let values = &self.network.values;
        let shape = values.shape(node.operands[0]);
        let rows = self.network.rows * shape.lines();
        let p = |id: ParameterId| self.network.parameters[id.0];
        let x = self.at(node.operands[0]);
        let second = node.operands.get(1).map(|&id| self.at(id));
        match node.work {
            Work::Step(Kernel::Linear { weight, bias, norm, activation }) => {
                let result = node.result.expect("r");
                let (k, n) = (shape.width(), values.shape(result).width());
                let words = Words {
                    count: rows * n,
                    rows,
                    k,
                    n,
                    x,
                    y: self.at(result),
                    r: second.unwrap_or(0),
                    w: p(weight),
                    b: bias.map_or(0, p),
                    has_bias: bias.is_some(),
                    has_residual: second.is_some() && norm.is_none(),
                    activation: if norm.is_none() { code(activation) } else { 0 },
                    ..Words::default()
                };
                self.run(rec, "
                    let row = i / u.n; let j = i % u.n; var sum = 0.0;
                    for (var k = 0u; k < u.k; k++) { sum += arena[u.x + row * u.k + k] * weights[u.w + k * u.n + j]; }
                    if (u.has_bias == 1u) { sum += weights[u.b + j]; }
                    if (u.has_residual == 1u) { sum += arena[u.r + i]; }
                    arena[u.y + i] = activate(u.activation, sum);", true, false, words)?;
                if let Some(norm) = norm {
                    self.norm(
                        rec,
                        norm,
                        Words {
                            x: words.y,
                            has_residual: second.is_some(),
                            activation: code(activation),
                            ..words
                        },
                    )?;
                }
                Ok(())
            }
            Work::Step(Kernel::LayerNorm { norm, activation }) => {
                let n = shape.width();
                self.norm(
                    rec,
                    norm,
                    Words {
                        rows,
                        n,
                        x,
                        y: self.at(node.result.expect("r")),
                        r: second.unwrap_or(0),
                        has_residual: second.is_some(),
                        activation: code(activation),
                        ..Words::default()
                    },
                )
            }
            Work::Step(Kernel::Op(Op::LinearInputGradient { weight })) => {
                self.input_gradient(rec, node, weight, Activation::None, rows)
            }
            Work::InputGradientThrough { weight, activation } => {
                self.input_gradient(rec, node, weight, activation, rows)
            }
            Work::Step(Kernel::Op(Op::LinearParameterGradient { weight, bias })) => {
                let (k, n) = (shape.width(), values.shape(node.operands[1]).width());
                let ids: Vec<ParameterId> = [Some(weight), bias].into_iter().flatten().collect();
                let words = Words {
                    rows,
                    k,
                    n,
                    x,
                    y: second.expect("dy"),
                    w: p(weight),
                    b: bias.map_or(0, p),
                    has_bias: bias.is_some(),
                    ..Words::default()
                };
                let mut words = self.slice_words(&ids, words);
                words.count = words.slices * (k + usize::from(bias.is_some())) * n;
                self.run(rec, "
                    let each = (u.k + u.has_bias) * u.n;
                    let slice = i / each; let k = (i % each) / u.n; let j = i % u.n;
                    let chunk = (u.rows + u.slices - 1u) / u.slices;
                    let end = min(u.rows, (slice + 1u) * chunk);
                    var sum = 0.0;
                    for (var row = slice * chunk; row < end; row++) {
                        var x = 1.0;
                        if (k < u.k) { x = arena[u.x + row * u.k + k]; }
                        sum += x * arena[u.y + row * u.n + j];
                    }
                    let base = (u.first_slice + slice) * u.slice_len;
                    if (k < u.k) { slices[base + u.w + k * u.n + j] = sum; } else { slices[base + u.b + j] = sum; }", false, true, words)
            }
            Work::Step(Kernel::Op(Op::ParameterGradient(id))) => {
                let n = shape.width();
                let mut words =
                    self.slice_words(&[id], Words { rows, n, y: x, w: p(id), ..Words::default() });
                words.count = words.slices * n;
                self.run(
                    rec,
                    "
                    let slice = i / u.n; let j = i % u.n;
                    let chunk = (u.rows + u.slices - 1u) / u.slices;
                    let end = min(u.rows, (slice + 1u) * chunk);
                    var sum = 0.0;
                    for (var row = slice * chunk; row < end; row++) { sum += arena[u.y + row * u.n + j]; }
                    slices[(u.first_slice + slice) * u.slice_len + u.w + j] = sum;",
                    false,
                    true,
                    words,
                )
            }
            Work::Step(Kernel::Op(Op::LayerNormGradient { scale, shift })) => {
                let n = shape.width();
                let words = Words {
                    rows,
                    n,
                    x,
                    r: second.expect("dy"),
                    y: self.at(node.result.expect("dx")),
                    w: p(scale),
                    b: p(shift),
                    ..Words::default()
                };
                let stats = format!("
                    var mean = 0.0; var squares = 0.0;
                    for (var j = 0u; j < u.n; j++) {{ mean += arena[u.x + row * u.n + j]; }}
                    mean /= f32(u.n);
                    for (var j = 0u; j < u.n; j++) {{ let d = arena[u.x + row * u.n + j] - mean; squares += d * d; }}
                    let scale = 1.0 / sqrt(squares / f32(u.n) + {LAYER_NORM_EPSILON:?});");
                self.run(rec, &format!("let row = i; {stats}
                    var a = 0.0; var b = 0.0;
                    for (var j = 0u; j < u.n; j++) {{
                        let g = arena[u.r + row * u.n + j] * weights[u.w + j];
                        a += g; b += g * (arena[u.x + row * u.n + j] - mean) * scale;
                    }}
                    a /= f32(u.n); b /= f32(u.n);
                    for (var j = 0u; j < u.n; j++) {{
                        let g = arena[u.r + row * u.n + j] * weights[u.w + j];
                        arena[u.y + row * u.n + j] = (g - a - (arena[u.x + row * u.n + j] - mean) * scale * b) * scale;
                    }}"), true, false, Words { count: rows, ..words })?;
                let mut words = self.slice_words(&[scale, shift], words);
                words.count = words.slices * n;
                self.run(
                    rec,
                    &format!(
                        "
                    let slice = i / u.n; let col = i % u.n;
                    let chunk = (u.rows + u.slices - 1u) / u.slices;
                    let end = min(u.rows, (slice + 1u) * chunk);
                    var dg = 0.0; var db = 0.0;
                    for (var row = slice * chunk; row < end; row++) {{ {stats}
                        let dy = arena[u.r + row * u.n + col];
                        dg += dy * (arena[u.x + row * u.n + col] - mean) * scale; db += dy;
                    }}
                    let base = (u.first_slice + slice) * u.slice_len;
                    slices[base + u.w + col] = dg; slices[base + u.b + col] = db;"
                    ),
                    false,
                    true,
                    words,
                )
            }
            _ => unreachable!("not a layer"),
        }
    }

    fn input_gradient(
        &self,
        rec: &mut Recorder,
        node: &Node,
        weight: ParameterId,
        activation: Activation,
        rows: usize,
    ) -> Result<(), GpuError> {
        let values = &self.network.values;
        let result = node.result.expect("dx");
        let (k, n) = (values.shape(result).width(), values.shape(node.operands[0]).width());
        let words = Words {
            count: rows * k,
            rows,
            k,
            n,
            x: self.at(node.operands[0]),
            y: self.at(result),
            r: node.operands.get(1).map_or(0, |&id| self.at(id)),
            w: self.network.parameters[weight.0],
            activation: code(activation),
            ..Words::default()
        };
        self.run(
            rec,
            "
            let row = i / u.k; let k = i % u.k; var sum = 0.0;
            for (var j = 0u; j < u.n; j++) { sum += arena[u.x + row * u.n + j] * weights[u.w + k * u.n + j]; }
            if (u.activation == 1u) { sum = select(0.0, sum, arena[u.r + i] > 0.0); }
            if (u.activation == 2u) { let y = arena[u.r + i]; sum *= 1.0 - y * y; }
            arena[u.y + i] = sum;",
            true,
            false,
            words,
        )
    }
}
