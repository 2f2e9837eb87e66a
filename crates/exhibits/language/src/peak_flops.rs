//! What the processor can do at most.

use vivarium_graph::Cpu;
use vivarium_kernels::peak::multiply_adds;

/// Rounds of multiply-adds of a burst: about a millisecond, which every clock resolves.
const ROUNDS: usize = 200_000;

/// Bursts, of which the fastest counts.
const BURSTS: usize = 12;

/// The peak of multiply-adds of one thread, in floating-point operations a second, measured when it is first asked for.
#[derive(Default)]
pub(super) struct PeakFlops {
    of_thread: Option<f64>,
}

impl PeakFlops {
    /// That of all threads of an engine, by a clock in seconds; `None` where the clock has not gone on.
    pub(super) fn of(&mut self, cpu: &Cpu, clock: fn() -> f64) -> Option<f64> {
        let measured = *self.of_thread.get_or_insert_with(|| {
            let burst = |_| {
                let began = clock();
                let operations = multiply_adds(cpu.level(), ROUNDS) as f64;
                (clock() - began, operations)
            };
            let speeds = (0..BURSTS).map(burst).filter(|&(seconds, _)| seconds > 0.0);
            speeds.map(|(seconds, operations)| operations / seconds).fold(0.0, f64::max)
        });
        (measured > 0.0).then(|| measured * cpu.threads() as f64)
    }
}
