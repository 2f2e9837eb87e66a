//! Measured peak floating-point rate of the CPU.

use vivarium_graph::Cpu;
use vivarium_kernels::peak::multiply_adds;

/// Number of multiply-add iterations in one speed measurement. A measurement takes about one millisecond, which is
/// longer than the clock's resolution.
const ROUNDS: usize = 200_000;

/// Number of speed measurements of one thread; the highest speed is the peak rate.
const BURSTS: usize = 12;

/// Peak floating-point rate of the CPU (multiply-adds), measured on first use.
#[derive(Default)]
pub(super) struct PeakFlops {
    /// Peak floating-point operations per second of one thread; `None` before the measurement.
    of_thread: Option<f64>,
}

impl PeakFlops {
    /// Returns the peak rate of all threads of `cpu` in floating-point operations per second; `None` if the clock did
    /// not advance during the measurement. `clock` returns seconds.
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
