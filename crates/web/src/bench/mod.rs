//! Benchmarks of the page.
//!
//! CPU benchmarks have the names of `vivarium bench`. Benchmarks of the suite `gpu` run on both engines, so that the
//! page can compare them.

#[cfg(all(feature = "control", not(feature = "gpu")))]
mod control;
#[cfg(all(feature = "cube", not(feature = "gpu")))]
mod cube;
#[cfg(all(feature = "games", not(feature = "gpu")))]
mod games;
#[cfg(not(feature = "gpu"))]
mod kernels;
#[cfg(all(feature = "language", not(feature = "gpu")))]
mod language;
#[cfg(all(feature = "logic-ca", not(feature = "gpu")))]
mod logic_ca;

use crate::error::SessionError;
pub use vivarium_lab::protocol::Figure;

/// Default duration of the measurement of a benchmark, in milliseconds.
#[cfg(any(feature = "control", not(feature = "gpu")))]
pub const MEASUREMENT_MS: f64 = 2000.0;

/// Creates the result of a CPU benchmark on `threads` threads, without a reference value.
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
fn on_cpu(name: &str, value: f64, unit: &str, threads: usize) -> Figure {
    Figure { name: name.into(), value, unit: unit.into(), threads: Some(threads as u32), rival: None }
}

/// Shapes `[rows, inputs, outputs]` of the matrix products in the CPU benchmarks.
pub const SHAPES: [[usize; 3]; 4] = [[64, 128, 128], [64, 344, 128], [256, 128, 128], [256, 256, 1024]];

/// Side lengths of the square matrix products that are measured on both engines.
pub const SIDES: [usize; 3] = [256, 1024, 4096];

/// Returns the names of a suite's benchmarks, in order. One benchmark may return several results.
pub fn names(suite: &str) -> Result<Vec<String>, SessionError> {
    let named = |names: &[&str]| names.iter().copied().map(String::from).collect();
    Ok(match suite {
        "kernels" => SHAPES.iter().map(gemm_name).collect(),
        "control" => named(&[
            "control/cartpole/raw/1",
            "control/cartpole/ppo/all",
            "control/cartpole/seconds_to_475/all",
        ]),
        "logic-ca" => named(&[
            "logic-ca/checkerboard/epoch/1",
            "logic-ca/checkerboard/epoch/all",
            "logic-ca/hard/unpruned/1",
        ]),
        "backgammon" => named(&["backgammon/self_play/all"]),
        "cube2" => named(&["cube2/train_step/1", "cube2/train/all", "cube2/examine/all"]),
        "language" => named(&[
            "language/tiny/1",
            "language/tiny/all",
            "language/shakespeare-char/1",
            "language/shakespeare-char/all",
            "language/wiki-small/1",
            "language/wiki-small/all",
            "language/wiki-small/generate/1",
        ]),
        "gpu" => {
            let mut names: Vec<_> = named(&["gpu/dispatch", "gpu/readback"]);
            names.extend(SIDES.map(side_name));
            names.extend(["gpu/cartpole/raw", "gpu/cartpole/ppo"].map(String::from));
            names
        }
        _ => return Err(unknown(suite)),
    })
}

/// Runs a CPU benchmark and returns its results. The list is empty if `name` is a GPU benchmark or a benchmark of
/// another wasm module.
#[cfg(not(feature = "gpu"))]
pub fn measure(name: &str, large: bool, cpu: &vivarium_graph::Cpu) -> Result<Vec<Figure>, SessionError> {
    let mut figures: Vec<_> = kernels::measure(name, cpu).into_iter().collect();
    #[cfg(feature = "control")]
    figures.extend(control::measure(name, large, cpu)?);
    #[cfg(feature = "logic-ca")]
    figures.extend(logic_ca::measure(name, cpu)?);
    #[cfg(feature = "games")]
    figures.extend(games::measure(name, cpu)?);
    #[cfg(feature = "cube")]
    figures.extend(cube::measure(name, cpu)?);
    #[cfg(feature = "language")]
    figures.extend(language::measure(name, cpu)?);
    let _ = large;
    Ok(figures)
}

/// Calls `work` repeatedly for about `milliseconds`. `work` returns the amount of work of a call, such as the number
/// of steps; the result is the amount of work per millisecond.
#[cfg(not(feature = "gpu"))]
fn best_rate(milliseconds: f64, mut work: impl FnMut() -> f64) -> f64 {
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

/// Returns the PPO config of the training benchmark on both engines, with batch sizes for a GPU if `large`, otherwise
/// for a software adapter.
#[cfg(feature = "control")]
pub fn training(large: bool) -> serde_json::Value {
    let [num_envs, horizon, minibatch] = if large { [32_768, 32, 131_072] } else { [64, 16, 256] };
    serde_json::json!({ "ppo": { "num_envs": num_envs, "horizon": horizon, "minibatch": minibatch } })
}

/// Returns the error for an unknown benchmark or suite.
pub fn unknown(name: &str) -> SessionError {
    SessionError::new(
        format!("Unknown benchmark {name}."),
        "The suites are kernels, control, logic-ca, backgammon, cube2, language and gpu.",
    )
}

/// Returns the benchmark name of a matrix product of the shape `[rows, inputs, outputs]`.
pub fn gemm_name([rows, k, n]: &[usize; 3]) -> String {
    format!("kernels/gemm/{rows}x{k}x{n}")
}

/// Returns the benchmark name of a product of square matrices with this side length.
pub fn side_name(side: usize) -> String {
    format!("gpu/gemm/{side}")
}
