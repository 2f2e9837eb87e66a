//! From a gradient's slices to new parameters: sums, norm, clip, and Adam with decoupled weight decay.
//!
//! Three shaders. The first adds the slices up, in an order that does not depend on anything but their number; the second,
//! one workgroup, takes the norm and decides whether and how far to step; the third steps. A learner that has more to decide
//! puts a shader of its own in place of the second, with the functions of [`Control::wgsl`].

use vivarium_graph::ParameterSpec;
use vivarium_kernels::adam::AdamStep;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::network::Slices;
use crate::program::{Recorder, spread};
use crate::wgsl::{Tree, fill};

/// Numbers that a workgroup adds up: few, so that a small network's gradient busies a device too.
const BLOCK: usize = 32;
/// The same of gradients with [`LARGE`] numbers or more.
const LARGE_BLOCK: usize = 1024;
const LARGE: usize = 1 << 19;

/// Numbers that share a decay: parameters begin at multiples of this.
const DECAY_BLOCK: usize = 16;

/// Invocations of a workgroup that adds up.
const THREADS: usize = 256;

/// A sum over invocations.
fn sum(name: &'static str, lanes: usize, stride: usize) -> Tree<'static> {
    Tree { name, element: "f32", threads: THREADS, lanes, stride, join: "a + b" }
}

/// Numbers that a workgroup adds up of a gradient of so many.
fn block(len: usize) -> usize {
    if len < LARGE { BLOCK } else { LARGE_BLOCK }
}

/// The optimizer's report; `Control` in [`Control::STRUCT`] has its settings, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// The norm of the last gradient, before it was clipped.
    pub norm: f32,
    /// Steps taken.
    pub steps: u32,
    /// Steps left out because the norm of the gradient was not finite.
    pub refused: u32,
    /// Whether the last step was taken.
    pub applied: bool,
}

impl Control {
    /// How many words it has.
    pub const WORDS: usize = 16;

    /// Its struct in WGSL.
    pub const STRUCT: &'static str = crate::shader!("control.wgsl");

    /// The struct, and the functions `sum_of_squares(local, count)`, for 256 invocations, and `decide(squares, wanted)`, for
    /// one of them, for a kernel that binds `control` and `partial_norms` under these names.
    pub fn wgsl() -> String {
        [Self::STRUCT, &sum("norm_total", THREADS, 1).wgsl(), crate::shader!("decide.wgsl")].concat()
    }

    /// Where the count of steps is.
    const STEPS: usize = 3;

    /// Where the settings of the host begin.
    const SETTINGS: usize = 4;

    /// What the words say.
    pub fn from_words(words: &[u32]) -> Self {
        Self { norm: f32::from_bits(words[2]), steps: words[3], refused: words[14], applied: words[1] == 1 }
    }
}

/// Adam's state on the device (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
#[derive(Debug, Clone)]
pub struct Optimizer {
    /// The gradient, once its slices are added up; as long as the parameters.
    pub gradients: Buffer,
    /// The mean of the gradients.
    pub first_moment: Buffer,
    /// The mean of their squares.
    pub second_moment: Buffer,
    /// Partial sums of the squares of the gradient's numbers: [`norm_count`](Optimizer::norm_count) of them.
    pub partial_norms: Buffer,
    /// The words of `Control` in [`Control::STRUCT`].
    pub control: Buffer,
    /// For every 16 parameters, how much of the decay they get.
    decays: Buffer,
    len: usize,
}

impl Optimizer {
    /// For so many parameters, a multiple of 16 as [`vivarium_graph::Parameters`] has them. No step is taken yet, and both
    /// moments are zero. All parameters decay.
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
            control: gpu.zeros("the optimizer's control", Control::WORDS)?,
            len: parameters_len,
        })
    }

    /// How many partial sums of squares there are.
    pub fn norm_count(&self) -> usize {
        self.len.div_ceil(block(self.len))
    }

    /// Sets everything of the steps to come but their number, which the device counts. `largest_norm` is the norm to which a
    /// larger gradient is clipped; 0 for no clip.
    pub fn set(&self, gpu: &Gpu, settings: &AdamStep, largest_norm: f32) {
        let log = |beta: f32| f64::from(beta).ln() as f32;
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
        gpu.write(&self.control, Control::SETTINGS, &words);
    }

    /// Lets those of the parameters alone decay that do ([`ParameterSpec::decays`]); the others only follow their gradients.
    pub fn set_decays(&self, gpu: &Gpu, parameters: &[ParameterSpec]) {
        for spec in parameters {
            let range = spec.range();
            let share = if spec.decays() { 1.0f32 } else { 0.0 };
            let blocks = range.end.div_ceil(DECAY_BLOCK) - range.start / DECAY_BLOCK;
            gpu.write(&self.decays, range.start / DECAY_BLOCK, &vec![share; blocks]);
        }
    }

    /// Sets how many steps were taken.
    pub fn set_steps(&self, gpu: &Gpu, steps: u32) {
        gpu.write(&self.control, Control::STEPS, &[steps]);
    }

    /// Records the sum of a gradient's slices, and partial sums of its squares.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device's compiler refuses the kernel.
    pub fn record_sum(&self, recorder: &mut Recorder, slices: &Slices) -> Result<(), GpuError> {
        let tree = |name, lanes, stride| sum(name, lanes, stride).wgsl();
        let (text, len) = match block(self.len) {
            BLOCK => {
                let sums = [tree("column_sum", THREADS, BLOCK), tree("row_sum", BLOCK, 1)];
                (
                    fill(
                        crate::shader!("reduce.wgsl"),
                        &[("$COLUMN_SUMS", &sums[0]), ("$ROW_SUMS", &sums[1])],
                    ),
                    ("len", self.len),
                )
            }
            _ => (
                fill(crate::shader!("sum.wgsl"), &[("$TOTAL", &tree("total", THREADS, 1))]),
                ("vectors", self.len / 4),
            ),
        };
        let buffers = [&slices.buffer, &self.gradients, &self.partial_norms];
        let words = [len, ("slices", slices.count)];
        recorder.run("sum of gradients", &[&text], &buffers, &words, spread(self.norm_count()))
    }

    /// Records the decision about the step: clip by the norm, and leave it out where that is not finite.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device's compiler refuses the kernel.
    pub fn record_decision(&self, recorder: &mut Recorder) -> Result<(), GpuError> {
        let text = [&*Control::wgsl(), crate::shader!("finish.wgsl")];
        let buffers = [&self.control, &self.partial_norms];
        recorder.run("decision", &text, &buffers, &[("count", self.norm_count())], [1, 1, 1])
    }

    /// Records the step, of parameters in the layout of the gradient.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device's compiler refuses the kernel.
    pub fn record_step(&self, recorder: &mut Recorder, parameters: &Buffer) -> Result<(), GpuError> {
        let text = [Control::STRUCT, crate::shader!("step.wgsl")];
        let Self { gradients, first_moment, second_moment, control, decays, .. } = self;
        let buffers = [parameters, gradients, first_moment, second_moment, control, decays];
        recorder.for_each("Adam", &text, &buffers, &[], self.len / 4)
    }
}
