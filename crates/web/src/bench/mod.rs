//! Benchmarks of the page.
//!
//! A CPU benchmark has the same name in `vivarium bench`. Benchmarks of the suite `gpu` run on the CPU and on the GPU
//! engine, so that the page can compare the engines.

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
pub mod measurement;

use crate::error::SessionError;
use measurement::{SHAPES, SIDES, gemm_name, side_name};
#[cfg(not(feature = "gpu"))]
use vivarium_lab::protocol::Figure;

/// Returns the names of the benchmarks of a suite, in the order of execution. A benchmark may return several results.
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

/// Runs the CPU benchmark `name` and returns its results. The list is empty for a GPU benchmark, and for a benchmark
/// that another wasm module contains.
#[cfg(not(feature = "gpu"))]
pub fn measure(name: &str, large: bool, cpu: &vivarium_graph::Cpu) -> Result<Vec<Figure>, SessionError> {
    #[allow(unused_mut, reason = "the module of the comparison contains no family")]
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

/// Creates the error for an unknown benchmark or suite `name`.
pub fn unknown(name: &str) -> SessionError {
    SessionError::new(
        format!("Unknown benchmark {name}."),
        "The suites are kernels, control, logic-ca, backgammon, cube2, language and gpu.",
    )
}
