//! The figures of the benchmark page: what there is to measure, and how a figure is told.

use crate::problem::Problem;
use serde::Serialize;

#[cfg(not(feature = "gpu"))]
pub mod cpu;

/// A measured figure.
#[derive(Serialize)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// Of the processor; a GPU's are not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Rival>,
}

/// What a figure is held against, measured in the same run.
#[derive(Serialize)]
pub struct Rival {
    pub name: &'static str,
    pub value: f64,
}

/// Rows, inputs and outputs of the processor's products.
pub const SHAPES: [[usize; 3]; 4] = [[64, 128, 128], [64, 344, 128], [256, 128, 128], [256, 256, 1024]];

/// Sides of the square products that both engines are asked for.
pub const SIDES: [usize; 3] = [256, 1024, 4096];

const CONTROL: [&str; 4] = [
    "control/cartpole/raw/1",
    "control/cartpole/ppo/all",
    "control/cartpole/seconds_to_475/all",
    "control/cartpole/seconds_to_475/all/worst",
];

/// The names of a suite's figures.
pub fn names(suite: &str) -> Result<Vec<String>, Problem> {
    match suite {
        "kernels" => Ok(SHAPES.iter().map(gemm_name).collect()),
        "control" => Ok(CONTROL.map(String::from).into()),
        "gpu" => {
            let products = SIDES.map(side_name);
            let (before, after) =
                (["gpu/dispatch", "gpu/readback"], ["gpu/cartpole/raw", "gpu/cartpole/ppo"]);
            Ok(before.map(String::from).into_iter().chain(products).chain(after.map(String::from)).collect())
        }
        _ => Err(unknown(suite)),
    }
}

/// The config with which both engines train for their speed: at the size of a GPU, or small enough for a program that
/// imitates one.
pub fn training(large: bool) -> serde_json::Value {
    let [lanes, horizon, minibatch] = if large { [32_768, 32, 131_072] } else { [64, 16, 256] };
    serde_json::json!({ "ppo": { "lanes": lanes, "horizon": horizon, "minibatch": minibatch } })
}

/// What to say of a name that is none.
pub fn unknown(name: &str) -> Problem {
    Problem::new(format!("There is no benchmark called {name}."), "The suites are kernels, control and gpu.")
}

/// The name of a product's figure.
pub fn gemm_name([rows, k, n]: &[usize; 3]) -> String {
    format!("kernels/gemm/{rows}x{k}x{n}")
}

/// The name of a square product's figure.
pub fn side_name(side: usize) -> String {
    format!("gpu/gemm/{side}")
}
