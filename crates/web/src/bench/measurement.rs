//! Durations, sizes, names and rates that several benchmarks use.

pub use vivarium_lab::protocol::Figure;

/// Benchmark on the CPU.
#[cfg(not(feature = "gpu"))]
pub struct CpuBenchmark {
    /// Name of the benchmark, as in `vivarium bench`.
    pub name: &'static str,
    /// Runs the benchmark and returns its results. The first argument is the name of the benchmark; the last one
    /// selects batch sizes for a comparison with a hardware GPU.
    pub run: fn(&str, &vivarium_graph::Cpu, bool) -> Result<Vec<Figure>, crate::error::SessionError>,
}

/// Default duration of the measurement of a benchmark, in milliseconds.
#[cfg(any(feature = "control", not(feature = "gpu")))]
pub const MEASUREMENT_MS: f64 = 2000.0;

/// Creates the result of a benchmark on `threads` CPU threads, without a reference value.
#[cfg(all(
    not(feature = "gpu"),
    any(
        feature = "control",
        feature = "logic-ca",
        feature = "games",
        feature = "cube",
        feature = "language"
    )
))]
pub fn on_cpu(name: &str, value: f64, unit: &str, threads: usize) -> Figure {
    Figure { name: name.into(), value, unit: unit.into(), threads: Some(threads as u32), rival: None }
}

/// Shapes `[rows, inputs, outputs]` of the matrix products in the CPU benchmarks.
pub const SHAPES: [[usize; 3]; 4] = [[64, 128, 128], [64, 344, 128], [256, 128, 128], [256, 256, 1024]];

/// Side lengths of the square matrix products that are measured on both the CPU and the GPU engine.
pub const SIDES: [usize; 3] = [256, 1024, 4096];

/// Calls `work` repeatedly for at least `milliseconds`. A call returns its amount of work, such as a number of steps.
/// Returns the amount of work per millisecond.
#[cfg(not(feature = "gpu"))]
pub fn mean_rate(milliseconds: f64, mut work: impl FnMut() -> f64) -> f64 {
    let start = crate::clock::now();
    let mut done = 0.0;
    loop {
        done += work();
        let passed = crate::clock::now() - start;
        if passed >= milliseconds {
            return done / passed;
        }
    }
}

/// Returns the PPO config of the benchmark `gpu/cartpole/ppo` on both engines: with batch sizes for a hardware GPU if
/// `large`, otherwise for a software adapter.
#[cfg(feature = "control")]
pub fn training(large: bool) -> serde_json::Value {
    let [num_envs, horizon, minibatch] = if large { [32_768, 32, 131_072] } else { [64, 16, 256] };
    serde_json::json!({ "ppo": { "num_envs": num_envs, "horizon": horizon, "minibatch": minibatch } })
}

/// Returns the benchmark name of a matrix product of the shape `[rows, inputs, outputs]`.
pub fn gemm_name([rows, k, n]: &[usize; 3]) -> String {
    format!("kernels/gemm/{rows}x{k}x{n}")
}

/// Returns the benchmark name of a product of two square matrices of side length `side`.
pub fn side_name(side: usize) -> String {
    format!("gpu/gemm/{side}")
}
