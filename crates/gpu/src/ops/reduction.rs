//! Reductions and softmax over wide lines, with several invocations for each line.

use vivarium_graph::PlanStep;

use crate::emit::LayerRecorder;
use crate::error::GpuError;
use crate::math::MATH_WGSL;
use crate::program::dispatch_size;
use crate::wgsl::{TreeReduction, fill};

/// Operation over a wide line: softmax, log-softmax, their gradients, or a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reduction {
    Softmax,
    LogSoftmax,
    Sum,
    SoftmaxGradient,
    LogSoftmaxGradient,
}

/// Number of invocations in a workgroup.
const THREADS: usize = 256;

impl Reduction {
    /// Returns the WGSL that processes an invocation's part of a line.
    fn body(self) -> &'static str {
        match self {
            Reduction::Sum => crate::shader!("reduction_sum.wgsl"),
            Reduction::Softmax | Reduction::LogSoftmax => crate::shader!("reduction_softmax.wgsl"),
            Reduction::SoftmaxGradient | Reduction::LogSoftmaxGradient => {
                crate::shader!("reduction_gradient.wgsl")
            }
        }
    }

    /// Returns the WGSL expressions of the summand and of the result.
    fn expressions(self) -> [&'static str; 2] {
        match self {
            Reduction::Sum => ["", ""],
            Reduction::Softmax => ["", "safe_exp(x - top) / sum"],
            Reduction::LogSoftmax => ["", "(x - top) - log_sum"],
            Reduction::SoftmaxGradient => ["dy * y", "y * (dy - sum)"],
            Reduction::LogSoftmaxGradient => ["dy", "dy - safe_exp(y) * sum"],
        }
    }

    /// Records the dispatch of a step.
    pub(crate) fn record(self, layers: &mut LayerRecorder<'_>, step: &PlanStep) -> Result<(), GpuError> {
        let (lines, width) = (layers.lines(step), layers.width(step.operands[0]));
        // At least two elements per invocation: a reduction step costs as much as several loads.
        let lanes = (width / 2).next_power_of_two().min(THREADS);
        let tree = |name, join| {
            TreeReduction { name, element: "f32", threads: THREADS, lanes, stride: 1, join }.wgsl()
        };
        let [term, result] = self.expressions();
        let body = fill(self.body(), &[("$TERM", term), ("$RESULT", result)]);
        let text = fill(
            crate::shader!("reduction.wgsl"),
            &[
                ("$LANES", &lanes.to_string()),
                ("$THREADS", &THREADS.to_string()),
                (
                    "$TREES",
                    &[tree("total", "a + b"), tree("largest", "max(a, b)"), MATH_WGSL.to_owned()].concat(),
                ),
                ("$BODY", &body),
            ],
        );
        let a = layers.value(step.operands[0]);
        let b = step.operands.get(1).map_or(a, |&value| layers.value(value));
        let y = layers.value(step.results[0]);
        let words = [("lines", lines), ("width", width), ("a", a), ("b", b), ("y", y)];
        let groups = dispatch_size(lines.div_ceil(THREADS / lanes));
        layers.recorder.run("reduction", &[&text], &[layers.arena], &words, groups)
    }
}
