//! Operations on wide lines that look at all of a line's numbers: several invocations a line.

use vivarium_graph::Step;

use crate::emit::Layers;
use crate::error::GpuError;
use crate::math::MATH_WGSL;
use crate::program::spread;
use crate::wgsl::{Tree, fill};

/// Which operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reduction {
    Softmax,
    LogSoftmax,
    Sum,
    SoftmaxGradient,
    LogSoftmaxGradient,
}

/// Invocations of a workgroup.
const THREADS: usize = 256;

impl Reduction {
    /// What an invocation does with its share of a line.
    fn body(self) -> &'static str {
        match self {
            Reduction::Sum => crate::shader!("reduction_sum.wgsl"),
            Reduction::Softmax | Reduction::LogSoftmax => crate::shader!("reduction_softmax.wgsl"),
            Reduction::SoftmaxGradient | Reduction::LogSoftmaxGradient => {
                crate::shader!("reduction_gradient.wgsl")
            }
        }
    }

    /// The term of the sum, and the result: of a softmax or its gradient, or of the logarithm.
    fn expressions(self) -> [&'static str; 2] {
        match self {
            Reduction::Sum => ["", ""],
            Reduction::Softmax => ["", "safe_exp(x - top) / sum"],
            Reduction::LogSoftmax => ["", "(x - top) - log_sum"],
            Reduction::SoftmaxGradient => ["dy * y", "y * (dy - sum)"],
            Reduction::LogSoftmaxGradient => ["dy", "dy - safe_exp(y) * sum"],
        }
    }

    /// Records the shader of a step.
    pub(crate) fn record(self, layers: &mut Layers<'_>, step: &Step) -> Result<(), GpuError> {
        let (lines, width) = (layers.lines(step), layers.width(step.operands[0]));
        // Two numbers an invocation at least: to add up takes as long as to read several.
        let lanes = (width / 2).next_power_of_two().min(THREADS);
        let tree =
            |name, join| Tree { name, element: "f32", threads: THREADS, lanes, stride: 1, join }.wgsl();
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
        let groups = spread(lines.div_ceil(THREADS / lanes));
        layers.recorder.run("reduction", &[&text], &[layers.arena], &words, groups)
    }
}
