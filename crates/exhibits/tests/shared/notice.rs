//! A run that goes on until it has something to say.

use vivarium_graph::Cpu;
use vivarium_lab::Experiment;

/// Advances until a notice is reported, for at most so many steps, and returns it.
pub fn notice<E: Experiment + ?Sized>(experiment: &mut E, steps: u64) -> String {
    let (cpu, end) = (Cpu::new(1), experiment.progress().steps + steps);
    loop {
        experiment.advance(&cpu).unwrap();
        if let Some(notice) = experiment.take_metrics().into_iter().find_map(|row| row.notice) {
            return notice;
        }
        assert!(experiment.progress().steps <= end, "no notice");
    }
}
