//! Reductions and softmax over lines (vectors along the last axis): in registers, or with several invocations for each
//! wide line.

use vivarium_graph::PlanStep;

use crate::builder::Shader;
use crate::emit::{ElementOperands, LayerRecorder, LineShader};
use crate::error::GpuError;
use crate::math::math_wgsl;
use crate::program::dispatch_size;
use crate::template::expression;
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

/// WGSL expressions of a reduction over a line (vector along the last axis), as templates. Each result element is a
/// function of the line's elements and of one total over the line.
///
/// `$x` is an element of the first operand, `$dy` the same element of the second one, `$top` the maximum of the line.
struct LineFormulas {
    /// Term of an element in the sum over the line.
    term: &'static str,
    /// Total of the line, computed from the sum `$sum` of the terms.
    total: &'static str,
    /// Element of the result, computed from `$total` and the element's term `$term`.
    element: &'static str,
}

impl Reduction {
    fn formulas(self) -> LineFormulas {
        let formulas = |term, total, element| LineFormulas { term, total, element };
        match self {
            Reduction::Sum => formulas("$x", "$sum", "$total"),
            Reduction::Softmax => formulas("safe_exp($x - $top)", "$sum", "$term / $total"),
            Reduction::LogSoftmax => formulas("safe_exp($x - $top)", "log($sum)", "$x - $top - $total"),
            Reduction::SoftmaxGradient => formulas("$x * $dy", "$sum", "$x * ($dy - $total)"),
            Reduction::LogSoftmaxGradient => formulas("$dy", "$sum", "$dy - safe_exp($x) * $total"),
        }
    }

    /// Returns whether the formulas read the maximum of the line.
    fn is_centered(self) -> bool {
        self.formulas().term.contains("$top")
    }

    /// Appends to a shader the WGSL of a reduction over lines (vectors along the last axis) whose elements fit in
    /// registers.
    pub(crate) fn lines(self, step: &PlanStep, lines: &mut LineShader<'_>) {
        let (result, id) = (step.results[0], step.results[0].index());
        let LineFormulas { term, total, element } = self.formulas();
        let x = lines.columns(step.operands[0]);
        let dy = step.operands.get(1).map(|&dy| lines.columns(dy));
        let mut known = Vec::new();
        let top;
        if self.is_centered() {
            let largest = fold(&x, |largest, x| format!("max({largest}, {x})"));
            top = lines.text().name(format!("m{id}"), &largest);
            known.push(("top", top.as_str()));
        }
        let at = |column: usize| {
            let dy = dy.as_ref().map(|dy| ("dy", dy[column].as_str()));
            [Some(("x", x[column].as_str())), dy].into_iter().flatten()
        };
        let terms: Vec<String> = (0..x.len())
            .map(|column| {
                let values: Vec<_> = at(column).chain(known.iter().copied()).collect();
                lines.text().name(format!("t{id}_{column}"), &expression(term, &values))
            })
            .collect();
        let sum = fold(&terms, |sum, term| format!("{sum} + {term}"));
        let total = lines.text().name(format!("s{id}"), &expression(total, &[("sum", &sum)]));
        known.push(("total", &total));
        let columns: Vec<String> = (0..lines.width(result))
            .map(|column| {
                let values =
                    at(column).chain(known.iter().copied()).chain([("term", terms[column].as_str())]);
                expression(element, &values.collect::<Vec<_>>())
            })
            .collect();
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
        let trees = [tree("sum_of_lanes", "a + b"), tree("largest", "max(a, b)")].concat();
        let LineFormulas { term, total, element } = self.formulas();
        // The kernel's variables have the names of the values in the formulas.
        let names = ["x", "dy", "top", "sum", "total"].map(|name| (name, name));
        let term = expression(term, &names);
        let total = expression(total, &names);
        let element = expression(element, &[&names[..], &[("term", &term)]].concat());
        let dy = step.operands.get(1).map(|&dy| layers.value(dy));
        Shader::own("reduction", &[math_wgsl(), &trees, crate::shader!("reduction.wgsl")])
            .constants([("LANES", lanes), ("THREADS", THREADS)])
            .constants([("CENTERED", self.is_centered()), ("GRADIENT", dy.is_some())])
            .constants([("TERM", term), ("TOTAL", total), ("ELEMENT", element)])
            .buffers([("arena", layers.arena)])
            .uniforms([("lines", lines), ("width", width), ("columns", layers.width(step.results[0]))])
            .uniforms([("a", layers.value(step.operands[0])), ("y", layers.value(step.results[0]))])
            .uniforms(dy.map(|dy| ("b", dy)))
            .record(layers.recorder, dispatch_size(lines.div_ceil(THREADS / lanes)))
    }
}

/// Combines the names of WGSL variables to one expression, from left to right. `join` returns the WGSL that combines
/// the expression so far and the next name.
fn fold(names: &[String], join: impl Fn(String, &String) -> String) -> String {
    let (first, rest) = names.split_first().expect("a line has at least one element");
    rest.iter().fold(first.clone(), join)
}
