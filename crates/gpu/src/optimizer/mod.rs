//! AdamW on the device: gradient summation, gradient clipping by global norm, and the parameter update
//! (Loshchilov and Hutter, 2019, [Decoupled Weight Decay Regularization](https://arxiv.org/abs/1711.05101)).
//!
//! Three shaders: the first sums the gradient slices in a fixed order; the second, one workgroup, computes the global
//! norm, the clipping factor and whether to apply the step; the third updates the parameters. Learners may replace the
//! second shader by their own with the functions of [`OptimizerControl::wgsl`].

use vivarium_graph::ParameterSpec;
use vivarium_kernels::adam::AdamStep;

use crate::builder::Shader;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::plan::GradientSlices;
use crate::program::{GpuRecorder, dispatch_size};
use crate::wgsl::TreeReduction;

/// Number of parameters whose gradients one workgroup sums over the gradient slices (parts of the batch). A small
/// number, so that small networks also use many workgroups.
const BLOCK: usize = 32;
/// Number of parameters whose gradients one workgroup sums over the gradient slices (parts of the batch), in a network
/// with at least [`LARGE`] parameters.
const LARGE_BLOCK: usize = 1024;
const LARGE: usize = 1 << 19;

/// Number of consecutive parameters with the same weight-decay factor. Parameter tensors start at multiples of this
/// number.
const DECAY_BLOCK: usize = 16;

/// Number of invocations in a workgroup of the kernel that sums the gradient slices (gradients over parts of the
/// batch).
const THREADS: usize = 256;

/// Returns a WGSL function `name` that sums f32 values over invocations of a workgroup. `lanes` and `stride` select the
/// invocations; see [`TreeReduction`].
fn sum(name: &'static str, lanes: usize, stride: usize) -> TreeReduction<'static> {
    TreeReduction { name, element: "f32", threads: THREADS, lanes, stride, join: "a + b" }
}

/// Returns the number of parameters whose gradients one workgroup sums over the gradient slices (parts of the batch),
/// for a network with `len` parameters.
fn block(len: usize) -> usize {
    if len < LARGE { BLOCK } else { LARGE_BLOCK }
}

/// WGSL of `one_minus_exp(x: f32) -> f32`: 1 − eˣ for x ≤ 0, accurate near 0. Bias corrections 1 / (1 − βᵗ) need it.
pub const ONE_MINUS_EXP_WGSL: &str = crate::shader!("one_minus_exp.wgsl");

/// Result of the last optimizer step, read back from the device. On the device, the result is a part of the WGSL struct
/// `Control`, which also holds the hyperparameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizerControl {
    /// L2 norm of the gradient of the last step, before clipping.
    pub norm: f32,
    /// Number of optimizer steps that have changed the parameters so far.
    pub steps: u32,
    /// Number of optimizer steps skipped because the gradient norm was not finite.
    pub refused: u32,
    /// Whether the last optimizer step changed the parameters; `false` if the step was skipped.
    pub applied: bool,
}

impl OptimizerControl {
    /// Length in 32-bit words of the WGSL struct `Control`, which holds the optimizer's hyperparameters and the result
    /// of its last step.
    pub const WORDS: usize = 16;

    /// WGSL declaration of the struct `Control`: hyperparameters of AdamW, and clipping factor, gradient norm and step
    /// count of the last step.
    pub const STRUCT: &'static str = crate::shader!("control.wgsl");

    /// Returns the WGSL of the struct `Control` and of two functions. All 256 invocations of a workgroup call
    /// `sum_of_squares(local, count)` with their index in the workgroup and the number of partial sums. Then one
    /// invocation calls `decide(squares, wanted)` with the result. This function computes the factor of gradient
    /// clipping, and skips the step if `wanted` is false or the gradient norm is not finite. The kernel must bind
    /// `control` and `partial_norms`.
    pub fn wgsl() -> String {
        let sum = sum("norm_total", THREADS, 1).wgsl();
        [Self::STRUCT, &*sum, ONE_MINUS_EXP_WGSL, crate::shader!("decide.wgsl")].concat()
    }

    /// Returns the word offset of the field `field` in the WGSL struct `Control`.
    fn word(field: &str) -> usize {
        let mut fields = Self::STRUCT.lines().skip(1);
        let place = fields.position(|line| line.split(':').next() == Some(field));
        place.expect("control.wgsl declares the field")
    }

    /// Converts the words of the WGSL struct `Control`, read back from the device, to the result of the last step.
    pub fn from_words(words: &[u32]) -> Self {
        let [norm, steps, refused, apply] =
            ["norm", "step", "refused", "apply"].map(|field| words[Self::word(field)]);
        Self { norm: f32::from_bits(norm), steps, refused, applied: apply == 1 }
    }
}

/// State of AdamW on the device: moments, summed gradient, hyperparameters and step count.
#[derive(Debug, Clone)]
pub struct GpuOptimizer {
    /// Gradient of all parameters over the whole batch, the sum of the gradient slices (parts of the batch). Has the
    /// layout of the flat parameter buffer.
    pub gradients: Buffer,
    /// First moment of each parameter: moving average of its gradients.
    pub first_moment: Buffer,
    /// Second moment of each parameter: moving average of its squared gradients.
    pub second_moment: Buffer,
    /// Partial sums of the squared gradients, from which the gradient norm is computed;
    /// [`norm_count`](GpuOptimizer::norm_count) values.
    pub partial_norms: Buffer,
    /// Buffer with the WGSL struct `Control`: hyperparameters of AdamW, and clipping factor, gradient norm and step
    /// count of the last step.
    pub control: Buffer,
    /// Factor of the weight decay for each block of 16 consecutive parameters: 1 if weight decay applies, else 0.
    decays: Buffer,
    len: usize,
}

impl GpuOptimizer {
    /// Allocates the optimizer state of a network. `parameters_len` is the length in words of its flat parameter
    /// buffer, which must be a multiple of 16. The step count and both moments start at zero; weight decay applies to
    /// all parameters.
    ///
    /// # Errors
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`].
    pub fn new(gpu: &Gpu, parameters_len: usize) -> Result<Self, GpuError> {
        Ok(Self {
            gradients: gpu.zeros("the gradient", parameters_len)?,
            first_moment: gpu.zeros("the optimizer's first moment", parameters_len)?,
            second_moment: gpu.zeros("the optimizer's second moment", parameters_len)?,
            partial_norms: gpu
                .zeros("the gradient's norm", parameters_len.div_ceil(block(parameters_len)))?,
            decays: gpu
                .upload("the optimizer's decays", &vec![1f32; parameters_len.div_ceil(DECAY_BLOCK)])?,
            control: gpu.zeros("the optimizer's control", OptimizerControl::WORDS)?,
            len: parameters_len,
        })
    }

    /// Returns the number of partial sums of squared gradients, one for each workgroup of the summation kernel.
    pub fn norm_count(&self) -> usize {
        self.len.div_ceil(block(self.len))
    }

    /// Sets the hyperparameters of the next optimizer steps, except for the step count, which the device increments.
    /// `largest_norm` is the maximum gradient norm; 0 disables clipping.
    pub fn set(&self, gpu: &Gpu, settings: &AdamStep, largest_norm: f32) {
        let log = |beta: f32| f64::from(beta).ln() as f32;
        // In the order of the struct `Control`.
        let words = [
            settings.learning_rate,
            settings.beta1,
            settings.beta2,
            settings.epsilon,
            settings.weight_decay,
            largest_norm,
            log(settings.beta1),
            log(settings.beta2),
        ];
        gpu.write(&self.control, OptimizerControl::word("learning_rate"), &words);
    }

    /// Restricts weight decay to the parameters whose [`ParameterSpec::decays`] is true.
    pub fn set_decays(&self, gpu: &Gpu, parameters: &[ParameterSpec]) {
        for spec in parameters {
            let range = spec.range();
            let share = if spec.decays() { 1.0f32 } else { 0.0 };
            let blocks = range.end.div_ceil(DECAY_BLOCK) - range.start / DECAY_BLOCK;
            gpu.write(&self.decays, range.start / DECAY_BLOCK, &vec![share; blocks]);
        }
    }

    /// Sets the number of steps that the optimizer has applied, from which the bias corrections are computed, for
    /// example after a checkpoint was loaded.
    pub fn set_steps(&self, gpu: &Gpu, steps: u32) {
        gpu.write(&self.control, OptimizerControl::word("step"), &[steps]);
    }

    /// Records the kernel that sums the gradient slices and computes partial sums of the squared gradients.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the kernel does not compile.
    pub fn record_sum(&self, recorder: &mut GpuRecorder, slices: &GradientSlices) -> Result<(), GpuError> {
        let tree = |name, lanes, stride| sum(name, lanes, stride).wgsl();
        let (text, len) = match block(self.len) {
            BLOCK => (
                [
                    &*tree("column_sum", THREADS, BLOCK),
                    &*tree("row_sum", BLOCK, 1),
                    crate::shader!("reduce.wgsl"),
                ]
                .concat(),
                ("len", self.len),
            ),
            _ => (
                [&*tree("total", THREADS, 1), crate::shader!("sum.wgsl")].concat(),
                ("vectors", self.len / 4),
            ),
        };
        Shader::own("sum of gradients", &[&text])
            .buffers([
                ("slices", &slices.buffer),
                ("gradients", &self.gradients),
                ("partial_norms", &self.partial_norms),
            ])
            .uniforms([len, ("slices", slices.count)])
            .record(recorder, dispatch_size(self.norm_count()))
    }

    /// Records the kernel that computes the factor of gradient clipping and decides whether to apply the step. A step
    /// is skipped if the gradient norm is not finite.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the kernel does not compile.
    pub fn record_decision(&self, recorder: &mut GpuRecorder) -> Result<(), GpuError> {
        let text = [&*OptimizerControl::wgsl(), crate::shader!("finish.wgsl")];
        Shader::own("decision", &text)
            .buffers([("control", &self.control), ("partial_norms", &self.partial_norms)])
            .uniforms([("count", self.norm_count())])
            .record(recorder, [1, 1, 1])
    }

    /// Records the kernel that updates the parameters and both moments by an AdamW step, unless the step is skipped.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the kernel does not compile.
    pub fn record_step(&self, recorder: &mut GpuRecorder, parameters: &Buffer) -> Result<(), GpuError> {
        let text = [OptimizerControl::STRUCT, crate::shader!("step.wgsl")];
        let Self { gradients, first_moment, second_moment, control, decays, .. } = self;
        Shader::own("Adam", &text)
            .buffers([
                ("parameters", parameters),
                ("gradients", gradients),
                ("first_moment", first_moment),
                ("second_moment", second_moment),
                ("control", control),
                ("decays", decays),
            ])
            .record_each(recorder, self.len / 4)
    }
}
