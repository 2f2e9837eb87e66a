//! Execution of a compiled plan on the device.
//!
//! [`GpuPlan::new`] groups an execution plan's steps into shaders and orders them ([`schedule`]), and assigns arena
//! offsets to the values that pass between shaders ([`layout`]). [`GpuPlan::record`] generates and records the shaders.

mod layout;
mod schedule;

use std::ops::Range;

use vivarium_graph::{ParameterSpec, Plan, PlanStep};

use crate::device::Gpu;
use crate::emit::{
    ArenaLayout, ElementShader, LayerRecorder, LineShader, PlanSizes, PlanValues, ShaderInputs,
};
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::operand;
use crate::ops::{self, Lowering};
use crate::program::GpuRecorder;
use schedule::{ShaderGroup, ShaderKind};

/// A compiled [`Plan`] on the device, for a fixed number of rows.
///
/// All values lie in one buffer, the [`arena`](GpuPlan::arena), row-major. The caller writes the inputs to the arena,
/// runs the recorded program and reads the outputs from the arena. The caller also owns the parameter buffer, which has
/// the layout of [`vivarium_graph::Parameters::flat`] and may be shared by several plans.
pub struct GpuPlan {
    gpu: Gpu,
    rows: usize,
    row_weight: f32,
    values: PlanValues,
    /// Lowering of each step.
    lowerings: Vec<Lowering>,
    groups: Vec<ShaderGroup>,
    layout: ArenaLayout,
    arena: Buffer,
    /// Range of each parameter in the flat parameter buffer.
    parameters: Vec<Range<usize>>,
    parameters_len: usize,
    has_gradients: bool,
}

/// Parameter gradients as partial sums over slices of the batch. Each slice is a complete gradient in the layout of the
/// parameters. Padding and parameters without a gradient stay zero.
#[derive(Debug, Clone)]
pub struct GradientSlices {
    /// The gradient slices, `[count, parameters_len]`, row-major.
    pub buffer: Buffer,
    /// Number of gradient slices.
    pub count: usize,
    /// Length of the flat parameter buffer.
    pub parameters_len: usize,
}

impl GradientSlices {
    /// Returns a borrowed view of the gradient slices, as an operand of kernels.
    fn as_operand(&self) -> operand::GradientSlicesView<'_> {
        operand::GradientSlicesView { buffer: &self.buffer, count: self.count, stride: self.parameters_len }
    }
}

impl GpuPlan {
    /// Prepares an execution plan for exactly `rows` rows, regardless of the rows that the plan was compiled for.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for a plan with sequences if this crate was built without them;
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`] if its values do not fit the device.
    pub fn new(gpu: &Gpu, plan: &Plan, rows: usize) -> Result<Self, GpuError> {
        let values = PlanValues::new(plan);
        let lowerings =
            plan.steps().iter().map(|step| ops::lowering(step.op)).collect::<Result<Vec<_>, _>>()?;
        let groups = schedule::schedule(&values, &lowerings);
        let parameters: Vec<Range<usize>> = plan.parameters().iter().map(ParameterSpec::range).collect();
        let sizes = PlanSizes { values: &values, parameters: &parameters, rows };
        let scratch_len = |step: usize| match &lowerings[step] {
            Lowering::Layer(layer) => (layer.scratch_len)(&sizes, &values.steps()[step]),
            Lowering::Point(_) | Lowering::Scattered(_) | Lowering::Line(..) => 0,
        };
        let layout = layout::lay_out(plan, &values, &groups, rows, scratch_len);
        let arena = gpu.zeros(&format!("the values of a network for {rows} rows"), layout.len)?;
        Ok(Self {
            gpu: gpu.clone(),
            rows,
            row_weight: 1.0 / rows as f32,
            values,
            lowerings,
            groups,
            layout,
            arena,
            parameters,
            parameters_len: plan.parameters_len(),
            has_gradients: plan.has_gradients(),
        })
    }

    /// Sets the weight of each row in the loss. The default is 1 / (number of rows), for the mean loss.
    pub fn with_row_weight(mut self, row_weight: f32) -> Self {
        self.row_weight = row_weight;
        self
    }

    /// Returns the number of batch rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the arena: the buffer that holds all values of the plan.
    pub fn arena(&self) -> &Buffer {
        &self.arena
    }

    /// Returns the arena range of an input, in the order of the graph's declarations: \[rows, size\] row-major, or one
    /// number for a setting. Empty if the plan does not read the input.
    pub fn input(&self, index: usize) -> Range<usize> {
        self.layout.inputs[index].clone()
    }

    /// Returns the arena range of an output, in the order that the plan was compiled for: \[rows, size\] row-major.
    pub fn output(&self, index: usize) -> Range<usize> {
        self.layout.outputs[index].clone()
    }

    /// Allocates gradient slices for this plan, all zero.
    ///
    /// # Errors
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`].
    pub fn slices(&self) -> Result<GradientSlices, GpuError> {
        let lines = self.rows * self.values.most_lines();
        let count = operand::GradientSlicesView::count_for(lines, self.parameters_len);
        let buffer = self.gpu.zeros("gradients", count * self.parameters_len)?;
        Ok(GradientSlices { buffer, count, parameters_len: self.parameters_len })
    }

    /// Records the computation of the outputs, and of the gradients of Σ `row_weight`·loss. The gradients overwrite the
    /// gradient slices.
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
        assert!(
            gradients.is_some() || !self.has_gradients,
            "a plan with gradients needs slices to put them in"
        );
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
                    if let Lowering::Layer(layer) = &self.lowerings[group.steps[0]] {
                        (layer.record)(&mut layers, &steps)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Generates a shader with one invocation for each line. All values have the same number of lines. The shader
    /// stores the values that other shaders read.
    fn lines<'a>(&'a self, sources: ShaderInputs<'a>, group: &ShaderGroup) -> LineShader<'a> {
        let steps = self.values.steps();
        let first = steps[group.steps[0]].results[0];
        let mut lines = LineShader::new(sources, self.rows * self.values.shape(first).lines());
        for &position in &group.steps {
            let step = &steps[position];
            match &self.lowerings[position] {
                Lowering::Point(expression) | Lowering::Scattered(expression) => {
                    lines.define_each(step.results[0], |cells, column| expression(step, cells, column));
                }
                Lowering::Line(write, _) => write(step, &mut lines),
                Lowering::Layer(_) => {}
            }
        }
        group.steps.iter().flat_map(|&step| &steps[step].results).for_each(|&value| lines.store(value));
        lines
    }

    /// Generates a shader with one invocation for each element. All values have the same shape.
    fn elements<'a>(&'a self, sources: ShaderInputs<'a>, group: &ShaderGroup) -> ElementShader<'a> {
        let steps = self.values.steps();
        let first = steps[group.steps[0]].results[0];
        let mut elements = ElementShader::new(sources, self.rows, self.values.shape(first));
        for &position in &group.steps {
            let step = &steps[position];
            if let Lowering::Point(expression) | Lowering::Scattered(expression) = &self.lowerings[position] {
                elements.define(step.results[0], |cells, column| expression(step, cells, column));
            }
        }
        group.steps.iter().flat_map(|&step| &steps[step].results).for_each(|&value| elements.store(value));
        elements
    }
}

impl std::fmt::Debug for GpuPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "GpuPlan({} rows, {} kernels, {} words)", self.rows, self.groups.len(), self.layout.len)
    }
}
