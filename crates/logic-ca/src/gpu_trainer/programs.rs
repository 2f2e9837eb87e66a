//! Device programs of an epoch: sequences of dispatches that are recorded once and submitted in every epoch.

use super::interpreter::{Interpreter, InterpreterBuffers};
use super::layout::LogicGpuLayout;
use super::perception;
use super::shader::shader;
use super::tables::tables;
use super::transfers::{self, REPORT, SETTINGS, setting};
use crate::circuit::Wiring;
use crate::config::LogicConfig;
use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::hard::{Circuit, life};
use crate::layered_circuit::LayeredCircuit;
use vivarium_config::Config;
use vivarium_gpu::worlds::RANDOM_WGSL;
use vivarium_gpu::{
    Buffer, Cost, Encoder, Gpu, GpuError, GpuProgram, GpuRecorder, Shader, ShaderPart, dispatch_size,
};
use vivarium_gpu::{ONE_MINUS_EXP_WGSL, math_wgsl, sum_wgsl};

/// Device buffers of the GPU learner: settings, batch, states, gradients and gate parameters.
pub(super) struct TrainerBuffers {
    pub settings: Buffer,
    pub report: Buffer,
    pub logits: Buffer,
    pub first_moment: Buffer,
    pub second_moment: Buffer,
    /// Buffer with four parts, in this order: number of target channels, target bit planes, rounding flags of the
    /// automaton steps, update masks.
    pub bits: Buffer,
    /// States of the soft automaton (differentiable gates) as f32 values, `[step][channel][board][cell]`; step 0 is the
    /// initial state.
    pub states: Buffer,
    /// States of the hard automaton (discrete gates) as bit planes, `[step][channel][words]`, 32 cells per word; step 0
    /// is the initial state.
    pub planes: Buffer,
    /// Recording of the first board: states of the soft automaton (differentiable gates), then of the hard automaton
    /// (discrete gates), each `[step][channel][cell]` with one byte per cell.
    pub recording: Buffer,
    tables: Buffer,
    coefficients: Buffer,
    functions: Buffer,
    gradients: Buffer,
    slices: Buffer,
}

impl TrainerBuffers {
    pub fn new(gpu: &Gpu, layout: &LogicGpuLayout, netlist: &LayeredCircuit) -> Result<Self, GpuError> {
        let numbers = layout.gates() * FUNCTIONS;
        let zeros = |what, words| gpu.zeros(what, words);
        Ok(Self {
            settings: zeros("settings", SETTINGS)?,
            report: zeros("report", REPORT)?,
            logits: zeros("logits", numbers)?,
            first_moment: zeros("first moments", numbers)?,
            second_moment: zeros("second moments", numbers)?,
            bits: zeros("targets and update masks", layout.bits())?,
            states: zeros("states of all steps", layout.states())?,
            planes: zeros("hard states of all steps", layout.planes())?,
            recording: zeros("recording", layout.recording_words().max(1))?,
            tables: gpu.upload("tables", &tables(layout, netlist))?,
            coefficients: zeros("coefficients", 4 * layout.gates())?,
            functions: zeros("functions", 2 * layout.gates())?,
            gradients: zeros("gradients of two steps", layout.gradients())?,
            slices: zeros("sums of all workgroups", 4 * layout.groups * layout.slice())?,
        })
    }
}

/// Constants that all shaders of the GPU learner may read: the sizes of the layout, and the word offsets in the
/// settings and report buffers.
struct LogicShaders {
    layout: ShaderPart,
    transfers: ShaderPart,
}

impl LogicShaders {
    fn plain<'a>(&self, label: &'a str, pieces: &[&str]) -> Shader<'a> {
        shader(label, pieces).part(&self.layout).part(&self.transfers)
    }

    /// Creates a shader that evaluates the circuit of the soft automaton (differentiable gates). `perception` is the
    /// WGSL of the perceive kernels (small circuits over the 3×3 neighborhood), `text` the WGSL of the shader's entry
    /// point, and `memory` holds the buffers to bind.
    fn soft<'a>(
        &self,
        label: &'a str,
        [perception, text]: [&str; 2],
        memory: &'a TrainerBuffers,
    ) -> Shader<'a> {
        let circuit = vivarium_gpu::shader!("lanes.wgsl", "circuit.wgsl");
        shader(label, &[circuit, perception, text]).part(&self.layout).buffers([
            ("tables", &memory.tables),
            ("coefficients", &memory.coefficients),
            ("bits", &memory.bits),
            ("states", &memory.states),
        ])
    }
}

/// Programs of an epoch: sampling, computation of the target by the Game of Life (if the target is no pattern), and the
/// remaining work in *slices* of bounded work. Each slice is a separate submission, so that a run on a slow device can
/// be stopped between two slices. On a fast device most epochs have one slice.
pub(super) struct EpochPrograms {
    draw: GpuProgram,
    life: GpuProgram,
    rest: Vec<GpuProgram>,
}

impl EpochPrograms {
    /// Returns the number of slices (submissions) of the epoch, at least one.
    pub fn slices(&self) -> usize {
        self.rest.len()
    }

    /// Appends the commands of the slice with index `slice` (from 0) of the epoch to the submission. The first slice
    /// also samples the batch; without a target pattern, it computes the target by the Game of Life.
    pub fn encode(&self, encoder: &mut Encoder, slice: usize, has_pattern: bool) {
        if slice == 0 {
            encoder.run(&self.draw);
            if !has_pattern {
                encoder.run(&self.life);
            }
        }
        encoder.run(&self.rest[slice]);
    }

    /// Returns the device cost of an epoch, summed over its submissions: number of dispatches, and number of bytes
    /// copied.
    pub fn cost(&self, has_pattern: bool) -> Cost {
        let life = if has_pattern { Cost::default() } else { self.life.cost() };
        self.rest.iter().fold(self.draw.cost() + life, |sum, slice| sum + slice.cost())
    }
}

/// Maximum number of gate evaluations per submission on a software adapter. A submission of this size takes 0.1 to 0.2
/// s.
const SOFTWARE_GATES: usize = 1 << 20;

/// Maximum number of gate evaluations per submission on a GPU. A submission of this size takes some tenths of a second
/// on a slow GPU.
const HARDWARE_GATES: usize = 1 << 28;

/// Cost of the backward pass of an automaton step as a multiple of the forward pass of the step.
const BACK: usize = 3;

/// Returns the maximum number of gate evaluations per submission to the device `gpu`.
pub(super) fn gates_at_once(gpu: &Gpu) -> usize {
    if gpu.adapter_info().software { SOFTWARE_GATES } else { HARDWARE_GATES }
}

/// Recorder that divides the dispatches of an epoch into slices (submissions) of bounded work.
struct SliceRecorder {
    recorder: GpuRecorder,
    finished: Vec<GpuProgram>,
    /// Number of gate evaluations of the dispatches recorded so far in the current slice (submission).
    gates: usize,
    /// Maximum number of gate evaluations per slice, i.e. per submission to the device.
    most: usize,
}

impl SliceRecorder {
    fn new(gpu: &Gpu, most: usize) -> Self {
        Self { recorder: GpuRecorder::new(gpu), finished: Vec::new(), gates: 0, most }
    }

    /// Returns the recorder of the slice (submission to the device) for a dispatch of `gates` gate evaluations. Begins
    /// a new slice if the current slice would exceed the maximum.
    fn of(&mut self, gates: usize) -> Result<&mut GpuRecorder, GpuError> {
        if self.gates > 0 && self.gates + gates > self.most {
            let next = GpuRecorder::new(self.recorder.gpu());
            self.finished.push(std::mem::replace(&mut self.recorder, next).finish()?);
            self.gates = 0;
        }
        self.gates += gates;
        Ok(&mut self.recorder)
    }

    /// Records the forward or backward pass over all steps of the soft automaton (differentiable gates). The pass is
    /// split by steps and by workgroups into dispatches of bounded work. `times` is the cost of a step of this pass as
    /// a multiple of the cost of a forward step. `sizes(n)` returns the index of the step that the pass processes after
    /// n other steps. Each dispatch has three uniforms: `first`, the index of the first step that it processes;
    /// `count`, its number of steps; and `group`, the index of its first workgroup among all workgroups of a step.
    fn soft(
        &mut self,
        shader: &Shader<'_>,
        layout: &LogicGpuLayout,
        times: usize,
        sizes: impl Fn(usize) -> usize,
    ) -> Result<(), GpuError> {
        let of_a_group = (times * layout.group_chunks * layout.lanes * layout.gates_per_cell()).max(1);
        let group_steps = (self.most / (of_a_group * layout.groups)).clamp(1, layout.group_steps);
        let groups = (self.most / (of_a_group * group_steps)).clamp(1, layout.groups);
        for first in (0..layout.steps).step_by(group_steps) {
            let count = group_steps.min(layout.steps - first);
            for group in (0..layout.groups).step_by(groups) {
                let groups = groups.min(layout.groups - group);
                let words = [("first", sizes(first)), ("count", count), ("group", group)];
                let recorder = self.of(of_a_group * groups * count)?;
                shader.clone().uniforms(words).record(recorder, dispatch_size(groups))?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<GpuProgram>, GpuError> {
        self.finished.push(self.recorder.finish()?);
        Ok(self.finished)
    }
}

/// Records the programs of an epoch, in slices (submissions) of at most `gates_at_once` gate evaluations.
///
/// # Errors
/// [`LogicError`] if the circuit has too many values for a workgroup, or a kernel is rejected.
pub(super) fn epoch(
    gpu: &Gpu,
    gates_at_once: usize,
    config: &LogicConfig,
    layout: &LogicGpuLayout,
    wiring: &Wiring,
    memory: &TrainerBuffers,
) -> Result<EpochPrograms, LogicError> {
    let text = LogicShaders { layout: layout.part(), transfers: transfers::part(config.finish_streak()) };
    let mut recorder = GpuRecorder::new(gpu);
    let TrainerBuffers { settings, bits, states, planes, .. } = memory;

    let mask_words = if layout.asynchronous { layout.steps * layout.words() } else { 0 };
    let drawn = layout.channels * layout.words() + layout.steps + mask_words;
    let hardening = [RANDOM_WGSL, vivarium_gpu::shader!("hardening.wgsl")].concat();
    let draw = [&*hardening, vivarium_gpu::shader!("update_mask.wgsl"), vivarium_gpu::shader!("draw.wgsl")];
    text.plain("draw", &draw)
        .buffers([("settings", settings), ("bits", bits), ("states", states), ("planes", planes)])
        .record_each(&mut recorder, drawn)?;
    let draw = recorder.finish()?;
    let mut recorder = GpuRecorder::new(gpu);
    follow_life(&mut recorder, layout, memory)?;
    let life = recorder.finish()?;

    let mut slices = SliceRecorder::new(gpu, gates_at_once);
    let recorder = slices.of(0)?;
    let gate_groups = dispatch_size(layout.gates().div_ceil(16));
    let softmax = [math_wgsl(), vivarium_gpu::shader!("softmax.wgsl")].concat();
    text.plain("collapse", &[&hardening, &softmax, vivarium_gpu::shader!("collapse.wgsl")])
        .buffers([
            ("settings", settings),
            ("logits", &memory.logits),
            ("coefficients", &memory.coefficients),
            ("functions", &memory.functions),
        ])
        .record(recorder, gate_groups)?;

    let perception = perception::wgsl(wiring, layout.kernels, false);
    let forward = text.soft("forward", [&perception, vivarium_gpu::shader!("forward.wgsl")], memory);
    slices.soft(&forward, layout, 1, |first| first)?;

    // One instruction per gate and word of 32 cells.
    let words = layout.steps * layout.words() * layout.gates_per_cell();
    let recorder = slices.of(words)?;
    hard(recorder, config, layout, wiring, memory)?;
    let sum = sum_wgsl("total", "vec2<f32>");
    text.plain("loss", &[&sum, ONE_MINUS_EXP_WGSL, vivarium_gpu::shader!("loss.wgsl")])
        .buffers([
            ("bits", bits),
            ("states", states),
            ("planes", planes),
            ("functions", &memory.functions),
            ("report", &memory.report),
            ("settings", settings),
        ])
        .record(recorder, [1, 1, 1])?;

    if layout.recording_words() > 0 {
        text.plain("recording", &[vivarium_gpu::shader!("recording.wgsl")])
            .buffers([("states", states), ("planes", planes), ("recording", &memory.recording)])
            .record_each(recorder, layout.recording_words() / 2)?;
    }

    let perception = perception::wgsl(wiring, layout.kernels, true);
    let backward = text
        .soft("backward", [&perception, vivarium_gpu::shader!("backward.wgsl")], memory)
        .buffers([("gradients", &memory.gradients), ("slices", &memory.slices)]);
    slices.soft(&backward, layout, BACK, |done| layout.steps - 1 - done)?;
    text.plain("adamw", &[&softmax, vivarium_gpu::shader!("adamw.wgsl")])
        .buffers([
            ("settings", settings),
            ("logits", &memory.logits),
            ("report", &memory.report),
            ("slices", &memory.slices),
            ("first_moment", &memory.first_moment),
            ("second_moment", &memory.second_moment),
        ])
        .record(slices.of(0)?, gate_groups)?;
    Ok(EpochPrograms { draw, life, rest: slices.finish()? })
}

/// Records the dispatches that run the hard automaton, in which each gate computes its most probable function, for all
/// steps of an epoch. The kernel reads the functions from [`TrainerBuffers::functions`], because training changes them
/// in each epoch.
fn hard(
    recorder: &mut GpuRecorder,
    config: &LogicConfig,
    layout: &LogicGpuLayout,
    wiring: &Wiring,
    memory: &TrainerBuffers,
) -> Result<(), LogicError> {
    let architecture = config.architecture();
    let too_large = |allowed: String| LogicError::Config(config.refused("update", allowed));
    // AND is a placeholder function: it depends on both inputs, like a gate whose function may change.
    let both = vec![1; architecture.gates()];
    let circuit = Circuit::from_functions(&architecture, wiring, &both)
        .map_err(|error| too_large(format!("circuit is too large for the GPU: {error}")))?;
    // The circuit contains each kernel gate once per channel.
    let of_channels = layout.perceive_gates * layout.channels;
    let trained = |number: usize| {
        let perceived = number % layout.perceive_gates.max(1);
        if number < of_channels { perceived } else { number - of_channels + layout.perceive_gates }
    };
    let interpreter = Interpreter::new(recorder.gpu(), &circuit, |number| trained(number) as u32)?
        .ok_or_else(|| {
            too_large("circuit has more live values than fit the workgroup memory of the GPU".into())
        })?;
    let automaton = InterpreterBuffers {
        functions: &memory.functions,
        bits: &memory.bits,
        mask_offset: layout.asynchronous.then(|| layout.update_mask_at()),
        settings: &memory.settings,
        run: setting::RUN,
        planes: &memory.planes,
        kept: layout.steps + 1,
    };
    Ok(interpreter.record(recorder, layout.grid, automaton, layout.steps)?)
}

/// Records the computation of the target bits by the Game of Life from the first channel of the initial state.
fn follow_life(
    recorder: &mut GpuRecorder,
    layout: &LogicGpuLayout,
    memory: &TrainerBuffers,
) -> Result<(), GpuError> {
    let (gpu, circuit) = (recorder.gpu().clone(), life::circuit());
    let functions: Vec<u32> = (0..FUNCTIONS as u32).collect();
    let functions = gpu.upload("truth tables", &functions)?;
    let Some(rule) = Interpreter::new(&gpu, &circuit, |gate| circuit.gates()[gate].function.into())? else {
        unreachable!("the circuit of the Game of Life has a few dozen values")
    };
    let planes = gpu.zeros("boards of Life", 2 * layout.words())?;
    let automaton = InterpreterBuffers {
        functions: &functions,
        bits: &memory.bits,
        mask_offset: None,
        settings: &memory.settings,
        run: setting::RUN,
        planes: &planes,
        kept: 2,
    };
    recorder.copy(&memory.planes, 0, &planes, 0, layout.words());
    rule.record(recorder, layout.grid, automaton, layout.steps)?;
    let last = layout.steps % 2 * layout.words();
    recorder.copy(&planes, last, &memory.bits, LogicGpuLayout::TARGET_BITS, layout.words());
    Ok(())
}
