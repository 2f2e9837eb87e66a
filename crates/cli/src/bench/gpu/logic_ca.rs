//! Logic automata on the device: a training epoch of the preset `checkerboard`, and cell updates per second of its
//! hard (Boolean) circuit.

use super::cost_model::{CostModel, RESULT_SUFFIXES};
use super::device::{fastest, overlapping_call_seconds};
use crate::bench::logic_ca::epoch;
use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use vivarium_gpu::Gpu;
use vivarium_logic_ca::gpu_trainer::{GpuAutomaton, LogicGpuTrainer};
use vivarium_logic_ca::{Grid, LogicCa, LogicConfig, LogicError, LogicPreset};

/// Side length of the measured square board in cells; equals the maximum in the web page.
const BOARD_SIDE: usize = 1024;

/// Runs the logic-automaton benchmarks on the device and reports the results.
///
/// # Errors
/// [`CliError::Failed`] if the device fails.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), CliError> {
    training_epoch(reporter, gpu, cost_model)
        .and_then(|()| cell_updates(reporter, gpu, cost_model))
        .map_err(CliError::failed_by)
}

fn training_epoch(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), LogicError> {
    let Some([name, dispatches, bytes]) = reporter.select_group("gpu/logic-ca/epoch", RESULT_SUFFIXES) else {
        return Ok(());
    };
    let learner = LogicCa::new(LogicConfig::of(LogicPreset::Checkerboard), 1)?;
    let mut trainer = LogicGpuTrainer::new(gpu, &learner)?;
    let seconds = overlapping_call_seconds(gpu, reporter.seconds(), || trainer.advance().map(drop))?;
    let on_cpu = epoch::seconds_per_epoch(LogicPreset::Checkerboard, machine::cores(), reporter.seconds())?;
    let (cost, adapter) = (trainer.cost(), &gpu.adapter_info().name);
    let bound = 1e3 * cost_model.seconds(cost)?;
    let figure = BenchFigure::new(name, 1e3 * seconds, "ms").on_gpu(adapter).bounded_by(bound);
    reporter.report(figure.against("the CPU engine", 1e3 * on_cpu));
    reporter.report(BenchFigure::new(dispatches, cost.dispatches as f64, "an epoch").on_gpu(adapter));
    reporter.report(BenchFigure::new(bytes, cost.bytes_copied as f64 * 1e-6, "MB/epoch").on_gpu(adapter));
    Ok(())
}

/// Measures the cell updates per second of the untrained, unpruned circuit of the preset `checkerboard`. Training
/// would not change the speed, because the cost of a gate does not depend on its function.
fn cell_updates(reporter: &mut Reporter, gpu: &Gpu, cost_model: &CostModel<'_>) -> Result<(), LogicError> {
    let name = "gpu/logic-ca/hard";
    if !reporter.selects(name) {
        return Ok(());
    }
    let config = LogicConfig::of(LogicPreset::Checkerboard);
    let circuit = LogicCa::new(config.clone(), 1)?.hard_circuit();
    let grid = Grid { boards: 1, height: BOARD_SIDE, width: BOARD_SIDE, border: config.border };
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
