//! Scheduling: groups the steps of an execution plan into shaders and orders the shaders.
//!
//! Steps on narrow values (few elements along the last axis) are delayed until no other step can run, and then share
//! one shader. The loss of a learner and its gradient thereby become one shader, because they lie between the last
//! forward layer and the first backward layer.

use vivarium_graph::{PlanStep, Value};

use crate::emit::{NARROW, Origin, PlanValues};
use crate::error::GpuError;
use crate::ops::{Form, Reduction, form};

/// Kind of shader that computes a group of plan steps. If steps of several kinds are ready, the scheduler chooses the
/// variant that is declared first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShaderKind {
    /// Kernels of layers, such as matrix products or attention. All layers of a group have the same operation and are
    /// independent.
    Layer,
    /// Kernel of one reduction or softmax over wide lines (vectors along the last axis), with several invocations for
    /// each line.
    Reduction(Reduction),
    /// Generated shader of element-wise steps, with one invocation for each element.
    Elements,
    /// Generated shader of steps whose values have few columns, with one invocation for each line (vector along the
    /// last axis).
    Lines,
}

/// Steps of a plan that run together: in one generated shader, or as independent layers of the same kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShaderGroup {
    pub(crate) kind: ShaderKind,
    /// Indices of the group's steps in [`PlanValues::steps`], in topological order.
    pub(crate) steps: Vec<usize>,
}

/// Returns the kind of shader that computes a step.
///
/// # Errors
/// [`GpuError::Unsupported`] for an operation that this build lacks.
fn kind(values: &PlanValues, step: &PlanStep) -> Result<ShaderKind, GpuError> {
    let is_wide = |value: &Value| values.shape(*value).width() > NARROW;
    Ok(match form(&step.op) {
        Form::Layer(_) | Form::Product(_) => ShaderKind::Layer,
        Form::Scattered(_) => ShaderKind::Elements,
        Form::Reduction(reduction) if is_wide(&step.operands[0]) => ShaderKind::Reduction(reduction),
        Form::Reduction(_) | Form::Line(_) => ShaderKind::Lines,
        // A reshape does not preserve lines.
        Form::Reshape(_) if values.shape(step.operands[0]) != values.shape(step.results[0]) => {
            ShaderKind::Elements
        }
        Form::Inline(_) | Form::Pointwise(_) | Form::Reshape(_) | Form::Element(_)
            if step.results.iter().any(is_wide) =>
        {
            ShaderKind::Elements
        }
        // A slice may have a wide operand, but reads few of its columns.
        Form::Inline(_) | Form::Pointwise(_) | Form::Reshape(_) | Form::Element(_) => ShaderKind::Lines,
        Form::Unsupported => return Err(GpuError::Unsupported { operation: step.op.name() }),
    })
}

/// Returns whether shaders of the kind `kind` compute inline values (values without operands) themselves instead of
/// loading them from memory.
pub(super) fn writes_sources(kind: ShaderKind) -> bool {
    matches!(kind, ShaderKind::Elements | ShaderKind::Lines)
}

/// Returns whether each element of a step's result depends only on the same element of `operand`. A shader with one
/// invocation for each element can then compute both the operand and the result.
fn reads_in_place(values: &PlanValues, step: &PlanStep, operand: Value) -> bool {
    matches!(form(&step.op), Form::Pointwise(_) | Form::Reshape(_))
        && step.results.iter().all(|&result| values.shape(result) == values.shape(operand))
}

/// Returns whether the matrix products of the steps `a` and `b` can share a dispatch of one shader. Example: equal
/// layers of separate policy and value networks.
fn are_alike(values: &PlanValues, a: &PlanStep, b: &PlanStep) -> bool {
    let (Form::Product(first), Form::Product(second)) = (form(&a.op), form(&b.op)) else { return false };
    let lines = |step: &PlanStep| values.shape(step.operands[0]).lines();
    // Two sums into the same parameter must run one after the other.
    let written = second.sums_into();
    std::mem::discriminant(&a.op) == std::mem::discriminant(&b.op)
        && lines(a) == lines(b)
        && a.epilogue.parts() == b.epilogue.parts()
        && first.sums_into().iter().all(|id| id.is_none() || !written.contains(id))
}

/// Groups the steps of an execution plan into shaders, and returns the groups in execution order.
///
/// # Errors
/// [`GpuError::Unsupported`] for an operation that this build lacks.
pub(crate) fn schedule(values: &PlanValues) -> Result<Vec<ShaderGroup>, GpuError> {
    let mut scheduler = Scheduler::new(values)?;
    let mut groups = Vec::new();
    while let Some(group) = scheduler.next() {
        groups.push(group);
    }
    debug_assert!(
        scheduler.waiting.iter().all(|waiting| !waiting),
        "every step must belong to a shader group"
    );
    Ok(groups)
}

struct Scheduler<'a> {
    values: &'a PlanValues,
    kinds: Vec<ShaderKind>,
    /// By step index: whether the step still has to be assigned to a shader group.
    waiting: Vec<bool>,
    /// By value index: whether the value is in memory, as an input or as the result of an earlier shader group.
    done: Vec<bool>,
}

impl<'a> Scheduler<'a> {
    fn new(values: &'a PlanValues) -> Result<Self, GpuError> {
        let steps = values.steps();
        let kinds = steps.iter().map(|step| kind(values, step)).collect::<Result<Vec<_>, _>>()?;
        let mut done = vec![false; values.len()];
        for operand in steps.iter().flat_map(PlanStep::reads) {
            done[operand.index()] = matches!(values.origin(operand), Origin::Input(_));
        }
        // Inline values are stored only if a shader needs them in memory.
        let waiting = steps.iter().map(|step| {
            let source = step.results.first().filter(|&&result| values.source(result).is_some());
            source.is_none_or(|result| {
                let mut readers =
                    steps.iter().zip(&kinds).filter(|(reader, _)| reader.reads().any(|read| read == *result));
                values.output(*result).is_some() || readers.any(|(_, &kind)| !writes_sources(kind))
            })
        });
        Ok(Self { values, waiting: waiting.collect(), kinds, done })
    }

    /// Returns whether all operands of the step with index `position` are available to a shader that also computes the
    /// steps of `group` (step indices).
    fn is_ready(&self, position: usize, group: &[usize]) -> bool {
        let (step, kind) = (&self.values.steps()[position], self.kinds[position]);
        step.reads().all(|operand| {
            if self.done[operand.index()] || (writes_sources(kind) && self.values.source(operand).is_some()) {
                return true;
            }
            let Origin::Step(maker) = self.values.origin(operand) else { return false };
            // A shader by line has all columns of a line in registers, a shader by element a single element.
            group.contains(&maker)
                && (kind == ShaderKind::Lines || reads_in_place(self.values, step, operand))
        })
    }

    /// Returns the next shader group in execution order, or `None` if all steps are scheduled.
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

    /// Returns whether the results of two steps of the same kind have shapes that can share a shader: equal numbers of
    /// lines (vectors along the last axis) and, for element-wise steps, equal widths.
    fn same_cut(&self, a: usize, b: usize) -> bool {
        let shape = |position: usize| {
            self.values.steps()[position].results.first().map(|&result| self.values.shape(result))
        };
        let (Some(a_shape), Some(b_shape)) = (shape(a), shape(b)) else { return false };
        let same_width = self.kinds[a] == ShaderKind::Lines || a_shape.width() == b_shape.width();
        a_shape.lines() == b_shape.lines() && same_width
    }
}
