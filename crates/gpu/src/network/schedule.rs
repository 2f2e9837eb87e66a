//! Which steps share a shader, and in which order the shaders run.
//!
//! Everything that works on single lines of few numbers waits until nothing else can run, and then runs together: the loss
//! of a learner and its whole gradient become one shader, for between the last layer forward and the first one backward
//! there is nothing else.

use vivarium_graph::{GradientOp, Op, Step, Value};

use crate::emit::{NARROW, Origin, Values};
use crate::ops::{Form, Reduction};

/// How a shader goes about its steps. Those that come first run first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Layers with parameters, or gradients of such, that are alike and do not wait for each other.
    Layer,
    /// A wide line to one number or through all of its numbers: a step by itself, with several invocations a line.
    Reduction(Reduction),
    /// Steps number by number, with an invocation for each.
    Elements,
    /// Steps line by line, with an invocation for each line.
    Lines,
}

/// The steps of one shader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) kind: Kind,
    /// Positions in [`Values::steps`], in an order in which they can be computed.
    pub(crate) steps: Vec<usize>,
}

/// The kind of shader that a step goes into.
fn kind(values: &Values, forms: &[Form], position: usize) -> Kind {
    let step = &values.steps()[position];
    let is_wide = |value: &Value| values.shape(*value).width() > NARROW;
    match &forms[position] {
        Form::Layer(_) => Kind::Layer,
        Form::Scattered(_) => Kind::Elements,
        Form::Line(_, Some(reduction)) if is_wide(&step.operands[0]) => Kind::Reduction(*reduction),
        Form::Line(..) => Kind::Lines,
        // In another shape, nothing is left of lines.
        Form::Point(_) if values.is_reshaped(step) || step.results.iter().any(is_wide) => Kind::Elements,
        // A slice may read a wide line, but little of it.
        Form::Point(_) => Kind::Lines,
    }
}

/// Whether a shader of this kind can write down a source where it needs it.
pub(super) fn writes_sources(kind: Kind) -> bool {
    matches!(kind, Kind::Elements | Kind::Lines)
}

/// Whether a step reads `operand` where it writes its result: number by number.
fn reads_in_place(values: &Values, step: &Step, operand: Value) -> bool {
    let is_pointwise = match step.op {
        Op::Unary(_) | Op::Binary(_) | Op::Select | Op::Reshape(_) | Op::StopGradient => true,
        Op::Gradient(GradientOp::Unary(_)) => true,
        // The log-softmax is read number by number, index and weight line by line.
        Op::Gradient(GradientOp::CrossEntropy) => step.operands[..2].iter().all(|&value| value != operand),
        _ => false,
    };
    is_pointwise && step.results.iter().all(|&result| values.shape(result) == values.shape(operand))
}

/// Whether two layers are done in the same way, so that one shader may do both, as in two towers of equal build.
fn are_alike(values: &Values, a: &Step, b: &Step) -> bool {
    let lines = |step: &Step| values.shape(step.operands[0]).lines();
    if lines(a) != lines(b) || a.operands.len() != b.operands.len() {
        return false;
    }
    match (a.op, b.op) {
        (Op::Linear { bias, .. }, Op::Linear { bias: b_bias, .. }) => {
            let parts = |step: &Step, bias: bool| (bias, step.after.norm.is_some(), step.after.activation);
            parts(a, bias.is_some()) == parts(b, b_bias.is_some())
        }
        (Op::LinearTransposed { .. }, Op::LinearTransposed { .. }) => a.after == b.after,
        (
            Op::Gradient(GradientOp::Linear { weight, bias }),
            Op::Gradient(GradientOp::Linear { weight: b_weight, bias: b_bias }),
        ) => {
            // Two sums into one place come one after the other.
            let shared = weight == b_weight || (bias.is_some() && bias == b_bias);
            bias.is_some() == b_bias.is_some() && !shared
        }
        _ => false,
    }
}

/// The groups, in the order in which they run.
pub(crate) fn schedule(values: &Values, forms: &[Form]) -> Vec<Group> {
    let mut scheduler = Scheduler::new(values, forms);
    let mut groups = Vec::new();
    while let Some(group) = scheduler.next() {
        groups.push(group);
    }
    debug_assert!(scheduler.waiting.iter().all(|waiting| !waiting), "every step can be computed");
    groups
}

struct Scheduler<'a> {
    values: &'a Values,
    kinds: Vec<Kind>,
    /// Steps that are not in a group yet.
    waiting: Vec<bool>,
    /// Values that lie in memory.
    done: Vec<bool>,
}

impl<'a> Scheduler<'a> {
    fn new(values: &'a Values, forms: &[Form]) -> Self {
        let steps = values.steps();
        let kinds: Vec<Kind> = (0..steps.len()).map(|position| kind(values, forms, position)).collect();
        let mut done = vec![false; values.len()];
        for operand in steps.iter().flat_map(|step| &step.operands) {
            done[operand.index()] = matches!(values.origin(*operand), Origin::Input(_));
        }
        // A source only becomes a value in memory where somebody needs it there.
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

    /// Whether all operands of a step are there, for a shader that also computes the steps of `group`.
    fn is_ready(&self, position: usize, group: &[usize]) -> bool {
        let (step, kind) = (&self.values.steps()[position], self.kinds[position]);
        step.operands.iter().all(|&operand| {
            if self.done[operand.index()] || (writes_sources(kind) && self.values.source(operand).is_some()) {
                return true;
            }
            let Origin::Step(maker) = self.values.origin(operand) else { return false };
            // In registers, a shader by lines has all of a line at hand, one by elements a single number.
            group.contains(&maker) && (kind == Kind::Lines || reads_in_place(self.values, step, operand))
        })
    }

    /// The next group, until there is nothing left.
    fn next(&mut self) -> Option<Group> {
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
                Kind::Reduction(_) => false,
                Kind::Layer => {
                    let are_alike = |&other: &usize| are_alike(self.values, &steps[other], &steps[step]);
                    group.iter().all(are_alike) && self.is_ready(step, &[])
                }
                Kind::Elements | Kind::Lines => self.same_cut(first, step) && self.is_ready(step, &group),
            };
            if joins {
                group.push(step);
            }
        }
        for &step in &group {
            self.waiting[step] = false;
            steps[step].results.iter().for_each(|result| self.done[result.index()] = true);
        }
        Some(Group { kind, steps: group })
    }

    /// Whether two steps of one kind go through their numbers in step.
    fn same_cut(&self, a: usize, b: usize) -> bool {
        let shape = |position: usize| {
            self.values.steps()[position].results.first().map(|&result| self.values.shape(result))
        };
        let (Some(a_shape), Some(b_shape)) = (shape(a), shape(b)) else { return false };
        let same_width = self.kinds[a] == Kind::Lines || a_shape.width() == b_shape.width();
        a_shape.lines() == b_shape.lines() && same_width
    }
}
