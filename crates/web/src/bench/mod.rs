//! The figures of the benchmark page: what there is to measure, and how a figure is reported.
//!
//! The processor's are named as those of `vivarium bench`. Those of the suite `gpu` are measured by either engine, so that
//! the page can show what the processor makes of the same work.

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

use crate::problem::Refusal;
pub use vivarium_lab::protocol::Figure;

/// How long a figure is measured, in milliseconds.
#[cfg(any(feature = "control", not(feature = "gpu")))]
pub const PATIENCE: f64 = 2000.0;

/// A figure of so many threads of the CPU, without a rival.
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

/// Rows, inputs and outputs of the processor's products.
pub const SHAPES: [[usize; 3]; 4] = [[64, 128, 128], [64, 344, 128], [256, 128, 128], [256, 256, 1024]];

/// Sides of the square products that both engines are asked for.
pub const SIDES: [usize; 3] = [256, 1024, 4096];

/// The names of what a suite measures, in order; one measurement may give several figures.
pub fn names(suite: &str) -> Result<Vec<String>, Refusal> {
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

/// Measures on the processor; nothing for what a GPU alone has, or a module of another family of learners.
#[cfg(not(feature = "gpu"))]
pub fn measure(name: &str, large: bool, cpu: &vivarium_graph::Cpu) -> Result<Vec<Figure>, Refusal> {
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

/// Amount of work a millisecond over about so many milliseconds.
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

/// The config with which both engines train for their speed: at the size of a GPU, or small enough for a program that
/// imitates one.
#[cfg(feature = "control")]
pub fn training(large: bool) -> serde_json::Value {
    let [lanes, horizon, minibatch] = if large { [32_768, 32, 131_072] } else { [64, 16, 256] };
    serde_json::json!({ "ppo": { "num_envs": lanes, "horizon": horizon, "minibatch": minibatch } })
}

/// What to say of a name that is none.
pub fn unknown(name: &str) -> Refusal {
    Refusal::new(
        format!("There is no benchmark called {name}."),
        "The suites are kernels, control, logic-ca, backgammon, cube2, language and gpu.",
    )
}

/// The name of a product's figure.
pub fn gemm_name([rows, k, n]: &[usize; 3]) -> String {
    format!("kernels/gemm/{rows}x{k}x{n}")
}

/// The name of a square product's figure.
pub fn side_name(side: usize) -> String {
    format!("gpu/gemm/{side}")
}
