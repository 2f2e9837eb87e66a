//! Scheduling: groups the steps of an execution plan into shaders and orders the shaders.
//!
//! Steps on narrow lines are delayed until no other step can run, and then share one shader. The loss of a learner and
//! its gradient thereby become one shader, because no layer runs between the last forward layer and the first backward
//! layer.

use vivarium_graph::{GradientOp, Op, PlanStep, Value};

use crate::emit::{NARROW, Origin, PlanValues};
use crate::ops::{Lowering, Reduction};

/// Parallelization of a shader. If steps of several kinds are ready, the scheduler prefers earlier variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShaderKind {
    /// Independent layers of the same kind, or independent layer gradients of the same kind.
    Layer,
    /// A reduction or softmax over wide lines: a single step, with several invocations for each line.
    Reduction(Reduction),
    /// Element-wise steps: one invocation for each element.
    Elements,
    /// Steps on lines: one invocation for each line.
    Lines,
}

/// Steps that share a shader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShaderGroup {
    pub(crate) kind: ShaderKind,
    /// Positions in [`PlanValues::steps`], in topological order.
    pub(crate) steps: Vec<usize>,
}

/// Returns the kind of shader for a step.
fn kind(values: &PlanValues, lowerings: &[Lowering], position: usize) -> ShaderKind {
    let step = &values.steps()[position];
    let is_wide = |value: &Value| values.shape(*value).width() > NARROW;
    match &lowerings[position] {
        Lowering::Layer(_) => ShaderKind::Layer,
        Lowering::Scattered(_) => ShaderKind::Elements,
        Lowering::Line(_, Some(reduction)) if is_wide(&step.operands[0]) => ShaderKind::Reduction(*reduction),
        Lowering::Line(..) => ShaderKind::Lines,
        // A reshape does not preserve lines.
        Lowering::Point(_) if values.is_reshaped(step) || step.results.iter().any(is_wide) => {
            ShaderKind::Elements
        }
        // A slice may have a wide operand, but reads few of its columns.
        Lowering::Point(_) => ShaderKind::Lines,
    }
}

/// Returns whether shaders of this kind compute inline values themselves instead of loading them from memory.
pub(super) fn writes_sources(kind: ShaderKind) -> bool {
    matches!(kind, ShaderKind::Elements | ShaderKind::Lines)
}

/// Returns whether each element of a step's result depends only on the same element of `operand`.
fn reads_in_place(values: &PlanValues, step: &PlanStep, operand: Value) -> bool {
    let is_pointwise = match step.op {
        Op::Unary(_) | Op::Binary(_) | Op::Select | Op::Reshape(_) | Op::StopGradient => true,
        Op::Gradient(GradientOp::Unary(_)) => true,
        // Each element of the result reads the same element of the log-softmax, but index and weight of the line.
        Op::Gradient(GradientOp::CrossEntropy) => step.operands[..2].iter().all(|&value| value != operand),
        _ => false,
    };
    is_pointwise && step.results.iter().all(|&result| values.shape(result) == values.shape(operand))
}

/// Returns whether one shader can compute the layers of both steps, such as equal layers of separate policy and value
/// networks.
fn are_alike(values: &PlanValues, a: &PlanStep, b: &PlanStep) -> bool {
    let lines = |step: &PlanStep| values.shape(step.operands[0]).lines();
    if lines(a) != lines(b) || a.operands.len() != b.operands.len() {
        return false;
    }
    match (a.op, b.op) {
        (Op::Linear { bias, .. }, Op::Linear { bias: b_bias, .. }) => {
            let parts =
                |step: &PlanStep, bias: bool| (bias, step.epilogue.norm.is_some(), step.epilogue.activation);
            parts(a, bias.is_some()) == parts(b, b_bias.is_some())
        }
        (Op::LinearTransposed { .. }, Op::LinearTransposed { .. }) => a.epilogue == b.epilogue,
        (
            Op::Gradient(GradientOp::Linear { weight, bias }),
            Op::Gradient(GradientOp::Linear { weight: b_weight, bias: b_bias }),
        ) => {
            // Two sums into the same parameter must run one after the other.
            let shared = weight == b_weight || (bias.is_some() && bias == b_bias);
            bias.is_some() == b_bias.is_some() && !shared
        }
        _ => false,
    }
}

/// Groups the steps of an execution plan into shaders, and returns the groups in execution order.
pub(crate) fn schedule(values: &PlanValues, lowerings: &[Lowering]) -> Vec<ShaderGroup> {
    let mut scheduler = Scheduler::new(values, lowerings);
    let mut groups = Vec::new();
    while let Some(group) = scheduler.next() {
        groups.push(group);
    }
    debug_assert!(scheduler.waiting.iter().all(|waiting| !waiting), "every step can be computed");
    groups
}

struct Scheduler<'a> {
    values: &'a PlanValues,
    kinds: Vec<ShaderKind>,
    /// Whether each step remains to be scheduled, by step index.
    waiting: Vec<bool>,
    /// Whether each value is in memory, by value index.
    done: Vec<bool>,
}

impl<'a> Scheduler<'a> {
    fn new(values: &'a PlanValues, lowerings: &[Lowering]) -> Self {
        let steps = values.steps();
        let kinds: Vec<ShaderKind> =
            (0..steps.len()).map(|position| kind(values, lowerings, position)).collect();
        let mut done = vec![false; values.len()];
        for operand in steps.iter().flat_map(|step| &step.operands) {
            done[operand.index()] = matches!(values.origin(*operand), Origin::Input(_));
        }
        // Inline values are stored only if a shader needs them in memory.
        let waiting = steps.iter().map(|step| {
            let source = step.results.first().filter(|&&result| values.source(result).is_some());
            source.is_none_or(|result| {
                let mut readers =
                    steps.iter().zip(&kinds).filter(|(reader, _)| reader.operands.contains(result));
                values.output(*result).is_some() || readers.any(|(_, &kind)| !writes_sources(kind))
            })
        });
        Self { values, waiting: waiting.collect(), kinds, done }
    }

    /// Returns whether all operands of a step are available to a shader that also computes the steps of `group`.
    fn is_ready(&self, position: usize, group: &[usize]) -> bool {
        let (step, kind) = (&self.values.steps()[position], self.kinds[position]);
        step.operands.iter().all(|&operand| {
            if self.done[operand.index()] || (writes_sources(kind) && self.values.source(operand).is_some()) {
                return true;
            }
            let Origin::Step(maker) = self.values.origin(operand) else { return false };
            // A shader by line has all columns of a line in registers, a shader by element a single element.
            group.contains(&maker)
                && (kind == ShaderKind::Lines || reads_in_place(self.values, step, operand))
        })
    }

    /// Returns the next group, or `None` if all steps are scheduled.
    fn next(&mut self) -> Option<ShaderGroup> {
        let ready = (0..self.waiting.len()).filter(|&step| self.waiting[step] && self.is_ready(step, &[]));
        let first = ready.min_by_key(|&step| (self.kinds[step], step))?;
        let kind = self.kinds[first];
        let mut group = vec![first];
        let steps = self.values.steps();
        for step in first + 1..self.waiting.len() {
            if !self.waiting[step] || self.kinds[step] != kind {
                continue;
            }
            let joins = match kind {
                ShaderKind::Reduction(_) => false,
                ShaderKind::Layer => {
                    let are_alike = |&other: &usize| are_alike(self.values, &steps[other], &steps[step]);
                    group.iter().all(are_alike) && self.is_ready(step, &[])
                }
                ShaderKind::Elements | ShaderKind::Lines => {
                    self.same_cut(first, step) && self.is_ready(step, &group)
                }
            };
            if joins {
                group.push(step);
            }
        }
        for &step in &group {
            self.waiting[step] = false;
            steps[step].results.iter().for_each(|result| self.done[result.index()] = true);
        }
        Some(ShaderGroup { kind, steps: group })
    }

    /// Returns whether two steps of the same kind can share a shader: equal numbers of lines and, for element-wise
    /// steps, equal widths.
    fn same_cut(&self, a: usize, b: usize) -> bool {
        let shape = |position: usize| {
            self.values.steps()[position].results.first().map(|&result| self.values.shape(result))
        };
        let (Some(a_shape), Some(b_shape)) = (shape(a), shape(b)) else { return false };
        let same_width = self.kinds[a] == ShaderKind::Lines || a_shape.width() == b_shape.width();
        a_shape.lines() == b_shape.lines() && same_width
    }
}
