//! Advances a run until the run reports a notice to the user.

use vivarium_graph::Cpu;
use vivarium_lab::Experiment;

/// Advances the experiment until it reports a notice, for at most `steps` training steps, and returns the notice.
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
