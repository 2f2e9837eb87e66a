//! What the device does in an epoch, recorded once.

use super::exchange::{self, REPORT, SETTINGS, setting};
use super::interpreter::{Interpreter, Memory as Automaton};
use super::layout::Layout;
use super::perception;
use super::tables::tables;
use crate::circuit::Wiring;
use crate::config::LogicConfig;
use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::hard::{Circuit, life};
use crate::program::Program as Netlist;
use vivarium_config::Config;
use vivarium_gpu::worlds::RANDOM_WGSL;
use vivarium_gpu::{Buffer, Cost, Encoder, Gpu, GpuError, Kernel, Program, Recorder, spread};
use vivarium_gpu::{MATH_WGSL, sum_wgsl};

/// Everything that lasts from one dispatch to the next.
pub(super) struct Memory {
    pub settings: Buffer,
    pub report: Buffer,
    pub logits: Buffer,
    pub first_moment: Buffer,
    pub second_moment: Buffer,
    /// How many channels the target has, its planes, and which cells fire in which step.
    pub bits: Buffer,
    /// States of the soft automaton and of the hard one, of all steps.
    pub states: Buffer,
    pub planes: Buffer,
    /// The first board of both.
    pub film: Buffer,
    tables: Buffer,
    coefficients: Buffer,
    functions: Buffer,
    gradients: Buffer,
    slices: Buffer,
}

impl Memory {
    pub fn new(gpu: &Gpu, layout: &Layout, netlist: &Netlist) -> Result<Self, GpuError> {
        let numbers = layout.gates() * FUNCTIONS;
        let zeros = |what, words| gpu.zeros(what, words);
        Ok(Self {
            settings: zeros("settings", SETTINGS)?,
            report: zeros("the report", REPORT)?,
            logits: zeros("logits", numbers)?,
            first_moment: zeros("first moments", numbers)?,
            second_moment: zeros("second moments", numbers)?,
            bits: zeros("targets and firing cells", layout.bits())?,
            states: zeros("the states of all steps", layout.states())?,
            planes: zeros("the hard states of all steps", layout.planes())?,
            film: zeros("the film", layout.film().max(1))?,
            tables: gpu.upload("tables", &tables(layout, netlist))?,
            coefficients: zeros("coefficients", 4 * layout.gates())?,
            functions: zeros("functions", 2 * layout.gates())?,
            gradients: zeros("gradients of two steps", layout.gradients())?,
            slices: zeros("sums of all workgroups", 4 * layout.groups * layout.slice())?,
        })
    }
}

/// The texts that kernels have in common.
struct Text {
    layout: String,
    lanes: String,
    exchange: String,
}

impl Text {
    fn plain(&self, pieces: &[&str]) -> String {
        [&self.layout, &self.exchange, &*pieces.concat()].concat()
    }

    fn kernel(&self, gpu: &Gpu, label: &str, pieces: &[&str]) -> Result<Kernel, GpuError> {
        gpu.kernel(label, &self.plain(pieces), &[])
    }

    /// A kernel that takes the soft automaton through the circuit.
    fn soft(&self, gpu: &Gpu, label: &str, perception: &str, text: &str) -> Result<Kernel, GpuError> {
        gpu.kernel(
            label,
            &[&*self.layout, &*self.lanes, vivarium_gpu::shader!("circuit.wgsl"), perception, text].concat(),
            &[],
        )
    }
}

/// An epoch: what is drawn, what Life makes of it, which is the target where there is no pattern, and all the rest, cut
/// into slices of bounded work. Each slice is a submission of its own, so that a slow device can be left between two of
/// them; on a fast device most epochs are one slice.
pub(super) struct Epoch {
    draw: Program,
    life: Program,
    rest: Vec<Program>,
}

impl Epoch {
    /// How many slices the epoch has, at least one.
    pub fn slices(&self) -> usize {
        self.rest.len()
    }

    /// Hands the device a slice.
    pub fn encode(&self, encoder: &mut Encoder, slice: usize, has_pattern: bool) {
        if slice == 0 {
            encoder.run(&self.draw);
            if !has_pattern {
                encoder.run(&self.life);
            }
        }
        encoder.run(&self.rest[slice]);
    }

    /// What the whole epoch asks of the device.
    pub fn cost(&self, has_pattern: bool) -> Cost {
        let life = if has_pattern { Cost::default() } else { self.life.cost() };
        self.rest.iter().fold(self.draw.cost() + life, |sum, slice| sum + slice.cost())
    }
}

/// Gates of a slice that a software adapter evaluates, a tenth of a second or two.
const SOFTWARE_GATES: usize = 1 << 20;

/// Gates of a slice that a GPU evaluates: also some tenths of a second, on a slow one.
const HARDWARE_GATES: usize = 1 << 28;

/// A step back takes so many times as long as a step.
const BACK: usize = 3;

/// The most gates of a slice.
pub(super) fn gates_at_once(gpu: &Gpu) -> usize {
    if gpu.report().software { SOFTWARE_GATES } else { HARDWARE_GATES }
}

/// Records slices one after the other.
struct Slices {
    recorder: Recorder,
    finished: Vec<Program>,
    /// Gates of the slice that is being recorded, and the most that one may have.
    gates: usize,
    most: usize,
}

impl Slices {
    fn new(gpu: &Gpu, most: usize) -> Self {
        Self { recorder: Recorder::new(gpu), finished: Vec::new(), gates: 0, most }
    }

    /// The recorder for a dispatch that evaluates so many gates: that of a new slice, if the present one would have too many.
    fn of(&mut self, gates: usize) -> Result<&mut Recorder, GpuError> {
        if self.gates > 0 && self.gates + gates > self.most {
            let next = Recorder::new(self.recorder.gpu());
            self.finished.push(std::mem::replace(&mut self.recorder, next).finish()?);
            self.gates = 0;
        }
        self.gates += gates;
        Ok(&mut self.recorder)
    }

    /// Records `steps` of the soft automaton in dispatches of a bounded number of gates, each of which is `times` an
    /// evaluation. The first two words of a dispatch's uniforms are `sizes` of the first of its steps and their number.
    fn soft(
        &mut self,
        (kernel, buffers): (&Kernel, &[&Buffer]),
        layout: &Layout,
        times: usize,
        sizes: impl Fn(usize) -> usize,
    ) -> Result<(), GpuError> {
        let of_a_group = (times * layout.group_chunks * layout.lanes * layout.gates_of_a_cell()).max(1);
        let group_steps = (self.most / (of_a_group * layout.groups)).clamp(1, layout.group_steps);
        let groups = (self.most / (of_a_group * group_steps)).clamp(1, layout.groups);
        for first in (0..layout.steps).step_by(group_steps) {
            let count = group_steps.min(layout.steps - first);
            for group in (0..layout.groups).step_by(groups) {
                let groups = groups.min(layout.groups - group);
                let words = [sizes(first) as u32, count as u32, group as u32];
                self.of(of_a_group * groups * count)?.dispatch(kernel, buffers, &words, spread(groups));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Program>, GpuError> {
        self.finished.push(self.recorder.finish()?);
        Ok(self.finished)
    }
}

/// Records an epoch in slices of at most so many gates.
///
/// # Errors
/// [`LogicError`] where the circuit has too many values for a workgroup, or a kernel is refused.
pub(super) fn epoch(
    gpu: &Gpu,
    gates_at_once: usize,
    config: &LogicConfig,
    layout: &Layout,
    wiring: &Wiring,
    memory: &Memory,
) -> Result<Epoch, LogicError> {
    let text = Text {
        layout: layout.wgsl(),
        lanes: layout.lanes_wgsl(),
        exchange: exchange::wgsl(layout, config.settles_after()),
    };
    let mut recorder = Recorder::new(gpu);
    let Memory { settings, bits, states, planes, .. } = memory;

    let firing = if layout.asynchronous { layout.steps * layout.words() } else { 0 };
    let drawn = layout.channels * layout.words() + layout.steps + firing;
    let hardening = [RANDOM_WGSL, vivarium_gpu::shader!("hardening.wgsl")].concat();
    let draw =
        text.plain(&[&hardening, vivarium_gpu::shader!("fire.wgsl"), vivarium_gpu::shader!("draw.wgsl")]);
    recorder.for_each("draw", &[&draw], &[settings, bits, states, planes], &[], drawn)?;
    let draw = recorder.finish()?;
    let mut recorder = Recorder::new(gpu);
    follow_life(&mut recorder, layout, memory)?;
    let life = recorder.finish()?;

    let mut slices = Slices::new(gpu, gates_at_once);
    let recorder = slices.of(0)?;
    let gate_groups = spread(layout.gates().div_ceil(16));
    let softmax = [MATH_WGSL, vivarium_gpu::shader!("softmax.wgsl")].concat();
    let collapse =
        text.kernel(gpu, "collapse", &[&hardening, &softmax, vivarium_gpu::shader!("collapse.wgsl")])?;
    let buffers = [settings, &memory.logits, &memory.coefficients, &memory.functions];
    recorder.dispatch(&collapse, &buffers, &[], gate_groups);

    let perception = perception::wgsl(wiring, layout.kernels, false);
    let forward = text.soft(gpu, "forward", &perception, vivarium_gpu::shader!("forward.wgsl"))?;
    let buffers = [&memory.tables, &memory.coefficients, bits, states];
    slices.soft((&forward, &buffers), layout, 1, |first| first)?;

    // 32 cells to a word, and an instruction for each gate.
    let words = layout.steps * layout.words() * layout.gates_of_a_cell();
    let recorder = slices.of(words)?;
    hard(recorder, config, layout, wiring, memory)?;
    let judge =
        text.kernel(gpu, "judge", &[&sum_wgsl("total", "vec2<f32>"), vivarium_gpu::shader!("judge.wgsl")])?;
    let buffers = [bits, states, planes, &memory.functions, &memory.report, settings];
    recorder.dispatch(&judge, &buffers, &[], [1, 1, 1]);

    if layout.film() > 0 {
        let film = text.plain(&[vivarium_gpu::shader!("film.wgsl")]);
        recorder.for_each("film", &[&film], &[states, planes, &memory.film], &[], layout.film() / 2)?;
    }

    let perception = perception::wgsl(wiring, layout.kernels, true);
    let back = layout.back_wgsl() + vivarium_gpu::shader!("backward.wgsl");
    let backward = text.soft(gpu, "backward", &perception, &back)?;
    let buffers = [&memory.tables, &memory.coefficients, bits, states, &memory.gradients, &memory.slices];
    slices.soft((&backward, &buffers), layout, BACK, |done| layout.steps - 1 - done)?;
    let recorder = slices.of(0)?;
    let learn = text.kernel(gpu, "learn", &[&softmax, vivarium_gpu::shader!("learn.wgsl")])?;
    let buffers = [
        settings,
        &memory.logits,
        &memory.report,
        &memory.slices,
        &memory.first_moment,
        &memory.second_moment,
    ];
    recorder.dispatch(&learn, &buffers, &[], gate_groups);
    Ok(Epoch { draw, life, rest: slices.finish()? })
}

/// The hard automaton's steps. Its gates are looked up among what the gates are in the epoch.
fn hard(
    recorder: &mut Recorder,
    config: &LogicConfig,
    layout: &Layout,
    wiring: &Wiring,
    memory: &Memory,
) -> Result<(), LogicError> {
    let architecture = config.architecture();
    let too_large = |allowed: String| LogicError::Config(config.refused("update", allowed));
    // Gates that read both inputs, whatever they are.
    let both = vec![1; architecture.gates()];
    let circuit = Circuit::of_functions(&architecture, wiring, &both)
        .map_err(|error| too_large(format!("it is too large for the GPU: {error}")))?;
    // The perception's gates stand there once for each channel.
    let of_channels = layout.perceive_gates * layout.channels;
    let learned = |number: usize| {
        let perceived = number % layout.perceive_gates.max(1);
        if number < of_channels { perceived } else { number - of_channels + layout.perceive_gates }
    };
    let interpreter = Interpreter::new(recorder.gpu(), &circuit, |number| learned(number) as u32)?
        .ok_or_else(|| too_large("it has more values at a time than a workgroup's memory".into()))?;
    let automaton = Automaton {
        functions: &memory.functions,
        bits: &memory.bits,
        fired: layout.asynchronous.then(|| layout.fired_at()),
        settings: &memory.settings,
        run: setting::RUN,
        planes: &memory.planes,
        kept: layout.steps + 1,
    };
    interpreter.record(recorder, layout.grid, automaton, layout.steps);
    Ok(())
}

/// The target, where there is no pattern: what Life makes of the start's first channel.
fn follow_life(recorder: &mut Recorder, layout: &Layout, memory: &Memory) -> Result<(), GpuError> {
    let (gpu, circuit) = (recorder.gpu().clone(), life::circuit());
    let functions: Vec<u32> = (0..FUNCTIONS as u32).collect();
    let functions = gpu.upload("truth tables", &functions)?;
    let Some(rule) = Interpreter::new(&gpu, &circuit, |gate| circuit.gates()[gate].function.into())? else {
        unreachable!("the circuit of Life has a few dozen values")
    };
    let planes = gpu.zeros("boards of Life", 2 * layout.words())?;
    let automaton = Automaton {
        functions: &functions,
        bits: &memory.bits,
        fired: None,
        settings: &memory.settings,
        run: setting::RUN,
        planes: &planes,
        kept: 2,
    };
    recorder.copy(&memory.planes, 0, &planes, 0, layout.words());
    rule.record(recorder, layout.grid, automaton, layout.steps);
    let last = layout.steps % 2 * layout.words();
    recorder.copy(&planes, last, &memory.bits, Layout::WANTED, layout.words());
    Ok(())
}
