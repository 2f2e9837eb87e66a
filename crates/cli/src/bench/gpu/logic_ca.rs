//! Logic automata on the device: an epoch of the checkerboard, and how fast a hard circuit is stepped.

use super::PARTS;
use super::device::{fastest, one_of_many};
use super::floor::Floor;
use crate::bench::logic_ca::epoch;
use crate::bench::{Figure, Reporter};
use crate::failure::Failure;
use crate::machine;
use vivarium_gpu::Gpu;
use vivarium_logic_ca::gpu_trainer::{GpuAutomaton, LogicGpuTrainer};
use vivarium_logic_ca::{Grid, LogicCa, LogicConfig, LogicError, LogicPreset};

/// Columns and rows of the hard automaton's board: the largest that the page offers.
const SIDE: usize = 1024;

/// Measures and reports the figures.
///
/// # Errors
/// What the device reports.
pub fn run(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), Failure> {
    learning(reporter, gpu, floor).and_then(|()| stepping(reporter, gpu, floor)).map_err(Failure::failed_by)
}

fn learning(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), LogicError> {
    let Some([name, dispatches, bytes]) = reporter.wants_any("gpu/logic-ca/epoch", PARTS) else {
        return Ok(());
    };
    let learner = LogicCa::new(LogicConfig::of(LogicPreset::Checkerboard), 1)?;
    let mut trainer = LogicGpuTrainer::new(gpu, &learner)?;
    let seconds = one_of_many(gpu, reporter.seconds(), || trainer.advance().map(drop))?;
    let on_cpu = epoch::seconds_per_epoch(LogicPreset::Checkerboard, machine::cores(), reporter.seconds())?;
    let (cost, adapter) = (trainer.cost(), &gpu.adapter_info().name);
    let bound = 1e3 * floor.seconds(cost)?;
    let figure = Figure::new(name, 1e3 * seconds, "ms").on_gpu(adapter).bounded_by(bound);
    reporter.report(figure.against("the CPU engine", 1e3 * on_cpu));
    reporter.report(Figure::new(dispatches, cost.dispatches as f64, "an epoch").on_gpu(adapter));
    reporter.report(Figure::new(bytes, cost.bytes_copied as f64 * 1e-6, "MB/epoch").on_gpu(adapter));
    Ok(())
}

/// The circuit of the checkerboard preset before it has learned anything, with nothing left out: what is done for a gate does
/// not depend on its function.
fn stepping(reporter: &mut Reporter, gpu: &Gpu, floor: &Floor<'_>) -> Result<(), LogicError> {
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
    let (all, bound) = ((grid.lanes() * steps) as f64, floor.seconds(automaton.cost())?);
    let figure = Figure::new(name, all / seconds, "cell-steps/s").on_gpu(&gpu.adapter_info().name);
    reporter.report(figure.bounded_by(all / bound));
    Ok(())
}
