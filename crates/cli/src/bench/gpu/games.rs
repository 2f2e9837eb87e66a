//! Forward passes of backgammon networks of several sizes, on the device and on all CPU cores.

use super::device::fastest;
use crate::bench::games::dense::DenseForward;
use crate::bench::{BenchFigure, Reporter, timing};
use crate::error::CliError;
use crate::machine;
use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSize, SelfPlayGame};
use vivarium_envs::backgammon::State;
use vivarium_gpu::{Gpu, GpuError, GpuProgram, GpuRecorder, ReadbackRing, floats};
use vivarium_graph::Cpu;

/// Benchmarked network sizes (width, number of residual blocks), from the smallest preset to eight times the default
/// width.
const SIZES: [(usize, usize); 5] = [(64, 2), (128, 3), (256, 4), (512, 6), (1024, 8)];

/// Smallest network width that is skipped on a software adapter, where the benchmark takes minutes. A benchmark whose
/// full name is on the command line is never skipped.
const MIN_SKIPPED_WIDTH: usize = 512;

/// Number of states in a batch: one search leaf of each of 4,096 concurrent games.
const ROWS: usize = 4_096;

/// Number of states of the batch that one CPU task evaluates.
const CPU_ROWS: usize = 256;

/// Runs the forward-pass benchmarks on the device and reports states per second. The time includes upload of the
/// states and readback of the outputs.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu) -> Result<(), CliError> {
    let report = gpu.adapter_info();
    for (width, blocks) in SIZES {
        let name = format!("gpu/{}/forward/{width}x{blocks}", State::NAME);
        let too_slow = report.software && width >= MIN_SKIPPED_WIDTH && !reporter.is_named(&name);
        if !reporter.selects(&name) || too_slow {
            continue;
        }
        let size = NetworkSize { width, blocks };
        let network = AlphaZeroNetwork::<State>::new(size, 1).map_err(CliError::failed_by)?;
        let mut on_gpu = GpuForward::new(gpu, &network)?;
        on_gpu.check_against_cpu(&network)?;
        let ours = fastest(reporter.seconds(), || on_gpu.evaluate()).map_err(CliError::failed_by)?;
        let rival = seconds_on_cpu(&network, reporter.seconds())?;
        let rate = |seconds: f64| ROWS as f64 / seconds;
        let figure = BenchFigure::new(name, rate(ours), "states/s").on_gpu(&report.name);
        reporter.report(figure.against("the CPU engine", rate(rival)));
    }
    Ok(())
}

/// Maximum difference between outcome probabilities of CPU and GPU. The engines add in different orders, so small
/// differences are expected.
const TOLERANCE: f32 = 1e-3;

struct GpuForward<'a> {
    gpu: &'a Gpu,
    network: vivarium_gpu::GpuPlan,
    program: GpuProgram,
    states: Vec<f32>,
    /// Buffers through which logits and outcome probabilities are read back from the device.
    readback: ReadbackRing,
    words: Vec<u32>,
}

impl<'a> GpuForward<'a> {
    fn new(gpu: &'a Gpu, network: &AlphaZeroNetwork<State>) -> Result<Self, CliError> {
        let DenseForward { plan, states, .. } = DenseForward::new(network, ROWS)?;
        let ready = || -> Result<Self, GpuError> {
            let on_device = vivarium_gpu::GpuPlan::new(gpu, &plan, ROWS)?;
            let parameters = gpu.upload("parameters", network.parameters().flat())?;
            let mut recorder = GpuRecorder::new(gpu);
            on_device.record(&mut recorder, &parameters, None)?;
            let program = recorder.finish()?;
            let readback = ReadbackRing::new(gpu, on_device.output(0).len() + on_device.output(1).len(), 1)?;
            Ok(Self { gpu, network: on_device, program, states, readback, words: Vec::new() })
        };
        ready().map_err(CliError::failed_by)
    }

    fn evaluate(&mut self) -> Result<(), GpuError> {
        let Self { gpu, network, program, states, readback, words } = self;
        let arena = network.arena();
        gpu.write(arena, network.input(0).start, states);
        gpu.submit(|encoder| {
            encoder.run(program);
            readback.copy(encoder, [(arena, network.output(0)), (arena, network.output(1))]);
        })?;
        readback.submitted();
        readback.wait(words)
    }

    /// Evaluates a batch on the device and compares the outcome probabilities with the results of the CPU engine.
    ///
    /// # Errors
    /// [`CliError::Failed`] if the device fails, or if a probability differs by more than [`TOLERANCE`].
    fn check_against_cpu(&mut self, network: &AlphaZeroNetwork<State>) -> Result<(), CliError> {
        self.evaluate().map_err(CliError::failed_by)?;
        let mut on_cpu = DenseForward::new(network, ROWS)?;
        on_cpu.run();
        let probabilities = &floats(&self.words)[on_cpu.logits.len()..];
        let off = |(a, b): (&f32, &f32)| (a - b).abs().is_nan() || (a - b).abs() > TOLERANCE;
        match probabilities.iter().zip(&on_cpu.heads).filter(|&pair| off(pair)).count() {
            0 => Ok(()),
            wrong => Err(CliError::failed(format!(
                "bench gpu: {wrong} probabilities differ from the results of the CPU engine; update the GPU driver, or \
                 select another adapter with --adapter"
            ))),
        }
    }
}

/// Returns the duration in seconds of the fastest evaluation of [`ROWS`] states on all CPU cores.
fn seconds_on_cpu(network: &AlphaZeroNetwork<State>, seconds: f64) -> Result<f64, CliError> {
    let cpu = Cpu::new(machine::cores());
    let parts = ROWS / CPU_ROWS;
    let mut passes =
        (0..parts).map(|_| DenseForward::new(network, CPU_ROWS)).collect::<Result<Vec<_>, _>>()?;
    Ok(timing::fastest(seconds, || cpu.for_each(&mut passes, |_, pass| pass.run())))
}
