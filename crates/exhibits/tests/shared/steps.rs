//! Advances a run to a number of training steps.

use vivarium_graph::Cpu;
use vivarium_lab::Experiment;

/// Advances an experiment until the run has at least `steps` training steps.
pub fn advance_to<E: Experiment + ?Sized>(experiment: &mut E, steps: u64) {
    let cpu = Cpu::new(1);
    while experiment.progress().steps < steps {
        experiment.advance(&cpu).unwrap();
    }
}
