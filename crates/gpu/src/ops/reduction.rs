//! Reductions and softmax over lines (vectors along the last axis): in registers, or with several invocations for each
//! wide line.

use vivarium_graph::PlanStep;

use crate::builder::Shader;
use crate::emit::{ElementOperands, LayerRecorder, LineShader};
use crate::error::GpuError;
use crate::math::math_wgsl;
use crate::program::dispatch_size;
use crate::wgsl::TreeReduction;

/// Operation over a line (vector along the last axis): softmax, log-softmax, their gradients, or a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reduction {
    Softmax,
    LogSoftmax,
    Sum,
    SoftmaxGradient,
    LogSoftmaxGradient,
}

/// Number of invocations in a workgroup of the kernel that reduces wide lines.
const THREADS: usize = 256;

impl Reduction {
    /// Appends to a shader the WGSL of a reduction over lines (vectors along the last axis) whose elements fit in
    /// registers.
    pub(crate) fn lines(self, step: &PlanStep, lines: &mut LineShader<'_>) {
        let (result, id) = (step.results[0], step.results[0].index());
        let x = lines.columns(step.operands[0]);
        let largest = |lines: &mut LineShader<'_>, x: &[String]| {
            let largest = fold(x, |largest, x| format!("max({largest}, {x})"));
            lines.text().name(format!("m{id}"), &largest)
        };
        let total = |lines: &mut LineShader<'_>, total: &str| lines.text().name(format!("s{id}"), total);
        let columns: Vec<String> = match self {
            Reduction::Sum => vec![sum(&x)],
            Reduction::LogSoftmax => {
                let largest = largest(lines, &x);
                let powers: Vec<String> = x.iter().map(|x| format!("safe_exp({x} - {largest})")).collect();
                let total = total(lines, &format!("log({})", sum(&powers)));
                x.iter().map(|x| format!("{x} - {largest} - {total}")).collect()
            }
            Reduction::Softmax => {
                let largest = largest(lines, &x);
                let power = |(c, x): (usize, &String)| {
                    lines.text().name(format!("e{id}_{c}"), &format!("safe_exp({x} - {largest})"))
                };
                let powers: Vec<String> = x.iter().enumerate().map(power).collect();
                let total = total(lines, &sum(&powers));
                powers.iter().map(|power| format!("{power} / ({total})")).collect()
            }
            Reduction::SoftmaxGradient => {
                let dy = lines.columns(step.operands[1]);
                let products: Vec<String> = x.iter().zip(&dy).map(|(y, dy)| format!("{y} * {dy}")).collect();
                let dot = total(lines, &sum(&products));
                x.iter().zip(&dy).map(|(y, dy)| format!("{y} * ({dy} - {dot})")).collect()
            }
            Reduction::LogSoftmaxGradient => {
                let dy = lines.columns(step.operands[1]);
                let total = total(lines, &sum(&dy));
                x.iter().zip(&dy).map(|(y, dy)| format!("{dy} - safe_exp({y}) * {total}")).collect()
            }
        };
        lines.define(result, &columns);
    }

    /// Records the kernel of a reduction over lines (vectors along the last axis) that are too wide for registers.
    pub(crate) fn record(self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (lines, width) = (layers.lines(step), layers.width(step.operands[0]));
        // At least two elements per invocation: a reduction step costs as much as several loads.
        let lanes = (width / 2).next_power_of_two().min(THREADS);
        let tree = |name, join| {
            TreeReduction { name, element: "f32", threads: THREADS, lanes, stride: 1, join }.wgsl()
        };
        let a = layers.value(step.operands[0]);
        let y = layers.value(step.results[0]);
        let is_gradient = matches!(self, Reduction::SoftmaxGradient | Reduction::LogSoftmaxGradient);
        let trees = [tree("total", "a + b"), tree("largest", "max(a, b)")].concat();
        Shader::own("reduction", &[math_wgsl(), &trees, crate::shader!("reduction.wgsl")])
            .constants([("LANES", lanes), ("THREADS", THREADS)])
            .constants([
                ("SUM", self == Reduction::Sum),
                ("SOFTMAX", matches!(self, Reduction::Softmax | Reduction::LogSoftmax)),
                ("GRADIENT", is_gradient),
                ("LOG", matches!(self, Reduction::LogSoftmax | Reduction::LogSoftmaxGradient)),
            ])
            .buffers([("arena", layers.arena)])
            .uniforms([("lines", lines), ("width", width), ("a", a), ("y", y)])
            .uniforms(is_gradient.then(|| ("b", layers.value(step.operands[1]))))
            .record(layers.recorder, dispatch_size(lines.div_ceil(THREADS / lanes)))
    }
}

/// Combines the names of WGSL variables to one expression, from left to right. `join` returns the WGSL that combines
/// the expression so far and the next name.
fn fold(names: &[String], join: impl Fn(String, &String) -> String) -> String {
    let (first, rest) = names.split_first().expect("a line has at least one element");
    rest.iter().fold(first.clone(), join)
}

fn sum(terms: &[String]) -> String {
    fold(terms, |sum, term| format!("{sum} + {term}"))
}
