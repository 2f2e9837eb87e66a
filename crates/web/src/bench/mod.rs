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
/// that another wasm module contains. `large` selects batch sizes for a comparison with a hardware GPU.
#[cfg(not(feature = "gpu"))]
pub fn measure(name: &str, large: bool, cpu: &vivarium_graph::Cpu) -> Result<Vec<Figure>, SessionError> {
    if let Some(figure) = kernels::measure(name, cpu) {
        return Ok(vec![figure]);
    }
    match FAMILIES.iter().copied().flatten().find(|benchmark| benchmark.name == name) {
        Some(benchmark) => (benchmark.run)(name, cpu, large),
        None => Ok(Vec::new()),
    }
}

/// Benchmarks of the families that this wasm module contains.
#[cfg(not(feature = "gpu"))]
const FAMILIES: &[&[measurement::CpuBenchmark]] = &[
    #[cfg(feature = "control")]
    control::BENCHMARKS,
    #[cfg(feature = "logic-ca")]
    logic_ca::BENCHMARKS,
    #[cfg(feature = "games")]
    games::BENCHMARKS,
    #[cfg(feature = "cube")]
    cube::BENCHMARKS,
    #[cfg(feature = "language")]
    language::BENCHMARKS,
];

/// Creates the error for an unknown benchmark or suite `name`.
pub fn unknown(name: &str) -> SessionError {
    SessionError::new(
        format!("Unknown benchmark {name}."),
        "The suites are kernels, control, logic-ca, backgammon, cube2, language and gpu.",
    )
}

#[cfg(all(test, not(feature = "gpu")))]
mod tests {
    use super::{FAMILIES, names};

    #[test]
    fn each_benchmark_of_a_family_is_listed_in_its_suite_and_measured() {
        let suites = ["control", "logic-ca", "backgammon", "cube2", "language", "gpu"];
        let listed: Vec<String> = suites.iter().flat_map(|suite| names(suite).unwrap()).collect();
        let measured: Vec<&str> =
            FAMILIES.iter().copied().flatten().map(|benchmark| benchmark.name).collect();
        assert_eq!(measured.iter().find(|name| !listed.iter().any(|listed| listed == *name)), None);
        let on_the_cpu = listed.iter().filter(|name| !name.starts_with("gpu/"));
        assert_eq!(on_the_cpu.clone().find(|name| !measured.contains(&name.as_str())), None);
    }
}
