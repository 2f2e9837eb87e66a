//! Advances a run until metric rows are reported.

use vivarium_graph::Cpu;
use vivarium_lab::Experiment;
use vivarium_lab::protocol::MetricRow;

/// Advances an experiment until `count` metric rows have been reported, and returns the rows.
pub fn rows<E: Experiment + ?Sized>(experiment: &mut E, count: usize) -> Vec<MetricRow> {
    let (cpu, mut rows) = (Cpu::new(1), Vec::new());
    while rows.len() < count {
        experiment.advance(&cpu).unwrap();
        rows.extend(experiment.take_metrics());
    }
    rows
}
