//! What a run reports while it goes on.

use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::protocol::MetricRow;

/// Advances until so many rows were reported.
pub fn rows<E: Experiment + ?Sized>(experiment: &mut E, count: usize) -> Vec<MetricRow> {
    let (cpu, mut rows) = (Cpu::new(1), Vec::new());
    while rows.len() < count {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
    }
    rows
}
