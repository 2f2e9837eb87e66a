//! Logic automata on the device: a training epoch of the checkerboard, and cell updates per second of a hard circuit.

use super::cost_model::{CostModel, PARTS};
use super::device::{fastest, one_of_many};
use crate::bench::logic_ca::epoch;
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use vivarium_gpu::Gpu;
use vivarium_logic_ca::gpu_trainer::{GpuAutomaton, LogicGpuTrainer};
use vivarium_logic_ca::{Grid, LogicCa, LogicConfig, LogicError, LogicPreset};

/// Side length of the square board in cells: the maximum of the web page.
const SIDE: usize = 1024;

/// Runs the logic-automaton benchmarks on the device and reports the results.
///
/// # Errors
/// Device errors.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    learning(reporter, gpu, cost_model)
        .and_then(|()| stepping(reporter, gpu, cost_model))
        .map_err(CliError::failed_by)
}

fn learning(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), LogicError> {
    let Some([name, dispatches, bytes]) = reporter.wants_any("gpu/logic-ca/epoch", PARTS) else {
        return Ok(());
    };
    let learner = LogicCa::new(LogicConfig::of(LogicPreset::Checkerboard), 1)?;
    let mut trainer = LogicGpuTrainer::new(gpu, &learner)?;
    let seconds = one_of_many(gpu, reporter.seconds(), || trainer.advance().map(drop))?;
    let on_cpu = epoch::seconds_per_epoch(LogicPreset::Checkerboard, machine::cores(), reporter.seconds())?;
    let (cost, adapter) = (trainer.cost(), &gpu.adapter_info().name);
    let bound = 1e3 * cost_model.seconds(cost)?;
    let figure = BenchFigure::new(name, 1e3 * seconds, "ms").on_gpu(adapter).bounded_by(bound);
    reporter.report(figure.against("the CPU engine", 1e3 * on_cpu));
    reporter.report(BenchFigure::new(dispatches, cost.dispatches as f64, "an epoch").on_gpu(adapter));
    reporter.report(BenchFigure::new(bytes, cost.bytes_copied as f64 * 1e-6, "MB/epoch").on_gpu(adapter));
    Ok(())
}

/// Measures cell updates per second of the checkerboard preset's untrained, unpruned circuit. The cost of a gate does
/// not depend on its function.
fn stepping(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), LogicError> {
    let name = "gpu/logic-ca/hard";
    if !reporter.wants(name) {
        return Ok(());
    }
    let config = LogicConfig::of(LogicPreset::Checkerboard);
    let circuit = LogicCa::new(config.clone(), 1)?.hard_circuit();
    let grid = Grid { boards: 1, height: SIDE, width: SIDE, border: config.border };
    let mut automaton = GpuAutomaton::new(gpu, &circuit, grid)?;
    let steps = automaton.steps_at_once();
    let seconds = fastest(reporter.seconds(), || {
        automaton.run(steps, None, 0)?;
        automaton.wait()
    })?;
    let (all, bound) = ((grid.lanes() * steps) as f64, cost_model.seconds(automaton.cost())?);
    let figure = BenchFigure::new(name, all / seconds, "cell-steps/s").on_gpu(&gpu.adapter_info().name);
    reporter.report(figure.bounded_by(all / bound));
    Ok(())
}
