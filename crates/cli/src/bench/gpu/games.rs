//! The forward pass of backgammon networks of several sizes, on the device and on every core: from which size on the device
//! is the faster one.

use super::device::fastest;
use crate::bench::games::dense::Dense;
use crate::bench::{Figure, Reporter, timing};
use crate::failure::Failure;
use crate::machine;
use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSize, SelfPlayGame};
use vivarium_envs::backgammon::State;
use vivarium_gpu::{Gpu, GpuError, GpuProgram, GpuRecorder, ReadbackRing, floats};
use vivarium_graph::Cpu;

/// Width and blocks: from the smallest preset's to eight times the reference's width.
const SIZES: [(usize, usize); 5] = [(64, 2), (128, 3), (256, 4), (512, 6), (1024, 8)];

/// From this width on a program on the processor takes minutes, so it is left out there unless it was asked for by name.
const LARGE: usize = 512;

/// States evaluated together: the leaves of as many games.
const ROWS: usize = 4_096;

/// Rows that a thread of the CPU takes at a time.
const CPU_ROWS: usize = 256;

/// Measures and reports the figures: states a second, with the way to the device and back.
///
/// # Errors
/// What the device reports.
pub fn run(reporter: &mut Reporter, gpu: &Gpu) -> Result<(), Failure> {
    let report = gpu.adapter_info();
    for (width, blocks) in SIZES {
        let name = format!("gpu/{}/forward/{width}x{blocks}", State::NAME);
        let too_slow = report.software && width >= LARGE && !reporter.is_named(&name);
        if !reporter.wants(&name) || too_slow {
            continue;
        }
        let size = NetworkSize { width, blocks };
        let network = AlphaZeroNetwork::<State>::new(size, 1).map_err(Failure::failed_by)?;
        let mut on_gpu = OnGpu::new(gpu, &network)?;
        on_gpu.compare(&network)?;
        let ours = fastest(reporter.seconds(), || on_gpu.evaluate()).map_err(Failure::failed_by)?;
        let rival = on_cpu(&network, reporter.seconds())?;
        let rate = |seconds: f64| ROWS as f64 / seconds;
        let figure = Figure::new(name, rate(ours), "states/s").on_gpu(&report.name);
        reporter.report(figure.against("the CPU engine", rate(rival)));
    }
    Ok(())
}

/// By how much a chance may differ: the device adds in another order.
const TOLERANCE: f32 = 1e-3;

struct OnGpu<'a> {
    gpu: &'a Gpu,
    network: vivarium_gpu::GpuPlan,
    program: GpuProgram,
    states: Vec<f32>,
    /// Where logits and chances come back.
    back: ReadbackRing,
    words: Vec<u32>,
}

impl<'a> OnGpu<'a> {
    fn new(gpu: &'a Gpu, network: &AlphaZeroNetwork<State>) -> Result<Self, Failure> {
        let Dense { plan, states, .. } = Dense::new(network, ROWS)?;
        let ready = || -> Result<Self, GpuError> {
            let on_device = vivarium_gpu::GpuPlan::new(gpu, &plan, ROWS)?;
            let parameters = gpu.upload("parameters", network.parameters().flat())?;
            let mut recorder = GpuRecorder::new(gpu);
            on_device.record(&mut recorder, &parameters, None)?;
            let program = recorder.finish()?;
            let back = ReadbackRing::new(gpu, on_device.output(0).len() + on_device.output(1).len(), 1)?;
            Ok(Self { gpu, network: on_device, program, states, back, words: Vec::new() })
        };
        ready().map_err(Failure::failed_by)
    }

    fn evaluate(&mut self) -> Result<(), GpuError> {
        let Self { gpu, network, program, states, back, words } = self;
        let arena = network.arena();
        gpu.write(arena, network.input(0).start, states);
        gpu.submit(|encoder| {
            encoder.run(program);
            back.copy(encoder, [(arena, network.output(0)), (arena, network.output(1))]);
        })?;
        back.submitted();
        back.wait(words)
    }

    /// Evaluates, and compares the chances with the CPU's: a fast wrong answer is no figure.
    fn compare(&mut self, network: &AlphaZeroNetwork<State>) -> Result<(), Failure> {
        self.evaluate().map_err(Failure::failed_by)?;
        let mut on_cpu = Dense::new(network, ROWS)?;
        on_cpu.run();
        let chances = &floats(&self.words)[on_cpu.logits.len()..];
        let off = |(a, b): (&f32, &f32)| (a - b).abs().is_nan() || (a - b).abs() > TOLERANCE;
        match chances.iter().zip(&on_cpu.heads).filter(|&pair| off(pair)).count() {
            0 => Ok(()),
            wrong => Err(Failure::failed(format!("bench gpu: {wrong} chances differ from the CPU's"))),
        }
    }
}

/// Seconds of as many states on every core.
fn on_cpu(network: &AlphaZeroNetwork<State>, seconds: f64) -> Result<f64, Failure> {
    let cpu = Cpu::new(machine::cores());
    let parts = ROWS / CPU_ROWS;
    let mut passes = (0..parts).map(|_| Dense::new(network, CPU_ROWS)).collect::<Result<Vec<_>, _>>()?;
    Ok(timing::fastest(seconds, || cpu.for_each(&mut passes, |_, pass| pass.run())))
}
