//! The reference: a graph evaluated operation by operation in f64, slowly and readably.
//!
//! Every engine is tested against it, and gradients against its finite differences. It knows nothing of fusion, memory
//! or SIMD, and evaluates the operations that people write, not those that gradients are made of.

use crate::graph::{Graph, Node, ParameterId, Value};
use crate::op::{Binary, LAYER_NORM_EPSILON, Op, Unary};
use crate::shape::Shape;

/// The values `wanted` for `rows` rows, each row-major; parameters are in the layout of [`crate::Parameters::flat`].
///
/// # Panics
/// If a value depends on an operation that only gradients use, or a slice is too short.
pub fn evaluate(
    graph: &Graph,
    parameters: &[f64],
    rows: usize,
    inputs: &[&[f64]],
    wanted: &[Value],
) -> Vec<Vec<f64>> {
    let mut needed = vec![false; graph.nodes().len()];
    for value in wanted {
        needed[value.index()] = true;
    }
    for (index, node) in graph.nodes().iter().enumerate().rev() {
        if needed[index] {
            node.operands.iter().for_each(|operand| needed[operand.index()] = true);
        }
    }
    let mut values: Vec<Vec<f64>> = Vec::with_capacity(needed.len());
    for (index, node) in graph.nodes().iter().enumerate() {
        let parameter = |id: ParameterId| &parameters[graph.parameters()[id.0].range()];
        values.push(if needed[index] {
            let operands: Vec<Lines<'_>> = node
                .operands
                .iter()
                .map(|&operand| Lines {
                    numbers: &values[operand.index()],
                    width: graph.shape(operand).width(),
                })
                .collect();
            node_value(node, rows, inputs, &operands, &parameter)
        } else {
            Vec::new()
        });
    }
    wanted.iter().map(|value| values[value.index()].clone()).collect()
}

/// An operand: lines of equal width.
struct Lines<'a> {
    numbers: &'a [f64],
    width: usize,
}

impl Lines<'_> {
    fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.numbers.chunks_exact(self.width)
    }

    /// The number in the column of a line, where a width of 1 stands for all columns.
    fn at(&self, line: usize, column: usize) -> f64 {
        self.numbers[line * self.width + column.min(self.width - 1)]
    }
}

fn node_value<'a>(
    node: &Node,
    rows: usize,
    inputs: &[&[f64]],
    operands: &[Lines<'_>],
    parameter: &impl Fn(ParameterId) -> &'a [f64],
) -> Vec<f64> {
    let shape = node.shape.unwrap_or(Shape::SCALAR);
    let (lines, width) = (rows * shape.lines(), shape.width());
    let per_line = |f: &dyn Fn(&[f64]) -> Vec<f64>| operands[0].iter().flat_map(f).collect();
    match node.op {
        Op::Input(id) => inputs[id.0][..lines * width].to_vec(),
        Op::Setting(id) => vec![inputs[id.0][0]; rows],
        Op::Constant(number) => vec![f64::from(number); rows],
        Op::Parameter(id) => parameter(id).repeat(rows),
        Op::Linear { weight, bias } => per_line(&|x| {
            let column = |j: usize| {
                let product: f64 =
                    x.iter().zip(parameter(weight)[j..].iter().step_by(width)).map(|(x, w)| x * w).sum();
                product + bias.map_or(0.0, |bias| parameter(bias)[j])
            };
            (0..width).map(column).collect()
        }),
        Op::LinearTransposed { weight } => per_line(&|x| {
            let dot = |row: &[f64]| row.iter().zip(x).map(|(w, x)| w * x).sum();
            parameter(weight).chunks_exact(x.len()).map(dot).collect()
        }),
        Op::Attention { heads } => {
            let qkv = operands[0].numbers.chunks_exact(shape.lines() * operands[0].width);
            qkv.flat_map(|qkv| attention(qkv, shape.lines(), heads)).collect()
        }
        Op::HeadLoss { weight } => {
            let loss = |(x, &target): (&[f64], &f64)| {
                let dot = |row: &[f64]| row.iter().zip(x).map(|(w, x)| w * x).sum();
                let logs = log_softmax(&parameter(weight).chunks_exact(x.len()).map(dot).collect::<Vec<_>>());
                -logs[(target as usize).min(logs.len() - 1)]
            };
            operands[0].iter().zip(operands[1].numbers).map(loss).collect()
        }
        Op::Embedding { table } => per_line(&|indices| {
            let rows: Vec<&[f64]> = parameter(table).chunks_exact(width).collect();
            let row = |&index: &f64| rows[(index as usize).min(rows.len() - 1)];
            (0..width).map(|j| indices.iter().map(|index| row(index)[j]).sum()).collect()
        }),
        Op::LayerNorm { scale, shift } => per_line(&|x| {
            let mean = x.iter().sum::<f64>() / width as f64;
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
            let normal = x.iter().map(|x| (x - mean) / (variance + f64::from(LAYER_NORM_EPSILON)).sqrt());
            normal.zip(parameter(scale)).zip(parameter(shift)).map(|((x, g), b)| x * g + b).collect()
        }),
        Op::Unary(function) => operands[0].numbers.iter().map(|&x| unary(function, x)).collect(),
        Op::Binary(function) => {
            let pair = |i: usize| {
                let (line, column) = (i / width, i % width);
                binary(function, operands[0].at(line, column), operands[1].at(line, column))
            };
            (0..lines * width).map(pair).collect()
        }
        Op::Select => (0..lines * width)
            .map(|i| operands[if operands[0].numbers[i] > 0.0 { 1 } else { 2 }].numbers[i])
            .collect(),
        Op::Softmax => per_line(&|x| log_softmax(x).into_iter().map(f64::exp).collect()),
        Op::LogSoftmax => per_line(&log_softmax),
        Op::Gather => {
            let picked = operands[0].iter().zip(operands[1].numbers);
            picked.map(|(line, &index)| line[(index as usize).min(line.len() - 1)]).collect()
        }
        Op::Sum => per_line(&|x| vec![x.iter().sum()]),
        Op::Repeat(n) => per_line(&|x| x.repeat(n)),
        Op::Concat => operands[0].iter().zip(operands[1].iter()).flat_map(|(a, b)| [a, b].concat()).collect(),
        Op::Slice { start, width } => per_line(&|x| x[start..start + width].to_vec()),
        Op::StopGradient | Op::Reshape(_) => operands[0].numbers.to_vec(),
        _ => {
            panic!("{} is an operation of gradients; the reference takes differences instead", node.op.name())
        }
    }
}

/// Causal attention over one sequence: each token's values of all heads, then the log-sum of each head's scores.
fn attention(qkv: &[f64], tokens: usize, heads: usize) -> Vec<f64> {
    let width = qkv.len() / tokens / 3;
    let head_width = width / heads;
    let of = |token: usize, part: usize, head: usize| {
        &qkv[token * 3 * width + part * width + head * head_width..][..head_width]
    };
    let mut result = Vec::new();
    for i in 0..tokens {
        let mut log_sums = Vec::new();
        for head in 0..heads {
            let dot = |j: usize| of(i, 0, head).iter().zip(of(j, 1, head)).map(|(q, k)| q * k).sum::<f64>();
            let scores: Vec<f64> = (0..=i).map(|j| dot(j) / (head_width as f64).sqrt()).collect();
            let logs = log_softmax(&scores);
            let weighted =
                |c: usize| logs.iter().enumerate().map(|(j, log)| log.exp() * of(j, 2, head)[c]).sum();
            result.extend((0..head_width).map(weighted).collect::<Vec<f64>>());
            log_sums.push(scores[0] - logs[0]);
        }
        result.extend(log_sums);
    }
    result
}

fn unary(function: Unary, x: f64) -> f64 {
    match function {
        Unary::Relu => x.max(0.0),
        Unary::Tanh => x.tanh(),
        Unary::Gelu => {
            0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
        }
        Unary::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        Unary::Exp => x.exp(),
        Unary::Ln => x.ln(),
        Unary::Square => x * x,
        Unary::Sqrt => x.sqrt(),
        Unary::Abs => x.abs(),
        Unary::Scale(c) => x * f64::from(c),
        Unary::Offset(c) => x + f64::from(c),
        Unary::Clamp(low, high) => x.clamp(low.into(), high.into()),
    }
}

fn binary(function: Binary, a: f64, b: f64) -> f64 {
    match function {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Less => f64::from(a < b),
        Binary::LessEqual => f64::from(a <= b),
    }
}

fn log_softmax(x: &[f64]) -> Vec<f64> {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = x.iter().map(|x| (x - largest).exp()).sum::<f64>().ln();
    x.iter().map(|x| x - largest - log_sum).collect()
}
