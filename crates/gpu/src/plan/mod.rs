//! Execution of a compiled plan on the device.
//!
//! [`GpuPlan::new`] groups an execution plan's steps into shaders and orders them ([`schedule`]), and assigns arena
//! offsets to the values that pass between shaders ([`layout`]). [`GpuPlan::record`] generates and records the shaders.

mod layout;
mod schedule;

use std::ops::Range;

use vivarium_graph::{Op, ParameterSpec, Plan, PlanStep};

use crate::device::Gpu;
use crate::emit::{
    ArenaLayout, Column, ElementOperands, ElementShader, LayerRecorder, LineShader, PlanSizes, PlanValues,
    ShaderInputs,
};
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::operand;
use crate::ops::{Form, form, record_products};
use crate::program::GpuRecorder;
use schedule::{ShaderGroup, ShaderKind};

/// A compiled [`Plan`] on the device, for a batch with a fixed number of rows.
///
/// All values lie in one buffer, the [`arena`](GpuPlan::arena), row-major. The caller writes the inputs to the arena,
/// runs the recorded program and reads the outputs from the arena. The caller also owns the parameter buffer, which has
/// the layout of [`vivarium_graph::Parameters::flat`] and may be shared by several plans.
pub struct GpuPlan {
    gpu: Gpu,
    rows: usize,
    row_weight: f32,
    values: PlanValues,
    groups: Vec<ShaderGroup>,
    layout: ArenaLayout,
    arena: Buffer,
    /// Word range of each parameter in the flat parameter buffer, by parameter index.
    parameters: Vec<Range<usize>>,
    parameters_len: usize,
    has_gradients: bool,
}

/// Parameter gradients as partial sums over slices of the batch. Each slice is a complete gradient in the layout of the
/// flat parameter buffer. Padding and parameters without a gradient stay zero.
#[derive(Debug, Clone)]
pub struct GradientSlices {
    /// Device buffer that holds the gradient slices (gradients summed over parts of the batch), `[count,
    /// parameters_len]`, row-major.
    pub buffer: Buffer,
    /// Number of gradient slices in the buffer, one for each part of the batch.
    pub count: usize,
    /// Length in words of each gradient slice, equal to the length of the flat parameter buffer.
    pub parameters_len: usize,
}

impl GradientSlices {
    /// Returns a borrowed view of the gradient slices (gradients summed over parts of the batch), which kernels take as
    /// an operand.
    fn as_operand(&self) -> operand::GradientSlicesView<'_> {
        operand::GradientSlicesView { buffer: &self.buffer, count: self.count, stride: self.parameters_len }
    }
}

impl GpuPlan {
    /// Prepares an execution plan for batches of exactly `rows` rows. The device processes all rows at a time and
    /// ignores [`Plan::chunk_rows`], the number of rows that the CPU engine would process at a time.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for a plan with sequence operations, such as attention, if this crate was built
    /// without the feature `sequences`; [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`] if the values of the
    /// plan do not fit the device.
    pub fn new(gpu: &Gpu, plan: &Plan, rows: usize) -> Result<Self, GpuError> {
        let inline = |op: &Op| if let Form::Inline(value) = form(op) { Some(value) } else { None };
        let values = PlanValues::new(plan, inline);
        let groups = schedule::schedule(&values)?;
        let parameters: Vec<Range<usize>> = plan.parameters().iter().map(ParameterSpec::range).collect();
        let sizes = PlanSizes { values: &values, parameters: &parameters, rows };
        let scratch_len = |step: usize| {
            let step = &values.steps()[step];
            if let Form::Layer(layer) = form(&step.op) { layer.scratch_len(&sizes, step) } else { 0 }
        };
        let layout = layout::lay_out(plan, &values, &groups, rows, scratch_len);
        let arena = gpu.zeros(&format!("the values of a network for {rows} rows"), layout.len)?;
        Ok(Self {
            gpu: gpu.clone(),
            rows,
            row_weight: 1.0 / rows as f32,
            values,
            groups,
            layout,
            arena,
            parameters,
            parameters_len: plan.parameters_len(),
            has_gradients: plan.has_gradients(),
        })
    }

    /// Sets the weight of each batch row's loss in the total loss. The default is 1 / (number of rows), which gives the
    /// mean loss.
    pub fn with_row_weight(mut self, row_weight: f32) -> Self {
        self.row_weight = row_weight;
        self
    }

    /// Returns the number of rows of the batch, which is fixed for this plan.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the arena: the buffer that holds all values of the plan.
    pub fn arena(&self) -> &Buffer {
        &self.arena
    }

    /// Returns the word range in the arena of the input with index `index`, in order of declaration. The range holds
    /// \[rows, size\] values in row-major order, or one word for a scalar input that all rows share. It is empty if the
    /// plan does not read the input.
    pub fn input(&self, index: usize) -> Range<usize> {
        self.layout.inputs[index].clone()
    }

    /// Returns the word range in the arena of the output with index `index`, in the order in which the outputs were
    /// requested at compilation. The range holds \[rows, size\] values in row-major order.
    pub fn output(&self, index: usize) -> Range<usize> {
        self.layout.outputs[index].clone()
    }

    /// Allocates the gradient slices (partial sums of the parameter gradients) of this plan, all zero.
    ///
    /// # Errors
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`].
    pub fn slices(&self) -> Result<GradientSlices, GpuError> {
        let lines = self.rows * self.values.most_lines();
        let count = operand::GradientSlicesView::count_for(lines, self.parameters_len);
        let buffer = self.gpu.zeros("gradients", count * self.parameters_len)?;
        Ok(GradientSlices { buffer, count, parameters_len: self.parameters_len })
    }

    /// Records the computation of the plan's outputs, and of the parameter gradients of the total loss Σ
    /// `row_weight`·loss. The gradients are summed over parts of the batch and overwrite `gradients`, one slice for
    /// each part.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if a kernel does not compile.
    ///
    /// # Panics
    /// Panics if the plan has gradients and `gradients` is `None`, or if slices or parameters belong to another
    /// network.
    pub fn record(
        &self,
        recorder: &mut GpuRecorder,
        parameters: &Buffer,
        gradients: Option<&GradientSlices>,
    ) -> Result<(), GpuError> {
        assert!(gradients.is_some() || !self.has_gradients, "a plan with gradients requires gradient slices");
        assert!(
            parameters.len() >= self.parameters_len,
            "the parameter buffer has {} words, but the plan needs {}",
            parameters.len(),
            self.parameters_len
        );
        let sources = ShaderInputs {
            values: &self.values,
            layout: &self.layout,
            parameters: &self.parameters,
            row_weight: self.row_weight,
        };
        let gradients = gradients.map(GradientSlices::as_operand);
        let mut layers = LayerRecorder::new(sources, self.rows, recorder, &self.arena, parameters, gradients);
        for group in &self.groups {
            let steps: Vec<&PlanStep> = group.steps.iter().map(|&step| &self.values.steps()[step]).collect();
            match group.kind {
                ShaderKind::Lines => self.lines(sources, group).record(&mut layers)?,
                ShaderKind::Elements => self.elements(sources, group).record(&mut layers)?,
                ShaderKind::Reduction(reduction) => {
                    steps.iter().try_for_each(|step| reduction.record(&mut layers, step))?;
                }
                ShaderKind::Layer => {
                    let mut products = Vec::new();
                    for step in steps {
                        match form(&step.op) {
                            Form::Layer(layer) => layer.record(&mut layers, step)?,
                            Form::Product(product) => products.push(product.product(&mut layers, step)),
                            Form::Inline(_)
                            | Form::Pointwise(_)
                            | Form::Reshape(_)
                            | Form::Element(_)
                            | Form::Scattered(_)
                            | Form::Line(_)
                            | Form::Reduction(_)
                            | Form::Unsupported => unreachable!("{} has no kernel", step.op.name()),
                        }
                    }
                    record_products(&mut layers, products)?;
                }
            }
        }
        Ok(())
    }

    /// Generates the shader of a group of steps with one invocation for each line (vector along the last axis). All
    /// values have the same number of lines. The shader stores the values that other shaders read.
    fn lines<'a>(&'a self, sources: ShaderInputs<'a>, group: &ShaderGroup) -> LineShader<'a> {
        let steps = self.values.steps();
        let first = steps[group.steps[0]].results[0];
        let mut lines = LineShader::new(sources, self.rows * self.values.shape(first).lines());
        for step in group.steps.iter().map(|&step| &steps[step]) {
            match form(&step.op) {
                Form::Inline(_) => lines.define_each(step.results[0], inline(step)),
                Form::Pointwise(op) | Form::Reshape(op) | Form::Element(op) | Form::Scattered(op) => {
                    lines.define_each(step.results[0], |cells, column| op.element(step, cells, column));
                }
                Form::Line(op) => op.lines(step, &mut lines),
                Form::Reduction(reduction) => reduction.lines(step, &mut lines),
                Form::Layer(_) | Form::Product(_) | Form::Unsupported => {
                    unreachable!("{} is not computed line by line", step.op.name())
                }
            }
        }
        group.steps.iter().flat_map(|&step| &steps[step].results).for_each(|&value| lines.store(value));
        lines
    }

    /// Generates the shader of a group of element-wise steps, with one invocation for each element. All results have
    /// the same shape.
    fn elements<'a>(&'a self, sources: ShaderInputs<'a>, group: &ShaderGroup) -> ElementShader<'a> {
        let steps = self.values.steps();
        let first = steps[group.steps[0]].results[0];
        let mut elements = ElementShader::new(sources, self.rows, self.values.shape(first));
        for step in group.steps.iter().map(|&step| &steps[step]) {
            match form(&step.op) {
                Form::Inline(_) => elements.define(step.results[0], inline(step)),
                Form::Pointwise(op) | Form::Reshape(op) | Form::Element(op) | Form::Scattered(op) => {
                    elements.define(step.results[0], |cells, column| op.element(step, cells, column));
                }
                Form::Line(_)
                | Form::Reduction(_)
                | Form::Layer(_)
                | Form::Product(_)
                | Form::Unsupported => unreachable!("{} is not computed by element", step.op.name()),
            }
        }
        group.steps.iter().flat_map(|&step| &steps[step].results).for_each(|&value| elements.store(value));
        elements
    }
}

/// Returns a function that generates the WGSL expression of a step's result, for an operation without operands. A
/// shader stores the result if another shader must read it from memory.
fn inline<'a>(step: &PlanStep) -> impl Fn(&mut dyn ElementOperands<'a>, &Column) -> String {
    let result = step.results[0];
    move |cells, column| cells.number(result, column)
}

impl std::fmt::Debug for GpuPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "GpuPlan({} rows, {} kernels, {} words)", self.rows, self.groups.len(), self.layout.len)
    }
}
